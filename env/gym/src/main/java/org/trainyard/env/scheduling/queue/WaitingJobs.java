package org.trainyard.env.scheduling.queue;

import it.unimi.dsi.fastutil.ints.IntBidirectionalIterator;
import it.unimi.dsi.fastutil.ints.IntComparator;
import it.unimi.dsi.fastutil.ints.IntIterator;
import it.unimi.dsi.fastutil.ints.IntRBTreeSet;
import java.util.ArrayList;
import java.util.Arrays;
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
 * The waiting jobs in order of rank, kept up to date from the journal, with one sorted set per kind: jobs of equal
 * demand and, under quotas, of one virtual cluster. When one job of a kind does not fit, none does.
 *
 * <p>The first job that fits is the first among the heads of the sets: O(kinds) for any number of waiting jobs. An
 * event costs O(log waiting). Because the journal is followed, several schedulers may share the decisions of a run.
 */
public final class WaitingJobs {
    private record Kind(Demand demand, int tenant) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Kind kind && tenant == kind.tenant && demand.equals(kind.demand);
        }

        @Override
        public int hashCode() {
            return 31 * demand.hashCode() + tenant;
        }
    }

    /** The waiting jobs of one kind, in order. */
    private final class KindSet {
        final Kind kind;
        final int index;
        final IntRBTreeSet jobs = new IntRBTreeSet(order);
        long refusedIn = -1;
        /** The jobs after {@code next}; null before they are asked for. */
        private @Nullable IntBidirectionalIterator rest;
        /** The first job not passed over in the update {@code passedIn}. */
        private int next;

        private long passedIn = -1;

        KindSet(Kind kind, int index) {
            this.kind = kind;
            this.index = index;
        }

        /** The first job not passed over, or {@link SimView#NONE}. */
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

    /** Which jobs of a simulation belong here; must be the same for all time. */
    public interface Members {
        boolean has(SimView view, int job);
    }

    private final Rank rank;
    private final Rank tie;
    private final Members members;
    private final IntComparator order = this::compare;
    private double[] ranks = new double[64];
    private double[] ties = new double[64];
    /** All sets, by the number of GPUs of their demand. */
    private final List<KindSet> sets = new ArrayList<>();

    private final Map<Kind, KindSet> byKind = new HashMap<>();
    /**
     * By number of GPUs, the set of a plain demand that was looked up last: hashing a demand takes as long as the rest
     * of an arrival.
     */
    private final @Nullable KindSet[] plainByGpus = new KindSet[65];

    /** By job, its set, so that a kind is looked up once per job. */
    private @Nullable KindSet[] setByJob = new KindSet[64];

    private long updates;
    private int journalRead;

    public WaitingJobs(Rank rank) {
        this(rank, (view, job) -> job);
    }

    /** @param tie orders jobs of equal rank; remaining ties are broken by submission */
    public WaitingJobs(Rank rank, Rank tie) {
        this(rank, tie, (view, job) -> true);
    }

    /** A queue of the members alone. */
    public static WaitingJobs of(Members members, Rank rank) {
        return new WaitingJobs(rank, (view, job) -> job, members);
    }

    private WaitingJobs(Rank rank, Rank tie, Members members) {
        this.rank = rank;
        this.tie = tie;
        this.members = members;
    }

    private int compare(int a, int b) {
        int byRank = Double.compare(ranks[a], ranks[b]);
        int byTie = byRank != 0 ? byRank : Double.compare(ties[a], ties[b]);
        return byTie != 0 ? byTie : Integer.compare(a, b);
    }

    /** Reads the journal from where the last call ended, and forgets jobs refused or passed over. */
    public void update(SimView view) {
        updates++;
        for (; journalRead < view.journalSize(); journalRead++) {
            int job = view.journalJob(journalRead);
            if (!view.journalKind(journalRead).isOfJob() || !members.has(view, job)) {
                continue;
            }
            switch (view.journalKind(journalRead)) {
                case ARRIVE, PREEMPT, KILL -> add(view, job);
                case START, REJECT -> setOf(view, job).jobs.remove(job);
                case FINISH, FORWARD, RESIZE, DOWN, UP, FREEZE, HOST_CPU, HOST_MEMORY, HOLD, TIMEOUT -> {}
            }
        }
    }

    private void add(SimView view, int job) {
        if (job >= ranks.length) {
            int length = Math.max(2 * ranks.length, job + 1);
            ranks = Arrays.copyOf(ranks, length);
            ties = Arrays.copyOf(ties, length);
            setByJob = Arrays.copyOf(setByJob, length);
        }
        ranks[job] = rank.of(view, job);
        ties[job] = tie.of(view, job);
        setOf(view, job).jobs.add(job);
    }

    private KindSet setOf(SimView view, int job) {
        KindSet known = setByJob[job];
        if (known == null) {
            known = setOf(view.job(job).demand(), view.tenant(job));
            setByJob[job] = known;
        }
        return known;
    }

    private KindSet setOf(Demand demand, int tenant) {
        boolean isPlain = demand.isPlain() && !demand.isElastic() && demand.gpus() < plainByGpus.length;
        KindSet last = isPlain ? plainByGpus[demand.gpus()] : null;
        if (last != null && last.kind.tenant() == tenant) {
            return last;
        }
        Kind kind = new Kind(demand, tenant);
        KindSet known = byKind.get(kind);
        if (known == null) {
            known = new KindSet(kind, sets.size());
            byKind.put(kind, known);
            sets.add(known);
            sets.sort((a, b) ->
                    Integer.compare(a.kind.demand().gpus(), b.kind.demand().gpus()));
        }
        if (isPlain) {
            plainByGpus[demand.gpus()] = known;
        }
        return known;
    }

    /**
     * The first job with a demand of at most {@code mostGpus} GPUs whose kind was not refused, or {@link SimView#NONE}.
     */
    public int first(int mostGpus) {
        int best = SimView.NONE;
        for (int i = 0; i < sets.size() && sets.get(i).kind.demand().gpus() <= mostGpus; i++) {
            KindSet set = sets.get(i);
            int head = set.refusedIn == updates ? SimView.NONE : set.head();
            if (head != SimView.NONE) {
                best = best == SimView.NONE || compare(head, best) < 0 ? head : best;
            }
        }
        return best;
    }

    /** The first job whose kind was not refused, or {@link SimView#NONE}. */
    public int first() {
        return first(Integer.MAX_VALUE);
    }

    /** The waiting job of lowest rank, refused or not; {@link SimView#NONE} when no job waits. */
    public int lowest() {
        int best = SimView.NONE;
        for (KindSet set : sets) {
            if (!set.jobs.isEmpty()) {
                int head = set.jobs.firstInt();
                best = best == SimView.NONE || compare(head, best) < 0 ? head : best;
            }
        }
        return best;
    }

    /** Leaves out all jobs of this job's kind until the next {@link #update}. */
    public void refuse(SimView view, int job) {
        setOf(view, job).refusedIn = updates;
    }

    /** The first job of the same kind that passes, from this job on; or {@link SimView#NONE}. */
    public int firstOfKind(SimView view, int job, IntPredicate passes) {
        if (passes.test(job)) {
            return job;
        }
        IntIterator after = setOf(view, job).jobs.iterator(job);
        while (after.hasNext()) {
            int candidate = after.nextInt();
            if (passes.test(candidate)) {
                return candidate;
            }
        }
        return SimView.NONE;
    }

    /** Passes over the jobs of the same kind before this job until the next {@link #update}. */
    public void passTo(SimView view, int job) {
        KindSet set = setOf(view, job);
        set.passedIn = updates;
        set.rest = null;
        set.next = job;
    }

    /** Sorts a waiting job in again after its rank has changed. */
    public void rerank(SimView view, int job) {
        setOf(view, job).jobs.remove(job);
        add(view, job);
    }

    /**
     * Sorts all waiting jobs in again after their ranks have changed; O(waiting log waiting). To be called after
     * {@link #update}.
     */
    public void rerankAll(SimView view) {
        for (KindSet set : sets) {
            int[] jobs = set.jobs.toIntArray();
            set.jobs.clear();
            for (int job : jobs) {
                add(view, job);
            }
        }
    }

    /** Leaves out this job alone until the next {@link #update}; it must be the first of its kind that is left. */
    public void passOver(SimView view, int job) {
        KindSet set = setOf(view, job);
        if (set.head() != job) {
            throw new IllegalArgumentException("job (%d) is not the first of its kind".formatted(job));
        }
        set.passHead();
    }

    /** The dense number of the job's kind, counted from 0. */
    public int kind(SimView view, int job) {
        return setOf(view, job).index;
    }

    public double rank(int job) {
        return ranks[job];
    }

    /**
     * Starts the first job when it fits; otherwise it blocks all jobs behind it. Jobs of a virtual cluster without
     * quota left block no others.
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

    /** Starts the first job that fits, with no reservation for the jobs before it (backfill). */
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
