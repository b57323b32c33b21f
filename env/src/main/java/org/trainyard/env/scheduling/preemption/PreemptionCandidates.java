package org.trainyard.env.scheduling.preemption;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntComparator;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.queue.RunningOrder;
import org.trainyard.env.simulation.SimView;

/** Chooses the running jobs to preempt by rank: highest rank first, of equal rank the latest submitted first. */
public final class PreemptionCandidates {
    private final Rank rank;
    private final RunningOrder running;
    private final VictimSearch search = new VictimSearch();
    private final IntArrayList jobs = new IntArrayList();
    private final IntComparator order = this::compare;
    private double[] ranks = new double[64];

    /** @param running the running jobs by the same rank */
    public PreemptionCandidates(Rank rank, RunningOrder running) {
        this.rank = rank;
        this.running = running;
    }

    private int compare(int a, int b) {
        int byRank = Double.compare(ranks[b], ranks[a]);
        return byRank != 0 ? byRank : Integer.compare(b, a);
    }

    /**
     * The first job to preempt so that a waiting job gets its whole GPUs on at most so many servers ({@link VictimSearch}), or
     * {@link SimView#NONE}.
     *
     * @param limit only jobs of higher rank are preempted
     */
    public int victim(SimView view, double limit, int gpus, int mostServers) {
        IntArrayList victims = mostServers >= view.topology().servers()
                ? search.anywhere(view, gpus, running, limit)
                : search.onServers(view, gpus, mostServers, above(view, limit), order);
        return victims.isEmpty() ? SimView.NONE : victims.getInt(0);
    }

    /** The running jobs of higher rank than the limit, in no order. */
    private IntArrayList above(SimView view, double limit) {
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
}
