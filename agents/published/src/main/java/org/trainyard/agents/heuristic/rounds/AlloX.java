package org.trainyard.agents.heuristic.rounds;

import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.HashMap;
import java.util.Map;

/**
 * AlloX as Gavel implements it: of the oldest jobs, the assignment with the least mean completion time selects those
 * that go first on the free GPUs, and they keep their GPUs until they end.
 *
 * <p>Sources: T. N. Le, X. Sun, M. Chowdhury, Z. Liu: AlloX: compute allocation in hybrid clusters, EuroSys 2020; D.
 * Narayanan et al.: Heterogeneity-aware cluster scheduling policies for deep learning workloads, OSDI 2020, as
 * Shockwave's artifact runs it, with a fifth of the queue considered, or as many jobs as there are GPUs left. On GPUs
 * of one kind the assignment has a closed form: the longest jobs last on each GPU, so the shortest are first. As there,
 * a job of more than one GPU is assumed to need one, gets a share of one over its GPUs, and never counts as taken. Our
 * deviation: (1) of equally good assignments, the one with the shortest jobs first.
 */
public final class AlloX implements AllocationPolicy {
    private static final double CONSIDERED = 0.2;

    private final Map<Integer, Double> lastShares = new HashMap<>();

    @Override
    public double[] of(AllocationProblem problem) {
        double[] shares = new double[problem.size()];
        int[] unassigned = new int[shares.length];
        int count = 0;
        for (int i = 0; i < shares.length; i++) {
            shares[i] = lastShares.getOrDefault(problem.job(i), 0.0);
            if (shares[i] != 1) {
                unassigned[count++] = i;
            }
        }
        int gpus = Math.max(0, problem.clusterGpus() - (shares.length - count));
        // Jobs are in order of submission.
        int considered = Math.min(count, Math.max((int) (CONSIDERED * count), gpus));
        IntArrays.mergeSort(
                unassigned, 0, considered, (a, b) -> Double.compare(problem.secondsLeft(a), problem.secondsLeft(b)));
        for (int n = 0; n < Math.min(considered, gpus); n++) {
            shares[unassigned[n]] = 1.0 / problem.gpus(unassigned[n]);
        }
        lastShares.clear();
        for (int i = 0; i < shares.length; i++) {
            lastShares.put(problem.job(i), shares[i]);
        }
        return shares;
    }
}
