package org.trainyard.agents.heuristic.rounds;

import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.HashMap;
import java.util.Map;

/**
 * AlloX as Gavel has it: of the jobs that have waited longest, those are taken that the assignment with the least mean completion time
 * puts first on the GPUs that are not taken yet, and keep them.
 *
 * <p>Sources: T. N. Le, X. Sun, M. Chowdhury, Z. Liu: AlloX: compute allocation in hybrid clusters, EuroSys 2020; D. Narayanan et al.:
 * Heterogeneity-aware cluster scheduling policies for deep learning workloads, OSDI 2020, as Shockwave's artifact runs it, with a fifth of
 * the queue considered, or as many as there are GPUs left. On GPUs of one kind the assignment has a closed form: the longest jobs last
 * on each GPU, so the shortest are first. As there, a job of more than one GPU is taken to need one, gets one part in so many, and never
 * counts as taken. Our deviation: (1) of assignments that are equally good, the one with the shortest jobs first.
 */
public final class AlloX implements AllocationPolicy {
    private static final double CONSIDERED = 0.2;

    private final Map<Integer, Double> last = new HashMap<>();

    @Override
    public double[] of(AllocationProblem contest) {
        double[] shares = new double[contest.size()];
        int[] open = new int[shares.length];
        int count = 0;
        for (int i = 0; i < shares.length; i++) {
            shares[i] = last.getOrDefault(contest.job(i), 0.0);
            if (shares[i] != 1) {
                open[count++] = i;
            }
        }
        int gpus = Math.max(0, contest.clusterGpus() - (shares.length - count));
        // Jobs are in order of submission.
        int considered = Math.min(count, Math.max((int) (CONSIDERED * count), gpus));
        IntArrays.mergeSort(
                open, 0, considered, (a, b) -> Double.compare(contest.secondsLeft(a), contest.secondsLeft(b)));
        for (int n = 0; n < Math.min(considered, gpus); n++) {
            shares[open[n]] = 1.0 / contest.gpus(open[n]);
        }
        last.clear();
        for (int i = 0; i < shares.length; i++) {
            last.put(contest.job(i), shares[i]);
        }
        return shares;
    }
}
