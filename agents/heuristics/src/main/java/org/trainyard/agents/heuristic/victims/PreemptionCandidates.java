package org.trainyard.agents.heuristic.victims;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntComparator;
import org.trainyard.agents.heuristic.queue.RankedRunningJobs;
import org.trainyard.agents.heuristic.queue.RunningOrder;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.preemption.PreemptionCharge;
import org.trainyard.env.simulation.SimView;

/** Chooses the running jobs to preempt by rank: highest rank first, of equal rank the latest submitted first. */
public final class PreemptionCandidates {
    /**
     * Number of jobs up to which they are taken from an order that is kept; to list and sort more of them costs as much
     * as to rank all running jobs.
     */
    private static final int FEW = 256;

    private final RunningOrder running;
    private final VictimSearch search = new VictimSearch();
    private final RankedRunningJobs ranked;
    private final IntComparator order;
    private final IntArrayList first = new IntArrayList();

    private final Rank rank;
    private final PreemptionCharge charge;
    private final IntArrayList worthIt = new IntArrayList();

    /** @param running the running jobs by the same rank */
    public PreemptionCandidates(Rank rank, RunningOrder running) {
        this(rank, running, PreemptionCharge.NONE);
    }

    /**
     * Candidates that lose part of their rank to a charge.
     *
     * @param running the running jobs by the same rank
     */
    public PreemptionCandidates(Rank rank, RunningOrder running, PreemptionCharge charge) {
        this.rank = rank;
        this.charge = charge;
        this.running = running;
        ranked = new RankedRunningJobs(rank);
        order = ranked.order();
    }

    /**
     * The first job to preempt so that a waiting job gets its whole GPUs on at most so many servers
     * ({@link VictimSearch}), or {@link SimView#NONE}.
     *
     * @param limit only jobs of higher rank are preempted
     */
    public int victim(SimView view, double limit, int gpus, int mostServers) {
        IntArrayList victims;
        if (mostServers >= view.topology().servers()) {
            victims = search.anywhere(view, gpus, running, limit, job -> isWorthIt(view, job, limit));
        } else if (running.isKept() && listFirst(view, limit)) {
            victims = search.onServers(view, gpus, mostServers, worthIt(view, first, limit), null);
        } else {
            victims = search.onServers(view, gpus, mostServers, worthIt(view, ranked.above(view, limit), limit), order);
        }
        return victims.isEmpty() ? SimView.NONE : victims.getInt(0);
    }

    private boolean isWorthIt(SimView view, int job, double limit) {
        return charge.isAbove(view, job, rank.of(view, job), limit);
    }

    private IntArrayList worthIt(SimView view, IntArrayList jobs, double limit) {
        if (charge.weight() == 0) {
            return jobs;
        }
        worthIt.clear();
        for (int i = 0; i < jobs.size(); i++) {
            if (isWorthIt(view, jobs.getInt(i), limit)) {
                worthIt.add(jobs.getInt(i));
            }
        }
        return worthIt;
    }

    /** Lists the jobs of higher rank than the limit in their order; false when there are more than a few. */
    private boolean listFirst(SimView view, double limit) {
        first.clear();
        running.begin(view);
        int job = running.next(view, limit);
        while (job != SimView.NONE && first.size() < FEW) {
            first.add(job);
            job = running.next(view, limit);
        }
        return job == SimView.NONE;
    }
}
