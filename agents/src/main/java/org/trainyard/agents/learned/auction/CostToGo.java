package org.trainyard.agents.learned.auction;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.reward.TrueBacklog;

/**
 * The discounted cost of an episode from every moment on: the integral of the negative reward, weighted by {@code exp(-time / tau)}.
 *
 * <p>With a trace it is the lambda-return of R. Sutton: Learning to predict by the methods of temporal differences (1988), in continuous time: of what is
 * played, the part {@code exp(-time / trace)} counts so long after, and for the rest stands the {@link TrueBacklog} of the state that was reached. A play's
 * later costs depend on many later draws; what a decision changed is mostly in the state some hours after it.
 */
final class CostToGo {
    /** Cost from a state on over its backlog, which leaves out jobs to come, fragmentation and slowdowns: least squares in two worlds gave 0.4 to 2.7, mean 1.3. */
    private static final double COST_OF_BACKLOG = 1.3;

    private final EpisodeRecord record;
    private final double tau;
    /** At the beginning of each segment. */
    private final double[] atStart;

    private final double trace;

    /**
     * @param tauHours the horizon: what happens later than that hardly counts
     * @param traceHours of the lambda-return; null for the costs alone
     */
    CostToGo(EpisodeRecord record, double tauHours, @Nullable Double traceHours) {
        this.record = record;
        tau = tauHours;
        trace = traceHours == null ? Double.POSITIVE_INFINITY : traceHours;
        atStart = new double[record.segments];
        for (int s = record.segments - 2; s >= 0; s--) {
            atStart[s] = from(s, record.hours[s]);
        }
    }

    private double from(int segment, double hour) {
        double hours = record.hours[segment + 1] - hour;
        double decay = Math.exp(-hours / tau);
        double played = Math.exp(-hours / trace);
        double then = played * atStart[segment + 1];
        if (played < 1) {
            int next = (segment + 1) * EpisodeRecord.FIGURES;
            then += (1 - played) * COST_OF_BACKLOG * record.figures[next + EpisodeRecord.BACKLOG];
        }
        return record.costPerHour[segment] * tau * (1 - decay) + decay * then;
    }

    /** The cost from the beginning of a segment on. */
    double atSegment(int segment) {
        return atStart[segment];
    }

    /** The cost from an hour on; 0 after the episode. */
    double atHour(double hour) {
        int segment = record.segmentAt(hour);
        if (segment >= record.segments - 1) {
            return 0;
        }
        return segment < 0 ? atStart[0] * Math.exp(-(record.hours[0] - hour) / tau) : from(segment, hour);
    }
}
