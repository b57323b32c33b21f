package org.trainyard.agents.heuristic.slurm;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SchedulerParameters;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmPartition;

/**
 * A cycle of sched/backfill: in the order of the queue every job starts, or is planned on whole nodes at the first time
 * at which the plans before it and the ends of running jobs leave room.
 *
 * <p>Simplified: (1) a cycle takes no time, so it yields no locks; (2) a job short of licences gets no plan
 * ({@code bf_licenses} has no effect), and heterogeneous jobs and burst buffers do not exist; (3) a job is told to
 * start earlier in another partition by its place in the queue alone.
 */
public final class BackfillCycle {
    private final SlurmState state;
    private final CycleListener listener;
    private final MainCycle main;
    private final boolean[] overlap = new boolean[1];
    private final Map<String, Integer> tested = new HashMap<>();
    private int[] reserved = {};
    private SlotMap map;
    private BackfillPlan future;
    private long now;
    private long windowEnd;

    /** @param main whose way to start jobs it shares */
    public BackfillCycle(SlurmState state, CycleListener listener, MainCycle main) {
        this.state = state;
        this.listener = listener;
        this.main = main;
        map = new SlotMap(0, 1, state.available, 1);
        future = new BackfillPlan(state, 0);
    }

    /** Outcome of a job in this cycle. */
    private enum Outcome {
        STARTED,
        PLANNED,
        NONE
    }

    /** Runs at a second. */
    public void run(long second) {
        SchedulerParameters parameters = state.cluster().parameters();
        long resolution = parameters.resolution();
        now = second;
        windowEnd = (now + parameters.backfillWindowSeconds()) / resolution * resolution;
        map = new SlotMap(now / resolution * resolution, windowEnd, state.available, resolution);
        future = new BackfillPlan(state, now);
        reserved = new int[state.cluster().partitions().size()];
        tested.clear();
        Rejected rejected = new Rejected();
        int tries = 0;
        int starts = 0;
        for (Iterator<SlurmQueue.Entry> queue = state.queue(second); queue.hasNext(); ) {
            SlurmQueue.Entry entry = queue.next();
            SlurmJob job = entry.job();
            int plans = 0;
            while (job != null && job.state == SlurmJob.State.PENDING) {
                if (tries >= parameters.maxJobTest()) {
                    return;
                }
                if (rejected.passes(job, entry.partition())
                        || !state.limits.licensed(job)
                        || !state.limits.allow(job, entry.partition())
                        || tooMany(job, entry.partition())) {
                    break;
                }
                tries++;
                boolean shared = job.sharesPlace();
                Outcome outcome = test(job, entry.partition());
                if (outcome == Outcome.NONE) {
                    break;
                }
                rejected.clear();
                if (outcome == Outcome.STARTED) {
                    starts++;
                    if (parameters.maxJobStart() > 0 && starts >= parameters.maxJobStart()) {
                        return;
                    }
                    job = shared ? MainCycle.nextTask(job) : null;
                } else {
                    plans++;
                    job = shared && plans < parameters.maxJobArray() && plans < waiting(job) ? job : null;
                }
            }
        }
    }

    private static int waiting(SlurmJob job) {
        return job.array == null ? 0 : job.array.waiting();
    }

    private boolean tooMany(SlurmJob job, SlurmPartition partition) {
        SchedulerParameters parameters = state.cluster().parameters();
        return (parameters.maxJobPart() > 0 && over(parameters.maxJobPart(), "partition " + partition.name()))
                || (parameters.maxJobUser() > 0
                        && over(parameters.maxJobUser(), "user " + job.request().user()));
    }

    private boolean over(int limit, String key) {
        return tested.merge(key, 1, Integer::sum) > limit;
    }

    private boolean startsOnly(SlurmJob job, SlurmPartition partition) {
        SchedulerParameters parameters = state.cluster().parameters();
        return (parameters.reservedPerPartition() > 0
                        && reserved[partition.index()] >= parameters.reservedPerPartition())
                || job.priority() < parameters.minPriorityReserve()
                || now - job.beginSecond < parameters.minAgeReserve();
    }

