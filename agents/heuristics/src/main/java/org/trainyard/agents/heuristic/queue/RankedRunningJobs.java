package org.trainyard.agents.heuristic.queue;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntComparator;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.simulation.SimView;

/** The running jobs of higher rank than a limit, with the ranks that they had when they were listed. */
public final class RankedRunningJobs {
    private final Rank rank;
    private final IntArrayList jobs = new IntArrayList();
    private double[] ranks = new double[64];

    public RankedRunningJobs(Rank rank) {
        this.rank = rank;
    }

    /**
     * Ranks all running jobs and lists those above the limit, in no order; overwritten by the next list. O(running
     * jobs).
     */
    public IntArrayList above(SimView view, double limit) {
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
        return jobs;
    }

    /** The rank of a job of the last list. */
    public double rankOf(int job) {
        return ranks[job];
    }

    /** Highest rank in the last list first, of equal rank the latest submitted first. */
    public IntComparator order() {
        return (a, b) -> {
            int byRank = Double.compare(ranks[b], ranks[a]);
            return byRank != 0 ? byRank : Integer.compare(b, a);
        };
    }
}
