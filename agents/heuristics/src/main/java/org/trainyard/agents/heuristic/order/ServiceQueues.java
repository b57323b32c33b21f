package org.trainyard.agents.heuristic.order;

import org.trainyard.env.simulation.SimView;

/** Multilevel queues by attained service (GPU time): a job is in the first queue whose limit it has not reached. */
public final class ServiceQueues {
    private static final long NANOS = 1_000_000_000L;

    /** The attained service of a job. */
    @FunctionalInterface
    public interface Attained {
        /** Time on its GPUs that counts as service, nanoseconds; it grows while the job runs. */
        long nanos(SimView view, int job);
    }

    private final Attained attained;
    private final long[] limitGpuNanos;

    /** All time on GPUs counts. */
    public ServiceQueues(long... limitGpuSeconds) {
        this(SimView::runNanos, limitGpuSeconds);
    }

    /** @param limitGpuSeconds service at which a job leaves the first, second, ... queue, ascending, in GPU-seconds */
    public ServiceQueues(Attained attained, long... limitGpuSeconds) {
        this.attained = attained;
        limitGpuNanos = new long[limitGpuSeconds.length];
        for (int queue = 0; queue < limitGpuSeconds.length; queue++) {
            limitGpuNanos[queue] = Math.multiplyExact(limitGpuSeconds[queue], NANOS);
            if (limitGpuNanos[queue] <= (queue == 0 ? 0 : limitGpuNanos[queue - 1])) {
                throw new IllegalArgumentException(
                        "limit (%d GPU-s) of queue (%d) must be above zero and above the one before"
                                .formatted(limitGpuSeconds[queue], queue));
            }
        }
    }

    /** Time on its GPUs after which the job leaves the queue, rounded up. */
    private long limitNanos(SimView view, int job, int queue) {
        int gpus = Math.max(1, view.job(job).gpus());
        return (limitGpuNanos[queue] + gpus - 1) / gpus;
    }

    /** The queue the job is in, counted from 0. */
    public int of(SimView view, int job) {
        int queue = 0;
        while (queue < limitGpuNanos.length && attained.nanos(view, job) >= limitNanos(view, job, queue)) {
            queue++;
        }
        return queue;
    }

    /** Number of queues; the last has no limit. */
    public int count() {
        return limitGpuNanos.length + 1;
    }

    /** When a running job leaves the queue it is in, if it keeps running; {@link Long#MAX_VALUE} for never. */
    public long sinkingNanos(SimView view, int job, int queue) {
        return queue == limitGpuNanos.length
                ? Long.MAX_VALUE
                : view.nowNanos() + limitNanos(view, job, queue) - attained.nanos(view, job);
    }
}