    /**
     * Whether enough nodes of a partition have room for a job now, plans and reservations aside, or jobs may give way.
     */
    private boolean mayFit(SlurmJob job, SlurmPartition partition) {
        return state.cluster().preempts()
                || state.free.usable(job, partition, partition.nodes()).cardinality() >= job.nodes();
    }

    private Outcome test(SlurmJob job, SlurmPartition partition) {
        boolean startsOnly = startsOnly(job, partition);
        if (startsOnly && !mayFit(job, partition)) {
            return Outcome.NONE;
        }
        boolean noReserve = job.request().qos().noReserve() && state.cluster().preempts();
        long seconds = noReserve ? 60 : job.limitSeconds(partition);
        long later = now;
        while (true) {
            long from = later;
            BitSet among = state.reservations.leave(job, from, seconds, overlap);
            if (among == null) {
                return Outcome.NONE;
            }
            among.and(partition.nodes());
            BitSet featured = job.request().featured();
            if (featured != null) {
                among.and(featured);
            }
            state.free.keepApart(job, partition, among);
            boolean reservedNodes = overlap[0];
            later = map.restrict(among, from, from + seconds);
            if (reservedNodes) {
                later = afterReservation(from, later);
            }
            long start = among.cardinality() < job.nodes() ? -1 : find(job, partition, among, startsOnly);
            if (start < 0) {
                if (later != 0 && !startsOnly) {
                    continue;
                }
                return Outcome.NONE;
            }
            start = Math.max(start, from);
            if (later != 0 && start > later) {
                continue;
            }
            BitSet chosen = future.chosen();
            if (start <= now && chosen.intersects(state.completing)) {
                if (startsOnly) {
                    return Outcome.NONE;
                }
                start = now + 1;
            } else if (start <= now) {
                boolean starts = main.startAmong(job, partition, among, now, true);
                future = new BackfillPlan(state, now);
                if (starts) {
                    return Outcome.STARTED;
                }
            }
            Outcome outcome = plan(job, partition, start, seconds, chosen, noReserve);
            if (outcome != null) {
                return outcome;
            }
            later = start;
        }
    }

    private long afterReservation(long from, long later) {
        long end =
                state.reservations.firstEnd(from, state.cluster().parameters().resolution());
        if (end == 0 || end + 1 >= windowEnd) {
            return later;
        }
        return later == 0 || end + 1 < later ? end + 1 : later;
    }

    /**
     * The second at which a job could start on some of the nodes, which are then {@link BackfillPlan#chosen}; or -1.
     */
    private long find(SlurmJob job, SlurmPartition partition, BitSet among, boolean startsOnly) {
        if (future.fitsNow(job, partition, among)) {
            return now;
        }
        List<SlurmJob> candidates = main.preemption().candidates(job, partition, now);
        if (!candidates.isEmpty() && future.fitsWithout(job, partition, among, candidates)) {
            return now;
        }
        return startsOnly ? -1 : future.afterEnds(job, partition, among, candidates);
    }

    /** Plans a job; null when the plan overlaps others, so that it must be tried later. */
    private @Nullable Outcome plan(
            SlurmJob job, SlurmPartition partition, long start, long seconds, BitSet nodes, boolean noReserve) {
        SchedulerParameters parameters = state.cluster().parameters();
        long resolution = parameters.resolution();
        long from = start / resolution * resolution;
        long to = (start + seconds) / resolution * resolution;
        if (start > now + parameters.backfillWindowSeconds()) {
            listener.planned(job, start, to, nodes);
            return Outcome.NONE;
        }
        if (start > now && map.overlaps(nodes, from, to)) {
            return null;
        }
        listener.planned(job, start, to, nodes);
        if (noReserve) {
            return Outcome.NONE;
        }
        reserved[partition.index()]++;
        map.add(nodes, from, to);
        return Outcome.PLANNED;
    }
}
