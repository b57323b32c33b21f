package org.trainyard.agents.heuristic.patient;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.Chooser;

/**
 * The weights of {@link Patient}: the score of a bid is a bias less a weighted sum of its columns. Waiting scores 0.
 *
 * @param dearer weight of what a set costs beyond the cheapest of its job
 * @param leftover weight of GPUs left free on the servers of a set
 * @param slow weight of slow GPUs for a long time
 * @param preempts whether running jobs make room or move
 * @param moveMinutes time that a move saves at least, minutes
 */
public record PatientWeights(double dearer, double leftover, double slow, boolean preempts, double moveMinutes)
        implements Chooser.ByScore {
    /** Score of a bid whose columns are all 0; the work of the longest job scores about -1.2. */
    private static final double BIAS = 2;
    /** Weight of servers beyond the fewest: a set with any loses to the bid to wait. */
    private static final double EXTRA_SERVERS = 40;

    private static final double EXTRA_RACKS = 0.25;
    /** Less than the score of any bid to start or make room for the jobs that there are. */
    private static final double MOVE = 1e-3;
    /** The score of a move that saves more than any job lasts. */
    private static final double MOST_MOVE = 5 * MOVE;

    /** Less than the score of any bid to start at home. */
    private static final double FORWARD = 1e-2;
    /** GPUs per GPU that must wait less in a domain where the job does not fit now. */
    private static final double LEAST_GAP = 0.5;

    /** Running jobs migrate, return to the queue, and move where that saves an hour. */
    public static final PatientWeights PREEMPTIVE = new PatientWeights(1, 0.25, 2, true, 60);
    /** The same; ten minutes are enough for a move. */
    public static final PatientWeights MOVING = new PatientWeights(1, 0.25, 2, true, 10);
    /** Running jobs stay where they are: who starts leaves room for wide gangs first. */
    public static final PatientWeights STAYING = new PatientWeights(0, 1, 3, false, 0);

    /** The weights of the scheduler of this name; null when it is another. */
    public static @Nullable PatientWeights named(String scheduler) {
        return switch (scheduler) {
            case "patient" -> PREEMPTIVE;
            case "patient-moves" -> MOVING;
            case "patient-no-preemption" -> STAYING;
            default -> null;
        };
    }

    @Override
    public double score(Auction auction, int bid) {
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
            case FORWARD -> forwarded(auction, bid);
        };
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
        return BIAS - work - slow * slowForLong;
    }

    @Override
    public double moving() {
        return MOST_MOVE;
    }

    @Override
    public double leastSavedSeconds() {
        return 60 * moveMinutes * (1 - 1e-5);
    }

    private double ofJob(Auction auction, int bid) {
        return makingRoom(auction.column(bid, BidColumn.REMAINING_WORK), auction.column(bid, BidColumn.SLOW_FOR_LONG));
    }
}
