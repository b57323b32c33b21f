package org.trainyard.experiments.run;

import java.util.ArrayList;
import java.util.List;
import org.trainyard.agents.heuristic.TunedSettings;
import org.trainyard.agents.learned.PolicyNetwork;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.evaluation.SchedulerRuns.Role;

/** Runs schedulers on the same episodes, one scheduler after the other; heuristics run several episodes at once. */
public final class Contest {
    /** The trained policy's name in tables and files. */
    public static final String LEARNED = "learned";

    /** What the chosen member of the tuned family is called there. */
    public static final String TUNED = "tuned";

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
        return add(name, name);
    }

    /** Adds the member of the tuned family that was chosen on other episodes. */
    public Contest addTuned(TunedSettings settings) {
        return add(TUNED, settings.name());
    }

    private Contest add(String called, String name) {
        Role role = name.equals(FLOOR) ? Role.FLOOR : Role.HEURISTIC;
        List<RunResult> results = Parallel.map(
                episodes.size(),
                i -> experiment.simulator(episodes.get(i)).run(experiment.scheduler(name, i)),
                () -> {});
        runs.add(new SchedulerRuns(called, role, results));
        return this;
    }

    /** Adds a trained policy. */
    public Contest add(PolicyNetwork policy) {
        runs.add(new SchedulerRuns(LEARNED, Role.LEARNED, play(policy)));
        return this;
    }

    private List<RunResult> play(PolicyNetwork policy) {
        List<RunResult> results = new ArrayList<>();
        for (Workload episode : episodes) {
            results.add(experiment.simulator(episode).run(experiment.scheduler(policy)));
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
