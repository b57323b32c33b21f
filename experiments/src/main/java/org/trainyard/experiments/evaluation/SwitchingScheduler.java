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
 * Heuristics that take turns in an episode: at several moments every one of them is tried to the end, and the one that does best from there
 * takes over, where it does better than who is in charge (H. Chang, R. Givan, E. Chong: Parallel rollout for online solution of partially
 * observable Markov decision processes, 2004).
 *
 * <p>Deviation: what is to come is known and not sampled, so it is a line that no scheduler can draw, and never above the best of them.
 */
final class SwitchingScheduler {
    /** In an episode, after equal numbers of arrivals. */
    static final int MOMENTS = 8;

    private final Experiment experiment;
    private final Map<String, double[]> alone;

    /** @param alone by name of the catalogue, of at least one: the mean JCT of each episode when it is in charge all the time, seconds */
    SwitchingScheduler(Experiment experiment, Map<String, double[]> alone) {
        this.experiment = experiment;
        this.alone = alone;
    }

    /**
     * The mean JCT that they reach together, seconds.
     *
     * @param number of the episode, from which heuristics that draw lots take their seeds
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

    /** Until so many jobs have arrived and everything is decided, or the episode is over. */
    private static void play(Simulator simulator, Scheduler scheduler, int arrivals) {
        while (simulator.view().arrived() < arrivals && simulator.advance()) {
            simulator.decide(scheduler);
        }
    }
}
