package org.trainyard.experiments.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.trainyard.agents.learned.PolicyNetwork;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.evaluation.SchedulerRuns.Role;

/** Runs schedulers on the same episodes, one after the other. */
public final class Contest {
    /** The trained policy's name in tables and files. */
    public static final String LEARNED = "learned";

    private static final String FLOOR = "random";

    private final Experiment experiment;
    private final List<Workload> episodes;
    private final List<SchedulerRuns> runs = new ArrayList<>();

    public Contest(Experiment experiment, List<Workload> episodes) {
        this.experiment = experiment;
        this.episodes = List.copyOf(episodes);
    }

    /** Adds a scheduler of the catalogue. */
    public Contest add(String name) {
        Role role = name.equals(FLOOR) ? Role.FLOOR : Role.HEURISTIC;
        runs.add(new SchedulerRuns(name, role, play(episode -> experiment.scheduler(name, episode))));
        return this;
    }

    /** Adds a trained policy. */
    public Contest add(PolicyNetwork policy) {
        runs.add(new SchedulerRuns(LEARNED, Role.LEARNED, play(episode -> experiment.scheduler(policy))));
        return this;
    }

    private List<RunResult> play(IntFunction<Scheduler> schedulers) {
        List<RunResult> results = new ArrayList<>();
        for (int i = 0; i < episodes.size(); i++) {
            results.add(experiment.simulator(episodes.get(i)).run(schedulers.apply(i)));
        }
        return results;
    }

    public Evaluation evaluate() {
        return Evaluation.of(runs, experiment.config().seed());
    }

    /** Mean over episodes of a policy's mean JCT, seconds: what validation goes by. */
    public static double meanJctSeconds(Experiment experiment, PolicyNetwork policy, List<Workload> episodes) {
        double sum = 0;
        for (Workload episode : episodes) {
            sum += experiment
                    .simulator(episode)
                    .run(experiment.scheduler(policy))
                    .meanJctSeconds();
        }
        return sum / episodes.size();
    }
}
