package org.trainyard.env.scheduling.queue;

import it.unimi.dsi.fastutil.ints.IntBidirectionalIterator;
import it.unimi.dsi.fastutil.ints.IntComparator;
import it.unimi.dsi.fastutil.ints.IntIterator;
import it.unimi.dsi.fastutil.ints.IntRBTreeSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/**
 * The waiting jobs in order of rank, kept up to date from the journal, one sorted set for those that are refused together: of equal
 * demand and, where quotas are, of one virtual cluster.
 *
 * <p>The first job that fits is the first of the heads of the sets that fit: O(sets), however many wait. An event costs O(log waiting).
 * It follows the journal, so decisions may as well be somebody else's.
 */
public final class WaitingJobs {
    private record Kind(Demand demand, int tenant) {}

    /** The waiting jobs of one kind. */
    private final class Alike {
        final Kind kind;
        final int index;
        final IntRBTreeSet jobs = new IntRBTreeSet(order);
        long refusedIn = -1;
        /** Where those not passed over begin, in the update in which somebody was. */
        private @Nullable IntBidirectionalIterator rest;

        private int next;
        private long passedIn = -1;

        Alike(Kind kind, int index) {
            this.kind = kind;
            this.index = index;
        }

        /** The first that was not passed over, or {@link SimView#NONE}. */
        int head() {
            if (passedIn == updates) {
                return next;
            }
            return jobs.isEmpty() ? SimView.NONE : jobs.firstInt();
        }

        void passHead() {
            IntBidirectionalIterator iterator = rest;
            if (passedIn != updates || iterator == null) {
                iterator = jobs.iterator(head());
                rest = iterator;
                passedIn = updates;
            }
            next = iterator.hasNext() ? iterator.nextInt() : SimView.NONE;
        }
    }

    private final Rank rank;
    private final Rank tie;
    private final IntComparator order = this::compare;
    private double[] ranks = new double[64];
    private double[] ties = new double[64];
    /** All sets, by how many GPUs their jobs need at least. */
    private final List<Alike> sets = new ArrayList<>();

    private final Map<Kind, Alike> byKind = new HashMap<>();
    /** The same by the job that came first, so that a job is looked up but once. */
    private @Nullable Alike[] setOf = new Alike[64];

    private long updates;
    private int journalRead;

    public WaitingJobs(Rank rank) {
        this(rank, (view, job) -> job);
    }

    /** @param tie orders jobs of equal rank; what it leaves equal goes by submission */
    public WaitingJobs(Rank rank, Rank tie) {
        this.rank = rank;
        this.tie = tie;
    }

    private int compare(int a, int b) {
        int byRank = Double.compare(ranks[a], ranks[b]);
        int byTie = byRank != 0 ? byRank : Double.compare(ties[a], ties[b]);
        return byTie != 0 ? byTie : Integer.compare(a, b);
    }

    /** Takes in what has happened since the last call, and forgets refusals. */
    public void update(SimView view) {
        updates++;
        for (; journalRead < view.journalSize(); journalRead++) {
            int job = view.journalJob(journalRead);
            switch (view.journalKind(journalRead)) {
                case ARRIVE, PREEMPT, KILL -> add(view, job);
                case START -> alike(view, job).jobs.remove(job);
                case FINISH, FORWARD, RESIZE, DOWN, UP -> {}
            }
        }
    }

    private void add(SimView view, int job) {
        if (job >= ranks.length) {
            int length = Math.max(2 * ranks.length, job + 1);
            ranks = Arrays.copyOf(ranks, length);
            ties = Arrays.copyOf(ties, length);
            setOf = Arrays.copyOf(setOf, length);
        }
        ranks[job] = rank.of(view, job);
        ties[job] = tie.of(view, job);
        alike(view, job).jobs.add(job);
    }

    private Alike alike(SimView view, int job) {
        Alike known = setOf[job];
        if (known == null) {
            Kind kind = new Kind(view.job(job).demand(), view.tenant(job));
            known = byKind.get(kind);
            if (known == null) {
                known = new Alike(kind, sets.size());
                byKind.put(kind, known);
                sets.add(known);
                sets.sort(Comparator.comparingInt(set -> set.kind.demand().gpus()));
            }
            setOf[job] = known;
        }
        return known;
    }

