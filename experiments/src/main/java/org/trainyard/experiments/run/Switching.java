package org.trainyard.experiments.run;

import java.util.List;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.Workload;

/**
 * Heuristics that take turns in an episode: at several moments every one of them is tried to the end, and the one that does best from there
 * takes over, where it does better than who is in charge (H. Chang, R. Givan, E. Chong: Parallel rollout for online solution of partially
 * observable Markov decision processes, 2004).
 *
 * <p>Deviation: what is to come is known and not sampled, so it is a line that no scheduler can draw, and never above the best of them.
 */
final class Switching {
    /** In an episode, after equal numbers of arrivals. */
    static final int MOMENTS = 8;

    private final Experiment experiment;
    private final List<String> names;

    /** @param names of the catalogue, at least one */
    Switching(Experiment experiment, List<String> names) {
        this.experiment = experiment;
        this.names = List.copyOf(names);
    }

    /**
     * The mean JCT that they reach together, seconds.
     *
     * @param number of the episode, from which heuristics that draw lots take their seeds
     */
    double meanJctSeconds(Workload episode, int number) {
        Simulator simulator = experiment.simulator(episode);
        Scheduler inCharge = experiment.scheduler(names.get(0), number);
        double reached = Double.POSITIVE_INFINITY;
        for (int moment = 0; moment < MOMENTS; moment++) {
            for (String name : names) {
                double seconds = experiment
                        .fork(simulator, episode)
                        .run(experiment.scheduler(name, number))
                        .meanJctSeconds();
                if (seconds < reached) {
                    reached = seconds;
                    inCharge = experiment.scheduler(name, number);
                }
            }
            play(simulator, inCharge, (moment + 1) * episode.size() / MOMENTS);
        }
        return simulator.run(inCharge).meanJctSeconds();
    }

    /** Until so many jobs have arrived and everything is decided, or the episode is over. */
    private static void play(Simulator simulator, Scheduler scheduler, int arrivals) {
        while (simulator.view().arrived() < arrivals && simulator.advance()) {
            simulator.decide(scheduler);
        }
    }
}
