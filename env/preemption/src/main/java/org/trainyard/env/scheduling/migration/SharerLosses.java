package org.trainyard.env.scheduling.migration;

import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;

/**
 * Slowdown beyond 1 of a job for a part of one GPU and of the others on its GPU, the others weighted by the share of
 * the job's remaining time that they stay: as measured, or as a belief predicts. O(jobs on the server), predicted the
 * square of it.
 */
final class SharerLosses {
    private final InterferenceModel belief;
    private final Rank remainingSeconds;
    private final Colocation row = new Colocation();

    SharerLosses(InterferenceModel belief, Rank remainingSeconds) {
        this.belief = belief;
        this.remainingSeconds = remainingSeconds;
    }

    /** The loss as measured; only that of the job itself where it is below a limit. */
    double measured(SimView view, int job, double limit) {
        double loss = view.slowdown(job) - 1;
        return loss < limit ? loss : loss + ofOthers(view, job, false);
    }

    /** The loss as predicted, to compare with predictions for other places, of which nothing is measured. */
    double predicted(SimView view, int job) {
        return predictedExcess(view, job) + ofOthers(view, job, true);
    }

    private double ofOthers(SimView view, int job, boolean predicted) {
        Placement place = view.placement(job);
        int server = place.server(0);
        double seconds = remainingSeconds.of(view, job);
        double loss = 0;
        for (int n = 0; n < view.cluster().jobsOn(server); n++) {
            int other = view.cluster().jobOn(server, n);
            if (other != job && view.placement(other).sharesGpuOn(server, place)) {
                double excess = predicted ? predictedExcess(view, other) : view.slowdown(other) - 1;
                loss += excess * Math.min(1, remainingSeconds.of(view, other) / seconds);
            }
        }
        return loss;
    }

    /** The predicted excess of a job whose GPUs are all on one server. */
    private double predictedExcess(SimView view, int job) {
        Placement place = view.placement(job);
        row.reset(view.topology().gpusOn(place.server(0)), place.gpusOn(0), false);
        row.addAllOn(place.server(0), job, place.maskOn(0), view);
        return belief.slowdown(view.job(job).model(), row) - 1;
    }
}
