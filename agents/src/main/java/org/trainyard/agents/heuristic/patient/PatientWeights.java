package org.trainyard.agents.heuristic.patient;

import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.BidColumn;

/**
 * The weights of {@link Patient}: the score of a bid is a bias less a weighted sum of its columns. Waiting scores 0.
 *
 * @param dearer weight of what a set costs beyond the cheapest of its job
 * @param leftover weight of GPUs left free on the servers of a set
 * @param slow weight of slow GPUs for a long time
 * @param preempts whether running jobs make room or move
 * @param moveMinutes time that a move saves at least, minutes
 */
public record PatientWeights(double dearer, double leftover, double slow, boolean preempts, double moveMinutes) {
    /** Score of a bid whose columns are all 0; the work of the longest job scores about -1.2. */
    private static final double BIAS = 2;
    /** Weight of servers beyond the fewest: a set with any loses to the bid to wait. */
    private static final double EXTRA_SERVERS = 40;

    private static final double EXTRA_RACKS = 0.25;
    /** Less than the score of any bid to start or make room for the jobs that there are. */
    private static final double MOVE = 1e-3;

    /** Running jobs migrate, return to the queue, and move where that saves an hour. */
    public static final PatientWeights PREEMPTIVE = new PatientWeights(1, 0.25, 2, true, 60);
    /** The same; ten minutes are enough for a move. */
    public static final PatientWeights MOVING = new PatientWeights(1, 0.25, 2, true, 10);
    /** Running jobs stay where they are: who starts leaves room for wide gangs first. */
    public static final PatientWeights STAYING = new PatientWeights(0, 1, 3, false, 0);

    /** The bid of the highest score, the first of equals. O(bids). */
    int best(Auction auction, int firstLegal) {
        int best = firstLegal;
        double most = Double.NEGATIVE_INFINITY;
        for (int bid = firstLegal; bid < auction.size(); bid++) {
            double score = score(auction, bid);
            if (score > most) {
                most = score;
                best = bid;
            }
        }
        return best;
    }

    private double score(Auction auction, int bid) {
        return switch (auction.kind(bid)) {
            case WAIT -> 0;
            case START ->
                ofJob(auction, bid)
                        - EXTRA_SERVERS * auction.column(bid, BidColumn.EXTRA_SERVERS)
                        - EXTRA_RACKS * auction.column(bid, BidColumn.EXTRA_RACKS)
                        - dearer * auction.column(bid, BidColumn.DEARER_THAN_CHEAPEST)
                        - leftover * auction.column(bid, BidColumn.LEFTOVER);
            case MAKE_ROOM -> ofJob(auction, bid) - auction.column(bid, BidColumn.PLAN_COST);
            case MOVE -> {
                double minutes = Math.expm1(10 * auction.column(bid, BidColumn.SAVED_TIME));
                yield minutes < moveMinutes
                        ? Double.NEGATIVE_INFINITY
                        : MOVE * (1 + auction.column(bid, BidColumn.SAVED_TIME));
            }
            case PATIENCE -> Double.NEGATIVE_INFINITY;
        };
    }

    private double ofJob(Auction auction, int bid) {
        return BIAS
                - auction.column(bid, BidColumn.REMAINING_WORK)
                - slow * auction.column(bid, BidColumn.SLOW_FOR_LONG);
    }
}