    /** The first job that wants at most {@code mostGpus} and whose like were not refused, or {@link SimView#NONE}. */
    public int first(int mostGpus) {
        int best = SimView.NONE;
        for (int i = 0; i < sets.size() && sets.get(i).kind.demand().gpus() <= mostGpus; i++) {
            Alike set = sets.get(i);
            int head = set.refusedIn == updates ? SimView.NONE : set.head();
            if (head != SimView.NONE) {
                best = best == SimView.NONE || compare(head, best) < 0 ? head : best;
            }
        }
        return best;
    }

    /** The first of all, or {@link SimView#NONE}. */
    public int first() {
        return first(Integer.MAX_VALUE);
    }

    /** The job of the lowest rank, whether it was left out or not; {@link SimView#NONE} when nobody waits. */
    public int lowest() {
        int best = SimView.NONE;
        for (Alike set : sets) {
            if (!set.jobs.isEmpty()) {
                int head = set.jobs.firstInt();
                best = best == SimView.NONE || compare(head, best) < 0 ? head : best;
            }
        }
        return best;
    }

    /** Leaves the job and all its like out until the next {@link #update}. */
    public void refuse(SimView view, int job) {
        alike(view, job).refusedIn = updates;
    }

    /** The first that passes of the job and those of its like that come after it; or {@link SimView#NONE}. */
    public int firstAlike(SimView view, int job, IntPredicate passes) {
        if (passes.test(job)) {
            return job;
        }
        IntIterator after = alike(view, job).jobs.iterator(job);
        while (after.hasNext()) {
            int candidate = after.nextInt();
            if (passes.test(candidate)) {
                return candidate;
            }
        }
        return SimView.NONE;
    }

    /** Lets the job stand for its like until the next {@link #update}: those before it are passed over. */
    public void passTo(SimView view, int job) {
        Alike set = alike(view, job);
        set.passedIn = updates;
        set.rest = null;
        set.next = job;
    }

    /** Finds the place of a waiting job anew when its rank has changed. */
    public void rerank(SimView view, int job) {
        alike(view, job).jobs.remove(job);
        add(view, job);
    }

    /** Leaves this job alone out until the next {@link #update}; it must be the first of its like that is left. */
    public void passOver(SimView view, int job) {
        Alike set = alike(view, job);
        if (set.head() != job) {
            throw new IllegalArgumentException("job (%d) is not the first of its like".formatted(job));
        }
        set.passHead();
    }

    /** A small number that the job shares with its like, counted from 0. */
    public int kind(SimView view, int job) {
        return alike(view, job).index;
    }

    public double rank(int job) {
        return ranks[job];
    }

    /**
     * Starts the first job when it fits: the head of the queue blocks the rest, but a virtual cluster that has used up its quota blocks
     * nobody else.
     */
    public Decision startHead(SimView view, Placer placer) {
        for (int job = first(); job != SimView.NONE; job = first()) {
            JobSpec spec = view.job(job);
            if (view.isWithinQuota(job, spec.gpus())) {
                Placement where = placer.place(view, spec);
                return where == null ? Decision.WAIT : new Decision.Start(job, where);
            }
            refuse(view, job);
        }
        return Decision.WAIT;
    }

    /** Starts the first job that fits: who does not fit is passed over, without a reservation. */
    public Decision startFirstThatFits(SimView view, Placer placer) {
        int most =
                view.cluster().isShared() ? Integer.MAX_VALUE : view.cluster().free();
        for (int job = first(most); job != SimView.NONE; job = first(most)) {
            JobSpec spec = view.job(job);
            Placement where = view.isWithinQuota(job, spec.gpus()) ? placer.place(view, spec) : null;
            if (where != null) {
                return new Decision.Start(job, where);
            }
            refuse(view, job);
        }
        return Decision.WAIT;
    }
}
