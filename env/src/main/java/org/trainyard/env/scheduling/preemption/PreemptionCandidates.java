package org.trainyard.env.scheduling.preemption;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.ints.IntComparator;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.simulation.SimView;

/** Running jobs in the order in which they are preempted: highest rank first, of equal rank the latest submitted first. */
public final class PreemptionCandidates {
    private final Rank rank;
    private final VictimSearch search = new VictimSearch();
    private final IntArrayList jobs = new IntArrayList();
    private final IntComparator order = this::compare;
    private double[] ranks = new double[64];
    private long listedAtNanos = -1;
    private int listedAtEntry = -1;
    private double listedAbove;

    public PreemptionCandidates(Rank rank) {
        this.rank = rank;
    }

    private int compare(int a, int b) {
        int byRank = Double.compare(ranks[b], ranks[a]);
        return byRank != 0 ? byRank : Integer.compare(b, a);
    }

    /**
     * The first job to preempt so that a waiting job gets its whole GPUs on at most so many servers ({@link VictimSearch#onServers}), or
     * {@link SimView#NONE}.
     *
     * @param limit only jobs of higher rank are preempted
     */
    public int victim(SimView view, double limit, int gpus, int mostServers) {
        IntArrayList victims = search.onServers(view, gpus, mostServers, jobs, countAbove(view, limit));
        return victims.isEmpty() ? SimView.NONE : victims.getInt(0);
    }

    /** Sorts at most once per instant and event when limits do not fall: O(running jobs + candidates log candidates). */
    private int countAbove(SimView view, double limit) {
        boolean isCurrent = listedAtNanos == view.nowNanos() && listedAtEntry == view.journalSize();
        if (!isCurrent || limit < listedAbove) {
            list(view, limit);
        }
        int count = jobs.size();
        while (count > 0 && ranks[jobs.getInt(count - 1)] <= limit) {
            count--;
        }
        return count;
    }

    private void list(SimView view, double limit) {
        listedAtNanos = view.nowNanos();
        listedAtEntry = view.journalSize();
        listedAbove = limit;
        jobs.clear();
        if (ranks.length < view.arrived()) {
            ranks = new double[2 * view.arrived()];
        }
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            ranks[job] = rank.of(view, job);
            if (ranks[job] > limit) {
                jobs.add(job);
            }
        }
        IntArrays.quickSort(jobs.elements(), 0, jobs.size(), order);
    }
}
