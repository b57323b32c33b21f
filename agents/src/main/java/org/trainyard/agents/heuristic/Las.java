package org.trainyard.agents.heuristic;

import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/**
 * Least attained service first, in queues: a job sinks to the next queue when its GPU-seconds pass a limit; lower queues are
 * preempted for higher ones, and within a queue jobs go by submission. Needs no predictions.
 *
 * <p>Source: discretised two-dimensional LAS of J. Gu, M. Chowdhury, K. G. Shin, Y. Zhu, M. Jeon, J. Qian, H. Liu, C.
 * Guo: Tiresias:
 * a GPU cluster manager for distributed deep learning, NSDI 2019. Our deviations: (1) limits are ours, one and ten GPU-hours; (2) a
 * job is preempted only when that lets one of a better queue start; (3) nobody is promoted, which in a finite workload starves no
 * one for ever; (4) time on GPUs counts as service even when spent on a restart.
 */
public final class Las implements Scheduler {
    private static final long NANOS = 1_000_000_000L;

    private final long[] limitGpuNanos;
    private final Displacement rule;

    /** Three queues, limits of 3,600 and 36,000 GPU-seconds. */
    public Las(Placer placer) {
        this(placer, 3_600, 36_000);
    }

    /** @param limitGpuSeconds service at which a job leaves the first, second, ... queue, ascending, in GPU-seconds */
    public Las(Placer placer, long... limitGpuSeconds) {
        limitGpuNanos = new long[limitGpuSeconds.length];
        for (int queue = 0; queue < limitGpuSeconds.length; queue++) {
            limitGpuNanos[queue] = Math.multiplyExact(limitGpuSeconds[queue], NANOS);
            if (limitGpuNanos[queue] <= (queue == 0 ? 0 : limitGpuNanos[queue - 1])) {
                throw new IllegalArgumentException(
                        "limit (%d GPU-s) of queue (%d) must be above zero and above the one before"
                                .formatted(limitGpuSeconds[queue], queue));
            }
        }
        rule = new Displacement(this::queue, 0, placer);
    }

    /** Time on its GPUs after which a job leaves the queue, rounded up. */
    private long limitNanos(SimView view, int job, int queue) {
        int gpus = view.job(job).gpus();
        return (limitGpuNanos[queue] + gpus - 1) / gpus;
    }

    private int queue(SimView view, int job) {
        int queue = 0;
        while (queue < limitGpuNanos.length && view.runNanos(job) >= limitNanos(view, job, queue)) {
            queue++;
        }
        return queue;
    }

    @Override
    public Decision decide(SimView view) {
        Decision decision = rule.decide(view);
        return decision instanceof Decision.Wait ? waitForSinking(view) : decision;
    }

    /** Waits until a running job sinks below one that waits. */
    private Decision waitForSinking(SimView view) {
        double best = rule.lowestWaiting(view);
        long sooner = Long.MAX_VALUE;
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            int queue = queue(view, job);
            if (queue < limitGpuNanos.length && queue + 1 > best) {
                long nanos = limitNanos(view, job, queue) - view.runNanos(job);
                sooner = Math.min(sooner, view.nowNanos() + nanos);
            }
        }
        return sooner == Long.MAX_VALUE ? Decision.WAIT : Decision.waitUntil(sooner);
    }
}
