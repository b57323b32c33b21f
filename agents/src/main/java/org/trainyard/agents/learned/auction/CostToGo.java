package org.trainyard.agents.learned.auction;

/** The discounted cost of an episode from every moment on: the integral of the negative reward, weighted by {@code exp(-time / tau)}. */
final class CostToGo {
    private final EpisodeRecord record;
    private final double tau;
    /** At the beginning of each segment. */
    private final double[] atStart;

    /** @param tauHours the horizon: what happens later than that hardly counts */
    CostToGo(EpisodeRecord record, double tauHours) {
        this.record = record;
        tau = tauHours;
        atStart = new double[record.segments];
        for (int s = record.segments - 2; s >= 0; s--) {
            atStart[s] = from(s, record.hours[s]);
        }
    }

    private double from(int segment, double hour) {
        double decay = Math.exp(-(record.hours[segment + 1] - hour) / tau);
        return record.costPerHour[segment] * tau * (1 - decay) + decay * atStart[segment + 1];
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
