package org.trainyard.agents.heuristic.lease;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayFIFOQueue;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.victims.PreemptibleJobs;
import org.trainyard.agents.heuristic.victims.VictimSearch;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Locality;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * A lease-based preemption rule: GPUs are granted for a lease; pending jobs start in order of rank, are delayed for
 * consolidated placements by their {@link DelayPolicy}, and are skipped when they do not fit.
 *
 * <p>When a lease ends, the job is either preempted in any case and returns to the pending queue; or, with renewal, it
 * keeps its GPUs until a pending job that precedes it would start in its place, or until it can move to a smaller part
 * of the data centre. No job is preempted during a lease, and a start begins a new lease, so that no job is both
 * started and preempted at one instant unless leases have length zero. Demands for other than whole GPUs of any type
 * preempt no job and are not delayed. O(different demands x servers + delayed jobs).
 */
final class LeaseScheduler {
    /** The order of jobs, and which jobs past their leases are preempted for which pending jobs. */
    interface Order {
        /** The rank of a job, lowest first; constant while the job is pending. */
        double rank(SimView view, int job);

        /**
         * The rank of a job past its lease: of those on one level the highest is preempted first; by default
         * {@link #rank}.
         */
        default double holderRank(SimView view, int job) {
            return rank(view, job);
        }

        /** Whether {@link #holderRank} stays as it is while the job is past its lease and on one level. */
        default boolean isHolderRankSteady() {
            return false;
        }

        /** The order of jobs of equal rank, lowest first; by default the time at which they were last enqueued. */
        default double tie(SimView view, int job) {
            return view.queuedSinceNanos(job);
        }

        /** Number of levels of jobs past their leases. */
        default int levels() {
            return 1;
        }

        /** The level of a job past its lease; changes are reported to {@link #relevel}. */
        default int level(SimView view, int job) {
            return 0;
        }

        /** The level from which jobs past their leases are preempted for a pending job of that rank; by default all. */
        default int preemptsFrom(double pendingRank) {
            return 0;
        }
    }

    /**
     * The terms of a lease: its length, 0 for none, and whether it is renewed while no pending job would start in its
     * place.
     */
    record Terms(long nanos, boolean renews) {
        Terms {
            if (nanos < 0 || (nanos == 0 && !renews)) {
                throw new IllegalArgumentException(
                        "lease (%d ns) must be above zero, or zero when leases are renewed".formatted(nanos));
            }
        }
    }

    private final Order order;
    private final Placer placer;
    private final DelayPolicy delays;
    private final Terms terms;
    private final WaitingJobs waiting;
    private final VictimSearch search = new VictimSearch();
    private final Leases leases = new Leases();
    /** Running jobs past their leases, where leases are renewed. */
    private final PreemptibleJobs holders;
    /** The holders that span racks. */
    private final IntOpenHashSet wideHolders = new IntOpenHashSet();
    /**
     * Jobs past their leases in the order in which these ended, where leases are not renewed; stale when a job has
     * another lease, or none.
     */
    private final IntArrayFIFOQueue expired = new IntArrayFIFOQueue();

    private final IntArrayList movable = new IntArrayList();
    private final IntArrayList victims = new IntArrayList();
    private int journalRead;
    private long nextAcceptNanos;

    LeaseScheduler(Topology topology, Order order, Placer placer, DelayPolicy delays, Terms terms) {
        this.order = order;
        this.placer = placer;
        this.delays = delays;
        this.terms = terms;
        waiting = new WaitingJobs(order::rank, order::tie);
        holders = new PreemptibleJobs(topology, order.levels(), order::holderRank, order.isHolderRankSteady());
    }

    /** The pending jobs; callers report changed ranks here. */
    WaitingJobs waiting() {
        return waiting;
    }

    Decision decide(SimView view) {
        follow(view);
        waiting.update(view);
        while (!victims.isEmpty()) {
            int victim = victims.removeInt(victims.size() - 1);
            if (view.state(victim) == JobState.RUNNING) {
                return new Decision.Preempt(victim);
            }
        }
        while (!expired.isEmpty()) {
            int job = expired.firstInt();
            if (leases.isOver(job, view.nowNanos())) {
                if (view.mayPreempt(job)) {
                    return new Decision.Preempt(job);
                }
                leases.begin(job, view.nowNanos() + Math.max(1, terms.nanos()));
            }
            expired.dequeueInt();
        }
        Decision decision = next(view);
        if (decision == null && terms.renews() && terms.nanos() > 0) {
            decision = move(view);
        }
        return decision != null ? decision : await();
    }

