package org.trainyard.agents.heuristic.queue;

import it.unimi.dsi.fastutil.ints.IntBidirectionalIterator;
import it.unimi.dsi.fastutil.ints.IntComparators;
import it.unimi.dsi.fastutil.ints.IntConsumer;
import it.unimi.dsi.fastutil.ints.IntRBTreeSet;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.order.ServiceQueues;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;

/**
 * The running jobs in their {@link ServiceQueues}, kept up to date from the journal: the time at which a running job
 * sinks is known when it starts. O(log running) for each start, stop and sinking.
 */
public final class RunningQueues implements RunningOrder {
    private static final int NOWHERE = -1;

    private final ServiceQueues queues;
    private final RunningChanges changes = new RunningChanges();
    /** By queue, its jobs, the latest submitted first. */
    private final IntRBTreeSet[] jobs;
    /** By queue, its jobs, the first to sink first. */
    private final IntRBTreeSet[] sinking;

    private byte[] queueOf = new byte[0];
    private long[] sinkingNanos = new long[0];
    private int nextQueue;
    private @Nullable IntBidirectionalIterator nextJobs;

    public RunningQueues(ServiceQueues queues) {
        this.queues = queues;
        jobs = new IntRBTreeSet[queues.count()];
        sinking = new IntRBTreeSet[queues.count()];
        for (int queue = 0; queue < jobs.length; queue++) {
            jobs[queue] = new IntRBTreeSet(IntComparators.OPPOSITE_COMPARATOR);
            sinking[queue] = new IntRBTreeSet(this::compareSinking);
        }
    }

    private int compareSinking(int a, int b) {
        int byTime = Long.compare(sinkingNanos[a], sinkingNanos[b]);
        return byTime != 0 ? byTime : Integer.compare(a, b);
    }

    /** Brings the queues up to date. */
    public void update(SimView view) {
        update(view, job -> {});
    }

    /** @param onEntry receives every job that has entered a queue since the last call, by a start or by sinking */
    public void update(SimView view, IntConsumer onEntry) {
        changes.read(view, this::forgetAll, job -> change(view, job, onEntry));
        for (IntRBTreeSet queue : sinking) {
            while (!queue.isEmpty() && sinkingNanos[queue.firstInt()] <= view.nowNanos()) {
                change(view, queue.firstInt(), onEntry);
            }
        }
    }

    private void forgetAll() {
        Arrays.fill(queueOf, (byte) NOWHERE);
        for (int queue = 0; queue < jobs.length; queue++) {
            jobs[queue].clear();
            sinking[queue].clear();
        }
    }

    private void change(SimView view, int job, IntConsumer onEntry) {
        if (job >= queueOf.length) {
            int before = queueOf.length;
            queueOf = Arrays.copyOf(queueOf, Math.max(2 * before, job + 64));
            Arrays.fill(queueOf, before, queueOf.length, (byte) NOWHERE);
            sinkingNanos = Arrays.copyOf(sinkingNanos, queueOf.length);
        }
        if (queueOf[job] != NOWHERE) {
            jobs[queueOf[job]].remove(job);
            sinking[queueOf[job]].remove(job);
            queueOf[job] = NOWHERE;
        }
        if (view.state(job) == JobState.RUNNING) {
            int queue = queues.of(view, job);
            queueOf[job] = (byte) queue;
            sinkingNanos[job] = queues.sinkingNanos(view, job, queue);
            jobs[queue].add(job);
            if (sinkingNanos[job] < Long.MAX_VALUE) {
                sinking[queue].add(job);
            }
            onEntry.accept(job);
        }
    }

    /**
     * When the next running job sinks below the best queue with a waiting job, if all keep running;
     * {@link Long#MAX_VALUE} for never. As of the last update.
     */
    public long nextSinkingNanos(double bestWaiting) {
        long sooner = Long.MAX_VALUE;
        for (int queue = 0; queue < jobs.length; queue++) {
            if (queue + 1 > bestWaiting && !sinking[queue].isEmpty()) {
                sooner = Math.min(sooner, sinkingNanos[sinking[queue].firstInt()]);
            }
        }
        return sooner;
    }

    @Override
    public void begin(SimView view) {
        update(view);
        nextQueue = jobs.length;
        nextJobs = null;
    }

    @Override
    public boolean isKept() {
        return true;
    }

    @Override
    public int next(SimView view, double limit) {
        while (true) {
            IntBidirectionalIterator rest = nextJobs;
            if (rest != null && rest.hasNext()) {
                return nextQueue > limit ? rest.nextInt() : SimView.NONE;
            }
            if (nextQueue == 0) {
                return SimView.NONE;
            }
            nextJobs = jobs[--nextQueue].iterator();
        }
    }
}
