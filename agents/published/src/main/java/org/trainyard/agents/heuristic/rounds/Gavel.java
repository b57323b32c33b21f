package org.trainyard.agents.heuristic.rounds;

import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.topology.Topology;

/**
 * Gavel with its default policy, max-min fairness, in rounds of six minutes.
 *
 * <p>On GPUs of several types it is {@link HeterogeneousRounds} with the throughput matrix of the analytic performance
 * model; on GPUs of one type, where throughputs do not matter, {@link GavelRounds} with {@link MaxMinFairness}.
 *
 * <p>Source: D. Narayanan, K. Santhanam, F. Kazhamiaka, A. Phanishayee, M. Zaharia: Heterogeneity-aware cluster
 * scheduling policies for deep learning workloads, OSDI 2020. Our deviations, besides those of these classes: (1)
 * throughputs are predicted, neither measured nor estimated by matrix completion; (2) jobs do not share GPUs.
 */
public final class Gavel {
    static final long ROUND_SECONDS = 360;

    private Gavel() {}

    public static Scheduler on(Topology topology) {
        return new GpuKinds(topology).count() > 1
                ? new HeterogeneousRounds(topology, ROUND_SECONDS, new BestFit())
                : new GavelRounds(
                        new MaxMinFairness(),
                        GavelRounds.Renewal.AT_ONCE,
                        ROUND_SECONDS,
                        new AdaptiveTrainingRuns(0),
                        new BestFit());
    }
}
