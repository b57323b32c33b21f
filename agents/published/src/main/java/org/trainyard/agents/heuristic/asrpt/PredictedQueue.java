package org.trainyard.agents.heuristic.asrpt;

import org.trainyard.agents.heuristic.classic.Fifo;
import org.trainyard.agents.heuristic.classic.Sjf;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/**
 * The baselines of A-SRPT: one queue by predicted run time, predicted work or submission, whose head blocks the rest
 * (SPJF, SPWF) or which starts any job that fits (WCS, work-conserving). Not preemptive.
 *
 * <p>Source: the names are those of the evaluation in Z. Luo, J. Liu, M. Lee, N. B. Shroff: Prediction-assisted online
 * distributed deep learning workload scheduling in GPU clusters, INFOCOM 2025; the rules are our inference.
 * WCS-Duration is {@link Sjf}, and WCS-SubTime is {@link Fifo} with backfilling.
 */
public final class PredictedQueue implements Scheduler {
    /** The order of the queue. */
    public enum Key {
        /** Least predicted seconds on the best placement. */
        DURATION,
        /** Least predicted GPU time: predicted seconds on the best placement times the GPUs of the job. */
        WORKLOAD;

        private Rank rank() {
            return switch (this) {
                case DURATION -> SimView::predictedSeconds;
                case WORKLOAD -> HeavyJobs::predictedGpuSeconds;
            };
        }
    }

    private final WaitingJobs waiting;
    private final boolean skips;
    private final Placer placer;

    /** @param skips whether jobs behind a job that does not fit may start */
    public PredictedQueue(Key key, boolean skips, Placer placer) {
        waiting = new WaitingJobs(key.rank());
        this.skips = skips;
        this.placer = placer;
    }

    @Override
    public Decision decide(SimView view) {
        waiting.update(view);
        return skips ? waiting.startFirstThatFits(view, placer) : waiting.startHead(view, placer);
    }
}
