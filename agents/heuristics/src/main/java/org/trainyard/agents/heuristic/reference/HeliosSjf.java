package org.trainyard.agents.heuristic.reference;

import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/**
 * The {@code sjf} of the Helios simulator: by duration, ties by submission; the head of the queue blocks the rest.
 *
 * <p>Source: simulator of Q. Hu, P. Sun, S. Yan, Y. Wen, T. Zhang: Characterization and prediction of deep learning
 * workloads in large-scale GPU datacenters, SC 2021. Equal to it job by job with predictions of an oracle, at ideal
 * rates.
 */
public final class HeliosSjf implements Scheduler {
    // Durations are whole seconds; rounding to microseconds keeps ties that division has torn apart.
    private final WaitingJobs waiting = new WaitingJobs((view, job) -> Math.round(view.predictedSeconds(job) * 1e6));
    private final Placer placer;

    public HeliosSjf(Placer placer) {
        this.placer = placer;
    }

    @Override
    public Decision decide(SimView view) {
        waiting.update(view);
        return waiting.startHead(view, placer);
    }
}
