package org.trainyard.experiments.evaluation;

import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.run.Experiment;

/**
 * Parallel rollout over heuristics: at several moments of an episode every heuristic is simulated to the end, and the best one takes over if
 * it improves on the current one (H. Chang, R. Givan, E. Chong: Parallel rollout for online solution of partially observable Markov decision
 * processes, 2004).
 *
 * <p>Deviation: rollouts use the future jobs themselves instead of samples. So no online scheduler can do the same, and the mean JCT is never
 * above that of the best heuristic.
 */
final class SwitchingScheduler {
    /** Moments of an episode at which heuristics may switch, after equal numbers of arrivals. */
    static final int MOMENTS = 8;

    private final Experiment experiment;
    private final Map<String, double[]> alone;

    /** @param alone mean JCT in seconds of each episode under one heuristic alone, by name in the registry; not empty */
    SwitchingScheduler(Experiment experiment, Map<String, double[]> alone) {
        this.experiment = experiment;
        this.alone = alone;
    }

    /**
     * The mean JCT of an episode with switches, seconds.
     *
     * @param number of the episode, from which random heuristics derive their seeds
     */
    double meanJctSeconds(Workload episode, int number) {
        Simulator simulator = experiment.simulator(episode);
        String best = Collections.min(alone.keySet(), Comparator.comparingDouble(name -> seconds(name, number)));
        double reached = seconds(best, number);
        Scheduler inCharge = experiment.scheduler(best, number);
        for (int moment = 1; moment < MOMENTS; moment++) {
            play(simulator, inCharge, moment * episode.size() / MOMENTS);
            for (String name : alone.keySet()) {
                double seconds = experiment
                        .fork(simulator, episode)
                        .run(experiment.scheduler(name, number))
                        .meanJctSeconds();
                if (seconds < reached) {
                    reached = seconds;
                    inCharge = experiment.scheduler(name, number);
                }
            }
        }
        return simulator.run(inCharge).meanJctSeconds();
    }

    private double seconds(String name, int number) {
        return Objects.requireNonNull(alone.get(name))[number];
    }

    /** Runs until so many jobs have arrived and all decisions of that instant are made, or the episode is over. */
    private static void play(Simulator simulator, Scheduler scheduler, int arrivals) {
        while (simulator.view().arrived() < arrivals && simulator.advance()) {
            simulator.decide(scheduler);
        }
    }
}
