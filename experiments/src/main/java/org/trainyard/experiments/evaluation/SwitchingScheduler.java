package org.trainyard.experiments.evaluation;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.run.Experiment;

/**
 * Parallel rollout over schedulers: at several moments of an episode each of them is simulated to the end, and the
 * best one takes over if it improves on the current one (H. Chang, R. Givan, E. Chong: Parallel rollout for online
 * solution of partially observable Markov decision processes, 2004).
 *
 * <p>Deviation: rollouts use the future jobs themselves instead of samples. So no online scheduler can do the same,
 * and the mean JCT is never above that of the best of them alone.
 */
final class SwitchingScheduler {
    /** Moments of an episode at which schedulers may switch, after equal numbers of arrivals. */
    static final int MOMENTS = 8;

    /**
     * One of the schedulers that take turns in an episode.
     *
     * @param fresh makes a new scheduler
     * @param meanJctSeconds of the episode under it alone
     */
    record Arm(Supplier<Scheduler> fresh, double meanJctSeconds) {}

    private final Experiment experiment;
    private final List<Arm> arms;

    /** @param arms not empty */
    SwitchingScheduler(Experiment experiment, List<Arm> arms) {
        this.experiment = experiment;
        this.arms = List.copyOf(arms);
    }

    /** The mean JCT of the episode with switches, seconds. */
    double meanJctSeconds(Workload episode) {
        Simulator simulator = experiment.simulator(episode);
        Arm best = Collections.min(arms, Comparator.comparingDouble(Arm::meanJctSeconds));
        double reached = best.meanJctSeconds();
        Scheduler inCharge = best.fresh().get();
        for (int moment = 1; moment < MOMENTS; moment++) {
            play(simulator, inCharge, moment * episode.size() / MOMENTS);
            for (Arm arm : arms) {
                double seconds = experiment
                        .fork(simulator, episode)
                        .run(arm.fresh().get())
                        .meanJctSeconds();
                if (seconds < reached) {
                    reached = seconds;
                    inCharge = arm.fresh().get();
                }
            }
        }
        return simulator.run(inCharge).meanJctSeconds();
    }

    /** Runs until so many jobs have arrived and all decisions of that instant are made, or the episode is over. */
    private static void play(Simulator simulator, Scheduler scheduler, int arrivals) {
        while (simulator.view().arrived() < arrivals && simulator.advance()) {
            simulator.decide(scheduler);
        }
    }
}
