package org.trainyard.agents.learned.ppo;

import org.jspecify.annotations.Nullable;

/**
 * The discounted cost of an episode from every moment on: the integral of the negative reward, weighted by
 * {@code exp(-time / tau)}.
 *
 * <p>With a trace it is the lambda-return of R. Sutton: Learning to predict by the methods of temporal differences
 * (1988), in continuous time: of what is played, the part {@code exp(-time / trace)} counts so long after, and for the
 * rest stands the {@link StateValue} of the state that was reached. A play's later costs depend on many later draws;
 * what a decision changed is mostly in the state some hours after it.
 */
public final class CostToGo {
    /** Cost over backlog before anything is learned; least squares in two worlds gave 0.4 to 2.7. */
    private static final double COST_OF_BACKLOG = 1.3;

    private final EpisodeRecord record;
    private final double tau;
    /** Cost to go at the beginning of each segment. */
    private final double[] atStart;

    private final double trace;
    private final double[] value;

    /** @param discountHours the horizon: what happens later than that hardly counts */
    public CostToGo(EpisodeRecord record, double discountHours) {
        this(record, discountHours, null, new double[0]);
    }

    /**
     * @param discountHours the horizon: what happens later than that hardly counts
     * @param traceHours of the lambda-return; null for the costs alone
     * @param value by figure of a state, its weight in the cost from there on; read with a trace only
     */
    CostToGo(EpisodeRecord record, double discountHours, @Nullable Double traceHours, double[] value) {
        this.record = record;
        tau = discountHours;
        this.value = value;
        trace = traceHours == null ? Double.POSITIVE_INFINITY : traceHours;
        atStart = new double[record.segments];
        for (int s = record.segments - 2; s >= 0; s--) {
            atStart[s] = record.costAtOnce[s] + from(s, record.hours[s]);
        }
    }

    /**
     * The value of states before anything is learned: the true backlog alone. It takes it for granted that a wide gang
     * can always be served later; the other figures come to say what it leaves out, such as GPUs that are waited for.
     */
    static StateValue stateValue() {
        double[] weights = new double[EpisodeRecord.FIGURES];
        weights[EpisodeRecord.BACKLOG] = COST_OF_BACKLOG;
        return new StateValue(weights);
    }

    private double from(int segment, double hour) {
        double hours = record.hours[segment + 1] - hour;
        double decay = Math.exp(-hours / tau);
        double played = Math.exp(-hours / trace);
        double then = played * atStart[segment + 1];
        if (played < 1) {
            then += (1 - played) * valueAt(segment + 1);
        }
        return record.costPerHour[segment] * tau * (1 - decay) + decay * then;
    }

    private double valueAt(int segment) {
        double sum = 0;
        for (int f = 0; f < value.length; f++) {
            sum += value[f] * record.figures[segment * EpisodeRecord.FIGURES + f];
        }
        return sum;
    }

    /** The cost from the beginning of a segment on. */
    double atSegment(int segment) {
        return atStart[segment];
    }

    /** The cost from an hour on; 0 after the episode. */
    public double atHour(double hour) {
        return atHour(hour, record.segmentAt(hour));
    }

    /** The cost from an hour in a segment on, or before the first, -1. */
    double atHour(double hour, int segment) {
        if (segment >= record.segments - 1) {
            return 0;
        }
        if (segment >= 0 && hour == record.hours[segment]) {
            return atStart[segment];
        }
        return segment < 0 ? atStart[0] * Math.exp(-(record.hours[0] - hour) / tau) : from(segment, hour);
    }
}
