package org.trainyard.agents.heuristic.classic;

import org.trainyard.env.scheduling.order.OrderedScheduler;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;

/**
 * First in, first out, by submission time; not preemptive.
 *
 * <p>Source: the default of YARN-CS, the baseline in J. Gu, M. Chowdhury, K. G. Shin, Y. Zhu, M. Jeon, J. Qian, H. Liu,
 * C. Guo: Tiresias: a GPU cluster manager for distributed deep learning, NSDI 2019. Our deviation: (1) backfilling
 * makes no reservation.
 */
public final class Fifo implements OrderedScheduler {
    private final WaitingJobs waiting = new WaitingJobs((view, job) -> job);
    private final boolean backfill;
    private final Placer placer;

    /**
     * @param backfill whether a job that fits may start before one that does not; otherwise the head of the queue
     *     blocks the rest
     */
    public Fifo(boolean backfill, Placer placer) {
        this.backfill = backfill;
        this.placer = placer;
    }

    @Override
    public double rank(SimView view, int job) {
        return view.job(job).submitNanos() / 1e9;
    }

    @Override
    public String rankName() {
        return "time of submission, s";
    }

    @Override
    public Decision decide(SimView view) {
        waiting.update(view);
        return backfill ? waiting.startFirstThatFits(view, placer) : waiting.startHead(view, placer);
    }
}
