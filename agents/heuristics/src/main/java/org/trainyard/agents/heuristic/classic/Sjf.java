package org.trainyard.agents.heuristic.classic;

import org.trainyard.env.scheduling.order.OrderedScheduler;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;

/**
 * Shortest job first, by predicted run time in seconds; not preemptive, with backfilling.
 *
 * <p>Source: W. E. Smith: Various optimizers for single-stage production, 1956; with predictions for GPU clusters as
 * QSSF in Q. Hu, P. Sun, S. Yan, Y. Wen, T. Zhang: Characterization and prediction of deep learning workloads in
 * large-scale GPU datacenters, SC 2021. Our deviation from QSSF: (1) the order is by time, not by time x GPUs.
 */
public final class Sjf implements OrderedScheduler {
    private final WaitingJobs waiting = new WaitingJobs(SimView::predictedSeconds);
    private final Placer placer;

    public Sjf(Placer placer) {
        this.placer = placer;
    }

    @Override
    public double rank(SimView view, int job) {
        return view.predictedSeconds(job);
    }

    @Override
    public String rankName() {
        return "predicted run time, s";
    }

    @Override
    public Decision decide(SimView view) {
        waiting.update(view);
        return waiting.startFirstThatFits(view, placer);
    }
}
