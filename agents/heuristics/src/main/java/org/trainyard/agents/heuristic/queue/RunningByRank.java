package org.trainyard.agents.heuristic.queue;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.ints.IntComparator;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.simulation.SimView;

/**
 * The running jobs by any rank: all ranks are computed anew at each instant and event, O(running jobs + listed log
 * listed).
 */
public final class RunningByRank implements RunningOrder {
    private final RankedRunningJobs ranked;
    private final IntComparator order;
    private IntArrayList jobs = new IntArrayList();
    private long listedAtNanos = -1;
    private long listedAtVersion = -1;
    private double listedAbove;
    private int next;

    public RunningByRank(Rank rank) {
        ranked = new RankedRunningJobs(rank);
        order = ranked.order();
    }

    @Override
    public void begin(SimView view) {
        next = 0;
    }

    @Override
    public int next(SimView view, double limit) {
        boolean isCurrent = listedAtNanos == view.nowNanos() && listedAtVersion == view.version();
        if (!isCurrent || limit < listedAbove) {
            list(view, limit);
        }
        return next < jobs.size() && ranked.rankOf(jobs.getInt(next)) > limit ? jobs.getInt(next++) : SimView.NONE;
    }

    private void list(SimView view, double limit) {
        listedAtNanos = view.nowNanos();
        listedAtVersion = view.version();
        listedAbove = limit;
        jobs = ranked.above(view, limit);
        IntArrays.quickSort(jobs.elements(), 0, jobs.size(), order);
    }
}