    /** Follows the journal: leases begin with starts and moves. */
    private void follow(SimView view) {
        for (; journalRead < view.journalSize(); journalRead++) {
            int job = view.journalJob(journalRead);
            switch (view.journalKind(journalRead)) {
                case START, RESIZE -> {
                    removeHolder(job);
                    leases.begin(job, view.nowNanos() + terms.nanos());
                }
                case PREEMPT, KILL, FINISH, HOLD -> {
                    removeHolder(job);
                    leases.cancel(job);
                }
                case ARRIVE, FORWARD, DOWN, UP, REJECT, FREEZE, HOST_CPU, HOST_MEMORY, TIMEOUT -> {}
            }
        }
        endLeases(view);
    }

    private void endLeases(SimView view) {
        for (int job = leases.nextOver(view.nowNanos()); job != SimView.NONE; job = leases.nextOver(view.nowNanos())) {
            if (terms.renews()) {
                addHolder(view, job);
            } else {
                expired.enqueue(job);
            }
        }
    }

    private void addHolder(SimView view, int job) {
        removeHolder(job);
        holders.add(view, job, order.level(view, job));
        if (view.job(job).demand().isPlain() && view.placement(job).span().compareTo(Locality.RACK) >= 0) {
            wideHolders.add(job);
        }
    }

    private void removeHolder(int job) {
        holders.remove(job);
        wideHolders.remove(job);
    }

    /** Takes notice that the level of a running job may have changed. */
    void relevel(SimView view, int job) {
        if (holders.contains(job)) {
            holders.remove(job);
            holders.add(view, job, order.level(view, job));
        }
    }

    /** The next start, or the next preemption that makes one possible, in order of rank; null when there is none. */
    private @Nullable Decision next(SimView view) {
        nextAcceptNanos = Long.MAX_VALUE;
        for (int job = waiting.first(); job != SimView.NONE; job = waiting.first()) {
            JobSpec spec = view.job(job);
            boolean isAllowed = view.isWithinQuota(job, spec.gpus());
            Placement placement = isAllowed ? placer.place(view, spec) : null;
            int accepting = placement == null ? SimView.NONE : firstAccepting(view, job, placement.span());
            if (placement != null && accepting == job) {
                delays.accepted(view, job, placement.span());
                return new Decision.Start(job, placement);
            }
            if (isAllowed && planPreemption(view, job)) {
                return new Decision.Preempt(victims.removeInt(victims.size() - 1));
            }
            if (accepting == SimView.NONE) {
                waiting.refuse(view, job);
            } else {
                waiting.passTo(view, accepting);
            }
        }
        return null;
    }

    /**
     * The first job, of those with the same demand, that accepts a placement of that span; records from when others
     * would.
     */
    private int firstAccepting(SimView view, int job, Locality span) {
        if (!view.job(job).demand().isPlain()) {
            return job;
        }
        return waiting.firstOfKind(view, job, candidate -> {
            long from = delays.acceptsNanos(view, candidate, span);
            if (from > view.nowNanos()) {
                nextAcceptNanos = Math.min(nextAcceptNanos, from);
            }
            return from <= view.nowNanos();
        });
    }

    /** Selects jobs past their leases to preempt for the pending job, if that lets it start. */
    private boolean planPreemption(SimView view, int job) {
        JobSpec spec = view.job(job);
        if (!terms.renews() || !spec.demand().isPlain()) {
            return false;
        }
        int level = order.preemptsFrom(waiting.rank(job));
        victims.addAll(search.within(view, spec.gpus(), widest(view, job), holders, level));
        return !victims.isEmpty();
    }

    private Locality widest(SimView view, int job) {
        if (delays.acceptsNanos(view, job, Locality.CLUSTER) <= view.nowNanos()) {
            return Locality.CLUSTER;
        }
        return delays.acceptsNanos(view, job, Locality.RACK) <= view.nowNanos() ? Locality.RACK : Locality.SERVER;
    }

    /**
     * Moves the first job past its lease, lowest rank first, for which free GPUs placement a smaller part of the data
     * centre; null when there is none.
     */
    private @Nullable Decision move(SimView view) {
        movable.clear();
        movable.addAll(wideHolders);
        holders.sort(view, movable);
        // Placements depend on the number of GPUs alone.
        Int2ObjectOpenHashMap<Placement> offers = new Int2ObjectOpenHashMap<>();
        for (int i = movable.size() - 1; i >= 0; i--) {
            int job = movable.getInt(i);
            JobSpec spec = view.job(job);
            if (!offers.containsKey(spec.gpus())) {
                offers.put(spec.gpus(), placer.place(view, spec));
            }
            Placement placement = offers.get(spec.gpus());
            if (placement != null
                    && placement.span().compareTo(view.placement(job).span()) < 0) {
                return new Decision.Resize(job, placement);
            }
        }
        return null;
    }

    private Decision await() {
        long until = Math.min(nextAcceptNanos, leases.nextEndNanos());
        return until == Long.MAX_VALUE ? Decision.WAIT : Decision.waitUntil(until);
    }
}
