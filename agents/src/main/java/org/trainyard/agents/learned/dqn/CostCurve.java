package org.trainyard.agents.learned.dqn;

import java.util.Arrays;
import org.trainyard.agents.learned.auction.ClusterFigures;
import org.trainyard.env.gym.auction.BiddingEnv;
import org.trainyard.env.simulation.SimView;

/** The cost of a played episode over simulated time, and the figures of its states: piecewise constant between events. */
final class CostCurve implements BiddingEnv.CostSink {
    private final double tauHours;
    private int segments;
    private double[] hours = new double[256];
    private double[] perHour = new double[256];
    private double[] figures = new double[256 * ClusterFigures.COUNT];
    /** The discounted cost from the beginning of each segment on. */
    private double[] toGo = new double[0];

    /** @param tauHours simulated hours after which a cost counts 1/e */
    CostCurve(double tauHours) {
        this.tauHours = tauHours;
    }

    /** Begins a segment. */
    @Override
    public void add(double hour, double costPerHour, SimView view) {
        if (segments == hours.length) {
            hours = Arrays.copyOf(hours, 2 * segments);
            perHour = Arrays.copyOf(perHour, 2 * segments);
            figures = Arrays.copyOf(figures, 2 * segments * ClusterFigures.COUNT);
        }
        hours[segments] = hour;
        perHour[segments] = costPerHour;
        ClusterFigures.write(view, figures, segments++ * ClusterFigures.COUNT);
    }

    /** Ends the episode: nothing costs any more from this hour on. */
    @Override
    public void end(double hour, SimView view) {
        add(hour, 0, view);
        toGo = new double[segments];
        for (int s = segments - 2; s >= 0; s--) {
            toGo[s] = from(s, hours[s]);
        }
    }

    private double from(int segment, double hour) {
        double decay = Math.exp(-(hours[segment + 1] - hour) / tauHours);
        return perHour[segment] * BiddingEnv.discountedHours(hours[segment + 1] - hour, tauHours)
                + decay * toGo[segment + 1];
    }

    private int segmentAt(double hour) {
        int found = Arrays.binarySearch(hours, 0, segments, hour);
        if (found < 0) {
            return -found - 2;
        }
        while (found + 1 < segments && hours[found + 1] == hour) {
            found++;
        }
        return found;
    }

    /** The discounted cost from an hour on. */
    double toGo(double hour) {
        int segment = segmentAt(hour);
        if (segment >= segments - 1) {
            return 0;
        }
        return segment < 0 ? toGo[0] * Math.exp(-(hours[0] - hour) / tauHours) : from(segment, hour);
    }

    /** Adds a share of the figures at an hour. */
    void addFigures(double hour, double share, double[] sum) {
        int segment = segmentAt(hour);
        for (int f = 0; f < ClusterFigures.COUNT && segment >= 0; f++) {
            sum[f] += share * figures[segment * ClusterFigures.COUNT + f];
        }
    }
}
