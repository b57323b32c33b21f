package org.trainyard.agents.heuristic.rounds;

import it.unimi.dsi.fastutil.ints.IntArrays;

/**
 * Gavel's throughput policy, called MST in Shockwave's figures: maximises the sum of steps per second, whatever a step
 * is.
 *
 * <p>Source: D. Narayanan et al.: Heterogeneity-aware cluster scheduling policies for deep learning workloads, OSDI
 * 2020, on GPUs of one kind, as Shockwave's artifact runs it. The linear programme is a fractional knapsack: jobs in
 * order of steps per second and GPU, equal shares for equal jobs. Our deviation: (1) a job without a share gets a tiny
 * one, in inverse proportion to the throughput that it lacks, as an interior-point solver would leave; so the jobs
 * nearest to a share come first when GPUs are left over.
 */
public final class MaxSumThroughput implements AllocationPolicy {
    private static final double TINY_SHARE = 1e-9;
    /** Steps per second. */
    private static final double LEAST_MISSING = 1e-3;

    @Override
    public double[] of(AllocationProblem problem) {
        int[] order = new int[problem.size()];
        double[] stepsPerGpuSecond = new double[order.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
            stepsPerGpuSecond[i] = problem.stepsPerSecond(i) / problem.gpus(i);
        }
        IntArrays.mergeSort(order, (a, b) -> Double.compare(stepsPerGpuSecond[b], stepsPerGpuSecond[a]));
        double[] shares = new double[order.length];
        double left = problem.clusterGpus();
        double price = 0;
        for (int from = 0, to = 0; from < order.length && left > 0; from = to) {
            price = stepsPerGpuSecond[order[from]];
            double demand = 0;
            for (; to < order.length && stepsPerGpuSecond[order[to]] == price; to++) {
                demand += problem.gpus(order[to]);
            }
            for (int n = from; n < to; n++) {
                shares[order[n]] = Math.min(1, left / demand);
            }
            left -= demand;
        }
        for (int i = 0; i < shares.length; i++) {
            if (shares[i] == 0) {
                double missing = price * problem.gpus(i) - problem.stepsPerSecond(i);
                shares[i] = TINY_SHARE / Math.max(missing, LEAST_MISSING);
            }
        }
        return shares;
    }
}
