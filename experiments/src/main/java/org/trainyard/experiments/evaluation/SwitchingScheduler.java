package org.trainyard.experiments.evaluation;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.run.Experiment;

/**
 * Parallel rollout over schedulers: at several moments of an episode each of them is simulated to the end, and the best one takes over if
 * it improves on the current one (H. Chang, R. Givan, E. Chong: Parallel rollout for online solution of partially observable Markov decision
 * processes, 2004).
 *
 * <p>Deviation: rollouts use the future jobs themselves instead of samples. So no online scheduler can do the same, and the mean JCT is never
 * above that of the best of them alone.
 */
final class SwitchingScheduler {
    /** Moments of an episode at which schedulers may switch, after equal numbers of arrivals. */
    static final int MOMENTS = 8;

    /**
     * One of the schedulers that take turns.
     *
     * @param alone its runs of the episodes without the others
     */
    record Arm(SchedulerFactory scheduler, SchedulerRuns alone) {
        double meanJctSeconds(int episode) {
            return alone.episodes().get(episode).meanJctSeconds();
        }
    }

    private final Experiment experiment;
    private final List<Arm> arms;

    /** @param arms all of which run at once on several threads; not empty */
    SwitchingScheduler(Experiment experiment, List<Arm> arms) {
        this.experiment = experiment;
        this.arms = List.copyOf(arms);
    }

    /**
     * The mean JCT of an episode with switches, seconds.
     *
     * @param number of the episode, from which random heuristics derive their seeds
     */
    double meanJctSeconds(Workload episode, int number) {
        Simulator simulator = experiment.simulator(episode);
        Arm best = Collections.min(arms, Comparator.comparingDouble(arm -> arm.meanJctSeconds(number)));
        double reached = best.meanJctSeconds(number);
        Scheduler inCharge = fresh(best, number);
        for (int moment = 1; moment < MOMENTS; moment++) {
            play(simulator, inCharge, moment * episode.size() / MOMENTS);
            for (Arm arm : arms) {
                double seconds = experiment
                        .fork(simulator, episode)
                        .run(fresh(arm, number))
                        .meanJctSeconds();
                if (seconds < reached) {
                    reached = seconds;
                    inCharge = fresh(arm, number);
                }
            }
        }
        return simulator.run(inCharge).meanJctSeconds();
    }

    private static Scheduler fresh(Arm arm, int episode) {
        return arm.scheduler().fresh().of(episode, null);
    }

    /** Runs until so many jobs have arrived and all decisions of that instant are made, or the episode is over. */
    private static void play(Simulator simulator, Scheduler scheduler, int arrivals) {
        while (simulator.view().arrived() < arrivals && simulator.advance()) {
            simulator.decide(scheduler);
        }
    }
}
