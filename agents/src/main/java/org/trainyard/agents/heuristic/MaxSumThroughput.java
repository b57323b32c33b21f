package org.trainyard.agents.heuristic;

import it.unimi.dsi.fastutil.ints.IntArrays;

/**
 * Gavel's throughput policy, called MST in Shockwave's figures: as many steps per second in sum as can be, whatever a step is.
 *
 * <p>Source: D. Narayanan et al.: Heterogeneity-aware cluster scheduling policies for deep learning workloads, OSDI 2020, on GPUs of one
 * kind, as Shockwave's artifact runs it. The linear programme is a knapsack that may be cut: jobs in order of steps per second and GPU.
 * Our deviation: (1) who gets nothing is given a trace in inverse proportion to what is missing from it to be worth its GPUs, as an
 * interior-point solver leaves behind; so the nearest to it are first when GPUs are left over.
 */
final class MaxSumThroughput implements Shares {
    private static final double TRACE = 1e-9;

    @Override
    public double[] of(Contest contest) {
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
        for (int i : order) {
            shares[i] = Math.min(1, left / contest.gpus(i));
            if (left > 0) {
                price = worth[i];
            }
            left -= shares[i] * contest.gpus(i);
        }
        for (int i = 0; i < shares.length; i++) {
            if (shares[i] == 0) {
                shares[i] = TRACE / (price * contest.gpus(i) - contest.stepsPerSecond(i) + TRACE);
            }
        }
        return shares;
    }
}
