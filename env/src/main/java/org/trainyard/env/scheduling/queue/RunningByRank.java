package org.trainyard.env.scheduling.queue;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.ints.IntComparator;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.simulation.SimView;

/** The running jobs by any rank: all ranks are computed anew at each instant and event, O(running jobs + listed log listed). */
public final class RunningByRank implements RunningOrder {
    private final Rank rank;
    private final IntArrayList jobs = new IntArrayList();
    private final IntComparator order = this::compare;
    private double[] ranks = new double[64];
    private long listedAtNanos = -1;
    private int listedAtEntry = -1;
    private double listedAbove;
    private int next;

    public RunningByRank(Rank rank) {
        this.rank = rank;
    }

    private int compare(int a, int b) {
        int byRank = Double.compare(ranks[b], ranks[a]);
        return byRank != 0 ? byRank : Integer.compare(b, a);
    }

    @Override
    public void begin(SimView view) {
        next = 0;
    }

    @Override
    public int next(SimView view, double limit) {
        boolean isCurrent = listedAtNanos == view.nowNanos() && listedAtEntry == view.journalSize();
        if (!isCurrent || limit < listedAbove) {
            list(view, limit);
        }
        return next < jobs.size() && ranks[jobs.getInt(next)] > limit ? jobs.getInt(next++) : SimView.NONE;
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
