package org.trainyard.agents.heuristic.classic;

import org.trainyard.agents.heuristic.order.ServiceQueues;
import org.trainyard.agents.heuristic.queue.RunningQueues;
import org.trainyard.env.scheduling.order.OrderedScheduler;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;

/**
 * Least attained service first, in queues: a job is demoted to the next queue when its GPU-seconds exceed a limit. Jobs
 * of lower queues are preempted for jobs of higher queues; within a queue jobs are ordered by submission. Needs no
 * predictions.
 *
 * <p>Source: discretised two-dimensional LAS of J. Gu, M. Chowdhury, K. G. Shin, Y. Zhu, M. Jeon, J. Qian, H. Liu, C.
 * Guo: Tiresias: a GPU cluster manager for distributed deep learning, NSDI 2019. Our deviations: (1) the limits are
 * ours, one and ten GPU-hours; (2) a job is preempted only when that lets a job of a better queue start; (3) no job is
 * promoted, which starves no job for ever in a finite workload; (4) time on GPUs counts as service even when it is
 * spent on a restart.
 */
public final class Las implements OrderedScheduler {
    private final ServiceQueues queues;
    private final RunningQueues running;
    private final RankPreemption rule;

    /** Three queues, limits of 3,600 and 36,000 GPU-seconds. */
    public Las(Placer placer) {
        this(placer, 3_600, 36_000);
    }

    /** @param limitGpuSeconds service at which a job leaves the first, second, ... queue, ascending, in GPU-seconds */
    public Las(Placer placer, long... limitGpuSeconds) {
        queues = new ServiceQueues(limitGpuSeconds);
        running = new RunningQueues(queues);
        rule = new RankPreemption(queues::of, running, 0, placer);
    }

    @Override
    public double rank(SimView view, int job) {
        return queues.of(view, job);
    }

    @Override
    public String rankName() {
        return "queue by attained service";
    }

    @Override
    public Decision decide(SimView view) {
        Decision decision = rule.decide(view);
        return decision instanceof Decision.Wait ? waitForDemotion(view) : decision;
    }

    /** Waits until a running job is demoted below a pending job. */
    private Decision waitForDemotion(SimView view) {
        running.update(view);
        long nextDemotionNanos = running.nextSinkingNanos(rule.lowestWaiting(view));
        return nextDemotionNanos == Long.MAX_VALUE ? Decision.WAIT : Decision.waitUntil(nextDemotionNanos);
    }
}
