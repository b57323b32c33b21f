package org.trainyard.agents.heuristic.composed;

import org.trainyard.agents.heuristic.order.ServiceQueues;
import org.trainyard.agents.heuristic.queue.RunningByFallingRank;
import org.trainyard.agents.heuristic.queue.RunningByRank;
import org.trainyard.agents.heuristic.queue.RunningOrder;
import org.trainyard.agents.heuristic.queue.RunningQueues;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.order.RemainingTimeEstimator;
import org.trainyard.env.scheduling.order.WidthWeightedRank;
import org.trainyard.env.scheduling.placement.GpuSpeeds;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.SimView;

/**
 * The order of a member of the tuned family: by what waiting and running jobs are ranked, and when that changes without
 * an event.
 */
final class ComposedOrder {
    private final ComposedSettings.Order order;
    private final ServiceQueues queues;
    private final RunningQueues inQueues;
    private final RemainingTimeEstimator estimator;
    private final Rank rank;

    ComposedOrder(ComposedSettings settings, GpuSpeeds speeds) {
        order = settings.order();
        estimator = new RemainingTimeEstimator(order == ComposedSettings.Order.GITTINS_LIMIT);
        queues = new ServiceQueues(
                settings.queueGpuSeconds().stream().mapToLong(s -> s).toArray());
        inQueues = new RunningQueues(queues);
        rank = rankBy(speeds, settings.value(Knob.WIDTH));
    }

    private Rank rankBy(GpuSpeeds speeds, double width) {
        return switch (order) {
            case FIFO -> (view, job) -> job;
            case SJF -> SimView::predictedSeconds;
            case SPWF ->
                (view, job) ->
                        view.predictedSeconds(job) * Math.max(1, view.job(job).gpus());
            case LAS -> queues::of;
            case SRTF -> SimView::predictedRemainingSeconds;
            case GITTINS, GITTINS_LIMIT -> width == 0 ? estimator : new WidthWeightedRank(estimator, width);
            case SPEEDUP ->
                (view, job) -> view.predictedRemainingSeconds(job)
                        / speeds.speedUp(view.job(job).model());
        };
    }

    /** The lower of two goes first. */
    Rank rank() {
        return rank;
    }

    /** Running jobs in this order. */
    RunningOrder running() {
        return switch (order) {
            case LAS -> inQueues;
            case SRTF, SPEEDUP -> new RunningByFallingRank(rank);
            case FIFO, SJF, SPWF, GITTINS, GITTINS_LIMIT -> new RunningByRank(rank);
        };
    }

    /** Renews the Gittins ranks of waiting jobs whenever that is due. */
    void renewRanks(SimView view, WaitingJobs waiting) {
        if (order.isByGittinsIndex() && estimator.isRenewalDue()) {
            waiting.rerankAll(view);
        }
    }

    /** When a running job sinks into a queue below that of the first waiting job; never for orders but LAS. */
    long nextChangeNanos(SimView view, WaitingJobs waiting) {
        int first = order == ComposedSettings.Order.LAS ? waiting.lowest() : SimView.NONE;
        if (first == SimView.NONE) {
            return Long.MAX_VALUE;
        }
        inQueues.update(view);
        return inQueues.nextSinkingNanos(waiting.rank(first));
    }
}
