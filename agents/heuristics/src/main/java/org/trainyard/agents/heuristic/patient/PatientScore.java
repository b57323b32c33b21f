package org.trainyard.agents.heuristic.patient;

import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidServers;
import org.trainyard.env.gym.auction.Chooser;
import org.trainyard.env.topology.Topology;

/** The score of a bid of {@link Patient}: a bias less a weighted sum of its columns. Waiting scores 0. */
record PatientScore(PatientWeights weights, Topology topology) implements Chooser.ByScore {
    /** Score of a bid whose columns are all 0; the work of the longest job scores about -1.2. */
    private static final double BIAS = 2;
    /** Weight of servers beyond the fewest of their kind: a set with any loses to the bid to wait. */
    private static final double EXTRA_SERVERS = 10;

    private static final double EXTRA_RACKS = 0.25;
    /** Less than the score of any bid to start or make room for the jobs that there are. */
    private static final double MOVE = 1e-3;
    /** The score of a move that saves more than any job lasts. */
    private static final double MOST_MOVE = 5 * MOVE;

    /** Less than the score of any bid to start at home. */
    private static final double FORWARD = 1e-2;
    /** GPUs per GPU that must wait less in a domain where the job does not fit now. */
    private static final double LEAST_GAP = 0.5;

    @Override
    public double score(Auction auction, int bid) {
        return switch (auction.kind(bid)) {
            case WAIT -> 0;
            case START ->
                ofJob(auction, bid)
                        - EXTRA_SERVERS * extraServers(auction, bid)
                        - EXTRA_RACKS * auction.column(bid, BidColumn.EXTRA_RACKS)
                        - weights.dearer() * auction.column(bid, BidColumn.DEARER_THAN_CHEAPEST)
                        - weights.leftover() * auction.column(bid, BidColumn.LEFTOVER);
            case MAKE_ROOM -> ofJob(auction, bid) - auction.column(bid, BidColumn.PLAN_COST);
            case MOVE -> {
                double minutes = Math.expm1(10 * auction.column(bid, BidColumn.SAVED_TIME));
                yield minutes < weights.moveMinutes()
                        ? Double.NEGATIVE_INFINITY
                        : MOVE * (1 + auction.column(bid, BidColumn.SAVED_TIME));
            }
            case PATIENCE -> Double.NEGATIVE_INFINITY;
            case FORWARD -> forwarded(auction, bid);
        };
    }

    /** Servers of a set beyond as few as there would be if all were like the largest of them. */
    private int extraServers(Auction auction, int bid) {
        BidServers servers = auction.servers();
        int gpus = 0;
        int widest = 1;
        for (int i = servers.first(bid); i < servers.end(bid); i++) {
            gpus += auction.gpusOn(i);
            widest = Math.max(widest, topology.gpusOn(servers.server(i)));
        }
        return servers.end(bid) - servers.first(bid) - Math.max(1, (gpus + widest - 1) / widest);
    }

    /** A job that cannot start at home goes where it can, else where much less work waits. */
    private static double forwarded(Auction auction, int bid) {
        if (auction.column(bid, BidColumn.FITS_HERE) > 0) {
            return Double.NEGATIVE_INFINITY;
        }
        double shorter = auction.column(bid, BidColumn.LOAD_GAP) - LEAST_GAP;
        if (auction.column(bid, BidColumn.CAN_CONSOLIDATE) == 0 && shorter < 0) {
            return Double.NEGATIVE_INFINITY;
        }
        return FORWARD * (1 + auction.column(bid, BidColumn.CAN_CONSOLIDATE) + Math.max(0, shorter));
    }

    @Override
    public double makingRoom(double work, double slowForLong) {
        return BIAS - work - weights.slow() * slowForLong;
    }

    @Override
    public double moving() {
        return MOST_MOVE;
    }

    @Override
    public double leastSavedSeconds() {
        return 60 * weights.moveMinutes() * (1 - 1e-5);
    }

    private double ofJob(Auction auction, int bid) {
        return makingRoom(auction.column(bid, BidColumn.REMAINING_WORK), auction.column(bid, BidColumn.SLOW_FOR_LONG));
    }
}
