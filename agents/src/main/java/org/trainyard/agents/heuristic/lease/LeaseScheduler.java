package org.trainyard.agents.heuristic.lease;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayFIFOQueue;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.longs.LongArrayFIFOQueue;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.scheduling.preemption.VictimSearch;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Locality;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/**
 * A preemption rule: GPUs are granted for a lease; waiting jobs go in order of rank, hold out for GPUs that lie close together as long
 * as their {@link DelayPolicy} says, and are passed over when they do not fit.
 *
 * <p>When a lease is over, the job is either taken off its GPUs to wait with the others, whoever else there is; or, with renewal, it
 * stays until a job that goes before it would start in its place, or until it can move to a smaller part of the data centre. Nobody is
 * pushed out during a lease, and who has just started has a new one, so that at one instant nobody is both started and preempted unless
 * leases are of no length. Demands for other than whole GPUs of any type push nobody out and have no patience. O(kinds of demands x
 * (servers + holders) + waiting jobs without patience enough).
 */
final class LeaseScheduler {
    /** Who goes first, and who must make way for whom. */
    interface Order {
        /** The lowest goes first; stands still while a job waits. */
        double rank(SimView view, int job);

        /** The rank by which a job that holds GPUs past its lease may be displaced; the same as {@link #rank} unless said. */
        default double holderRank(SimView view, int job) {
            return rank(view, job);
        }

        /** Orders jobs of equal rank, the lowest first; by how long they have waited since they last had GPUs, unless said. */
        default double tie(SimView view, int job) {
            return view.queuedSinceNanos(job);
        }

        /** Whether who waits with the one rank pushes out who holds GPUs past its lease with the other. */
        default boolean displaces(double newcomer, double holder) {
            return newcomer < holder;
        }
    }

    /** Terms of a lease: its length, 0 for none, and whether it goes on while nobody minds. */
    record Terms(long nanos, boolean renews) {
        Terms {
            if (nanos < 0 || (nanos == 0 && !renews)) {
                throw new IllegalArgumentException(
                        "lease (%d ns) must be above zero, or zero when leases are renewed".formatted(nanos));
            }
        }
    }

    private static final long NO_LEASE = Long.MAX_VALUE;

    private final Order order;
    private final Placer placer;
    private final DelayPolicy patience;
    private final Terms terms;
    private final WaitingJobs waiting;
    private final VictimSearch search = new VictimSearch();
    /** Jobs in order of the ends of their leases, and those ends; an entry whose job has another lease by now, or none, is stale. */
    private final IntArrayFIFOQueue leases = new IntArrayFIFOQueue();

    private final LongArrayFIFOQueue leaseEnds = new LongArrayFIFOQueue();
    /** Running jobs whose leases are over. */
    private final IntArrayList holders = new IntArrayList();

    private final IntArrayList victims = new IntArrayList();
    private long[] endNanos = new long[0];
    private boolean[] isHolder = new boolean[0];
    private double[] rankOf = new double[0];
    private int journalRead;
    private long patienceNanos;
    private boolean ranked;

    LeaseScheduler(Order order, Placer placer, DelayPolicy patience, Terms terms) {
        this.order = order;
        this.placer = placer;
        this.patience = patience;
        this.terms = terms;
        waiting = new WaitingJobs(order::rank, order::tie);
    }

