package org.trainyard.agents.heuristic;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntComparator;
import it.unimi.dsi.fastutil.ints.IntRBTreeSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;

/**
 * The waiting jobs in order of rank, kept up to date from the journal, one sorted set per GPU demand.
 *
 * <p>The first job that fits is the first of the heads of the sets whose demand fits: O(different demands), however many wait. An
 * event costs O(log waiting). It follows the journal, so decisions may as well be somebody else's.
 */
final class WaitingJobs {
    private final Rank rank;
    private final IntComparator order = this::compare;
    private double[] ranks = new double[64];
    /** The demands seen, ascending, and beside each its waiting jobs. */
    private final IntArrayList demands = new IntArrayList();

    private final List<IntRBTreeSet> byDemand = new ArrayList<>();
    private final BitSet refused = new BitSet();
    private int journalRead;

    WaitingJobs(Rank rank) {
        this.rank = rank;
    }

    private int compare(int a, int b) {
        int byRank = Double.compare(ranks[a], ranks[b]);
        return byRank != 0 ? byRank : Integer.compare(a, b);
    }

    /** Takes in what has happened since the last call, and forgets refusals. */
    void update(SimView view) {
        refused.clear();
        for (; journalRead < view.journalSize(); journalRead++) {
            int job = view.journalJob(journalRead);
            switch (view.journalKind(journalRead)) {
                case ARRIVE, PREEMPT -> add(view, job);
                case START -> waitingFor(view.job(job).gpus()).remove(job);
                case FINISH, FORWARD -> {}
            }
        }
    }

    private void add(SimView view, int job) {
        if (job >= ranks.length) {
            ranks = Arrays.copyOf(ranks, Math.max(2 * ranks.length, job + 1));
        }
        ranks[job] = rank.of(view, job);
        waitingFor(view.job(job).gpus()).add(job);
    }

    private IntRBTreeSet waitingFor(int demand) {
        int at = Arrays.binarySearch(demands.elements(), 0, demands.size(), demand);
        if (at < 0) {
            at = -at - 1;
            demands.add(at, demand);
            byDemand.add(at, new IntRBTreeSet(order));
        }
        return byDemand.get(at);
    }

    /** The first job that wants at most {@code mostGpus} and whose demand was not refused, or {@link SimView#NONE}. */
    int first(int mostGpus) {
        int best = SimView.NONE;
        for (int i = 0; i < demands.size() && demands.getInt(i) <= mostGpus; i++) {
            IntRBTreeSet jobs = byDemand.get(i);
            if (!jobs.isEmpty() && !refused.get(demands.getInt(i))) {
                int head = jobs.firstInt();
                best = best == SimView.NONE || compare(head, best) < 0 ? head : best;
            }
        }
        return best;
    }

    /** The first of all, or {@link SimView#NONE}. */
    int first() {
        return first(Integer.MAX_VALUE);
    }

    /** Leaves all jobs of this demand out until the next {@link #update}. */
    void refuse(int demand) {
        refused.set(demand);
    }

    double rank(int job) {
        return ranks[job];
    }

    /** Starts the first job when it fits: the head of the queue blocks the rest. */
    Decision startHead(SimView view, Placer placer) {
        int job = first();
        Placement where = job == SimView.NONE ? null : placer.place(view, view.job(job));
        return where == null ? Decision.WAIT : new Decision.Start(job, where);
    }

    /** Starts the first job that fits: who does not fit is passed over, without a reservation. */
    Decision startFirstThatFits(SimView view, Placer placer) {
        while (true) {
            int job = first(view.cluster().free());
            if (job == SimView.NONE) {
                return Decision.WAIT;
            }
            Placement where = placer.place(view, view.job(job));
            if (where != null) {
                return new Decision.Start(job, where);
            }
            refuse(view.job(job).gpus());
        }
    }
}
