package org.trainyard.agents.learned.ppo;

import java.util.Arrays;
import org.trainyard.agents.learned.bids.BidRows;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.env.gym.auction.BidServers;
import org.trainyard.env.gym.auction.ClusterEnv;
import org.trainyard.env.gym.auction.ClusterGraph;
import org.trainyard.env.gym.reward.TrueBacklog;
import org.trainyard.env.simulation.SimView;

/**
 * Record of one episode: the auctions that had a choice, and the state of the cluster over time, piecewise constant
 * between events.
 */
public final class EpisodeRecord implements ClusterEnv.CostSink {
    /** Figures of the state that the control variate reads. */
    public static final int FIGURES = ClusterFigures.COUNT + 1;

    /** The last of them: the cost from now on by a {@link TrueBacklog}, job-hours; 0 where none is kept. */
    static final int BACKLOG = ClusterFigures.COUNT;

    /** First capacity in auctions and in segments; both grow. */
    private static final int FIRST_SIZE = 64;

    /** Number of the world that was played, among those of the training. */
    int world;

    int auctions;
    int[] firstBid = new int[FIRST_SIZE];
    int[] bids = new int[FIRST_SIZE];
    int[] chosen = new int[FIRST_SIZE];
    float[] logProbability = new float[FIRST_SIZE];
    /** The segment of time in which the auction was. */
    int[] segment = new int[FIRST_SIZE];
    /** The first bid that was legal: 1 where waiting was not on offer. */
    byte[] firstLegal = new byte[FIRST_SIZE];

    int totalBids;
    byte[] kinds = new byte[8192];
    /** The columns of all bids. */
    final BidRows rows = new BidRows();

    /** Servers of all bids, and the nodes at all auctions; only for a policy with an encoder. */
    final BidServers servers = new BidServers();

    final NodeRows nodes = new NodeRows();

    int segments;
    double[] hours = new double[FIRST_SIZE];
    /** Cost per hour of the state in which the segment's decisions leave the cluster. */
    double[] costPerHour = new double[FIRST_SIZE];

    /** Cost of the decisions at the segment's beginning, beside that of the states after it. */
    double[] costAtOnce = new double[FIRST_SIZE];

    double[] figures = new double[FIRST_SIZE * FIGURES];

    double meanJctSeconds;

    /** Empties the record. */
    public void clear() {
        auctions = 0;
        totalBids = 0;
        segments = 0;
        servers.clear();
        nodes.clear();
        rows.clear();
    }

    /** Auctions in which the bid to wait won. */
    int waits() {
        int waits = 0;
        for (int auction = 0; auction < auctions; auction++) {
            waits += kinds[firstBid[auction] + chosen[auction]] == BidKind.WAIT.index() ? 1 : 0;
        }
        return waits;
    }

    /** When the episode ended, hours. */
    double lastHour() {
        return segments == 0 ? 0 : hours[segments - 1];
    }

    /** Begins a segment of time; returns where its figures are to be put. */
    int addSegment(double hour) {
        if (segments == hours.length) {
            hours = Arrays.copyOf(hours, 2 * segments);
            costPerHour = Arrays.copyOf(costPerHour, 2 * segments);
            costAtOnce = Arrays.copyOf(costAtOnce, 2 * segments);
            figures = Arrays.copyOf(figures, 2 * segments * FIGURES);
        }
        hours[segments] = hour;
        costAtOnce[segments] = 0;
        Arrays.fill(figures, segments * FIGURES, (segments + 1) * FIGURES, 0);
        return segments++ * FIGURES;
    }

    @Override
    public void add(double hour, double perHour, SimView view) {
        int at = addSegment(hour);
        ClusterFigures.write(view, figures, at);
        costFromNow(perHour);
    }

    @Override
    public void end(double hour, SimView view) {
        add(hour, 0, view);
    }

    /** Sets the cost per hour of the last segment. */
    void costFromNow(double perHour) {
        costPerHour[segments - 1] = perHour;
    }

    /** Adds to the cost of the decisions of the last segment. */
    void costAtOnce(double cost) {
        costAtOnce[segments - 1] += cost;
    }

    /** Adds the data centre as an encoder sees it at the auction that is added next. */
    void addGraph(Auction auction, ClusterGraph graph) {
        nodes.add(graph);
        servers.addAll(auction.servers());
    }

    /** @param ofBids the rows of its bids */
    void addAuction(Auction auction, BidRows ofBids, int choice, float itsLogProbability, boolean mayWait) {
        int first = beginAuction(auction.size(), choice, itsLogProbability, mayWait);
        for (int bid = 0; bid < auction.size(); bid++) {
            kinds[first + bid] = (byte) auction.kind(bid).index();
        }
        rows.addAll(ofBids);
    }

    /** Makes room for the bids of an auction; returns the number of the first. */
    private int beginAuction(int size, int choice, float itsLogProbability, boolean mayWait) {
        if (auctions == chosen.length) {
            firstBid = Arrays.copyOf(firstBid, 2 * auctions);
            bids = Arrays.copyOf(bids, 2 * auctions);
            chosen = Arrays.copyOf(chosen, 2 * auctions);
            logProbability = Arrays.copyOf(logProbability, 2 * auctions);
            segment = Arrays.copyOf(segment, 2 * auctions);
            firstLegal = Arrays.copyOf(firstLegal, 2 * auctions);
        }
        while (totalBids + size > kinds.length) {
            kinds = Arrays.copyOf(kinds, 2 * kinds.length);
        }
        firstBid[auctions] = totalBids;
        bids[auctions] = size;
        chosen[auctions] = choice;
        logProbability[auctions] = itsLogProbability;
        segment[auctions] = segments - 1;
        firstLegal[auctions] = (byte) (mayWait ? 0 : 1);
        auctions++;
        totalBids += size;
        return totalBids - size;
    }

    /**
     * A figure of the state at an hour inside a segment, where nothing happens: the backlog falls by the cost of the
     * jobs since its beginning.
     *
     * @param discountHours horizon of {@link CostToGo}
     */
    double figure(int number, int ofSegment, double hour, double discountHours) {
        double value = figures[ofSegment * FIGURES + number];
        double since = hour - hours[ofSegment];
        if (number != BACKLOG || value == 0 || since <= 0) {
            return value;
        }
        double decay = Math.exp(-since / discountHours);
        return Math.max(0, value - costPerHour[ofSegment] * discountHours * (1 - decay)) / decay;
    }

    /**
     * Subtracts this episode's share in the mean of the figures of several at an hour.
     *
     * @param parts of how many episodes the mean is
     * @param from figures from {@code at} on
     */
    public void subtractFigures(double hour, double discountHours, int parts, double[] from, int at) {
        subtractFigures(segmentAt(hour), hour, discountHours, parts, from, at);
    }

    /** Subtracts the figures of an hour in a segment; nothing before the first, -1. */
    void subtractFigures(int present, double hour, double discountHours, int parts, double[] from, int at) {
        for (int f = 0; f < FIGURES && present >= 0; f++) {
            from[at + f] -= figure(f, present, hour, discountHours) / parts;
        }
    }

    /**
     * The segment of an hour as {@link #segmentAt(double)} finds it, from one that is not after it: O(those between).
     */
    int segmentAt(double hour, int before) {
        int at = before;
        while (at + 1 < segments && hours[at + 1] <= hour) {
            at++;
        }
        return at;
    }

    /** The last segment that has begun at this time; -1 before the first. */
    int segmentAt(double hour) {
        int low = 0;
        int high = segments - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (hours[middle] <= hour) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }
}
