package org.trainyard.agents.heuristic.rounds;

import it.unimi.dsi.fastutil.ints.IntArrays;

/**
 * Gavel's throughput policy, called MST in Shockwave's figures: as many steps per second in sum as can be, whatever a step is.
 *
 * <p>Source: D. Narayanan et al.: Heterogeneity-aware cluster scheduling policies for deep learning workloads, OSDI 2020, on GPUs of one
 * kind, as Shockwave's artifact runs it. The linear programme is a knapsack that may be cut: jobs in order of steps per second and GPU,
 * equal parts to equals.
 * Our deviation: (1) who gets nothing is given a trace in inverse proportion to what is missing from it to be worth its GPUs, as an
 * interior-point solver leaves behind; so the nearest to it are first when GPUs are left over.
 */
public final class MaxSumThroughput implements AllocationPolicy {
    private static final double TRACE = 1e-9;
    /** Steps per second. */
    private static final double LEAST_MISSING = 1e-3;

    @Override
    public double[] of(AllocationProblem contest) {
        int[] order = new int[contest.size()];
        double[] worth = new double[order.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
            worth[i] = contest.stepsPerSecond(i) / contest.gpus(i);
        }
        IntArrays.mergeSort(order, (a, b) -> Double.compare(worth[b], worth[a]));
        double[] shares = new double[order.length];
        double left = contest.clusterGpus();
        double price = 0;
        for (int from = 0, to = 0; from < order.length && left > 0; from = to) {
            price = worth[order[from]];
            double wanted = 0;
            for (; to < order.length && worth[order[to]] == price; to++) {
                wanted += contest.gpus(order[to]);
            }
            for (int n = from; n < to; n++) {
                shares[order[n]] = Math.min(1, left / wanted);
            }
            left -= wanted;
        }
        for (int i = 0; i < shares.length; i++) {
            if (shares[i] == 0) {
                double missing = price * contest.gpus(i) - contest.stepsPerSecond(i);
                shares[i] = TRACE / Math.max(missing, LEAST_MISSING);
            }
        }
        return shares;
    }
}