    /** The waiting jobs; ranks that change are to be told here. */
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
        if (!terms.renews() && !holders.isEmpty()) {
            return new Decision.Preempt(holders.getInt(0));
        }
        Decision decision = next(view);
        if (decision == null && terms.renews() && terms.nanos() > 0) {
            decision = move(view);
        }
        return decision != null ? decision : await();
    }

    /** Takes in what has happened since the last call: leases begin with starts and moves. */
    private void follow(SimView view) {
        if (endNanos.length < view.arrived()) {
            int before = endNanos.length;
            endNanos = Arrays.copyOf(endNanos, 2 * view.arrived());
            Arrays.fill(endNanos, before, endNanos.length, NO_LEASE);
            rankOf = new double[endNanos.length];
            isHolder = Arrays.copyOf(isHolder, endNanos.length);
        }
        for (; journalRead < view.journalSize(); journalRead++) {
            int job = view.journalJob(journalRead);
            switch (view.journalKind(journalRead)) {
                case START, RESIZE -> {
                    endNanos[job] = view.nowNanos() + terms.nanos();
                    leases.enqueue(job);
                    leaseEnds.enqueue(endNanos[job]);
                }
                case PREEMPT, KILL, FINISH -> endNanos[job] = NO_LEASE;
                case ARRIVE, FORWARD, DOWN, UP -> {}
            }
        }
        endLeases(view);
        holders.removeIf(job -> {
            isHolder[job] = endNanos[job] <= view.nowNanos();
            return !isHolder[job];
        });
        ranked = false;
    }

    /** Leases are of one length, so those that began first end first. */
    private void endLeases(SimView view) {
        while (!leases.isEmpty()) {
            int job = leases.firstInt();
            boolean isStale = endNanos[job] != leaseEnds.firstLong();
            if (!isStale && endNanos[job] > view.nowNanos()) {
                return;
            }
            if (!isStale && !isHolder[job]) {
                isHolder[job] = true;
                holders.add(job);
            }
            leases.dequeueInt();
            leaseEnds.dequeueLong();
        }
    }

    /** The next start, or the next preemption that makes one possible, in order of rank; null when there is none. */
    private @Nullable Decision next(SimView view) {
        patienceNanos = Long.MAX_VALUE;
        for (int job = waiting.first(); job != SimView.NONE; job = waiting.first()) {
            JobSpec spec = view.job(job);
            boolean isAllowed = view.isWithinQuota(job, spec.gpus());
            Placement offer = isAllowed ? placer.place(view, spec) : null;
            int taker = offer == null ? SimView.NONE : firstTaker(view, job, offer.span());
            if (offer != null && taker == job) {
                patience.accepted(view, job, offer.span());
                return new Decision.Start(job, offer);
            }
            if (isAllowed && makeWay(view, job)) {
                return new Decision.Preempt(victims.removeInt(victims.size() - 1));
            }
            if (taker == SimView.NONE) {
                waiting.refuse(view, job);
            } else {
                waiting.passTo(view, taker);
            }
        }
        return null;
    }

    /** The first of the job and its like that takes GPUs spread so far; notes from when on others would. */
    private int firstTaker(SimView view, int job, Locality span) {
        if (!view.job(job).demand().isPlain()) {
            return job;
        }
        return waiting.firstOfKind(view, job, candidate -> {
            long from = patience.acceptsNanos(view, candidate, span);
            if (from > view.nowNanos()) {
                patienceNanos = Math.min(patienceNanos, from);
            }
            return from <= view.nowNanos();
        });
    }

    /** Finds holders that make way for the job, if that lets it start; they are the victims then. */
    private boolean makeWay(SimView view, int job) {
        JobSpec spec = view.job(job);
        if (!terms.renews() || holders.isEmpty() || !spec.demand().isPlain()) {
            return false;
        }
        rankHolders(view);
        double rank = waiting.rank(job);
        int count = 0;
        while (count < holders.size() && order.displaces(rank, rankOf[holders.getInt(count)])) {
            count++;
        }
        if (count == 0) {
            return false;
        }
        victims.addAll(search.within(view, spec.gpus(), widest(view, job), holders, count));
        return !victims.isEmpty();
    }

    private Locality widest(SimView view, int job) {
        if (patience.acceptsNanos(view, job, Locality.CLUSTER) <= view.nowNanos()) {
            return Locality.CLUSTER;
        }
        return patience.acceptsNanos(view, job, Locality.RACK) <= view.nowNanos() ? Locality.RACK : Locality.SERVER;
    }

    /** Sorts holders, those of the highest rank first, of equals the latest submitted. */
    private void rankHolders(SimView view) {
        if (ranked) {
            return;
        }
        for (int i = 0; i < holders.size(); i++) {
            int job = holders.getInt(i);
            rankOf[job] = order.holderRank(view, job);
        }
        IntArrays.quickSort(holders.elements(), 0, holders.size(), (a, b) -> {
            int byRank = Double.compare(rankOf[b], rankOf[a]);
            return byRank != 0 ? byRank : Integer.compare(b, a);
        });
        ranked = true;
    }

    /** Moves the first holder, lowest rank first, that finds a smaller part of the data centre among free GPUs; null when none does. */
    private @Nullable Decision move(SimView view) {
        rankHolders(view);
        // What is offered depends on the number of GPUs alone.
        Int2ObjectOpenHashMap<Placement> offers = new Int2ObjectOpenHashMap<>();
        for (int i = holders.size() - 1; i >= 0; i--) {
            int job = holders.getInt(i);
            JobSpec spec = view.job(job);
            Locality now = view.placement(job).span();
            if (now.compareTo(Locality.RACK) >= 0 && spec.demand().isPlain()) {
                if (!offers.containsKey(spec.gpus())) {
                    offers.put(spec.gpus(), placer.place(view, spec));
                }
                Placement offer = offers.get(spec.gpus());
                if (offer != null && offer.span().compareTo(now) < 0) {
                    return new Decision.Resize(job, offer);
                }
            }
        }
        return null;
    }

    private Decision await() {
        long until = patienceNanos;
        if (!leases.isEmpty()) {
            until = Math.min(until, leaseEnds.firstLong());
        }
        return until == Long.MAX_VALUE ? Decision.WAIT : Decision.waitUntil(until);
    }
}
