package org.trainyard.agents.learned.auction;

import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;

/** The networks from which learning starts. */
public final class InitialBids {
    /** Standard deviation that all further inputs of a bid together give to a hidden unit, if they are of the order of one. */
    private static final double SPREAD = 0.3;

    private InitialBids() {}

    /** From scratch: linear weights at 0, hidden ones at random. */
    public static BidNetwork random(int hidden, RandomGenerator random) {
        BidNetwork network = new BidNetwork(hidden);
        network.initialiseHidden(random);
        return network;
    }

    /**
     * A network with an encoder's embeddings as further inputs, whose hidden weights are small: at first the columns decide. Where the hidden
     * units are silent, scores stay what they are.
     */
    public static BidNetwork withEncoder(BidNetwork network, BidEncoder encoder, RandomGenerator random) {
        return network.widened(encoder.inputs(), SPREAD / Math.sqrt(encoder.inputs()), random);
    }

    /**
     * The network whose scores are the mean of those of other networks without further inputs; it has the hidden units of all. O(weights of all).
     *
     * @param networks at least one
     */
    public static BidNetwork mean(List<BidNetwork> networks) {
        BidNetwork mean =
                new BidNetwork(networks.stream().mapToInt(BidNetwork::hidden).sum());
        int unit = 0;
        for (BidNetwork network : networks) {
            mean.addScores(network, 1f / networks.size(), unit);
            unit += network.hidden();
        }
        return mean;
    }

    /**
     * The rule of {@code patient} as bids: least remaining work first; a job starts consolidated or waits, on the set of least cost; and displaces jobs
     * when their plan costs little.
     *
     * @param sharpness factor on all scores: the larger, the less the drawn bids differ from the best
     */
    public static BidNetwork patient(int hidden, double sharpness, RandomGenerator random) {
        BidNetwork network = new BidNetwork(hidden);
        network.initialiseHidden(random);
        network.silence();
        network.bias(BidKind.START, 2 * sharpness);
        network.linear(BidKind.START, BidColumn.EXTRA_SERVERS, -40 * sharpness);
        network.linear(BidKind.START, BidColumn.EXTRA_RACKS, -sharpness / 4);
        network.linear(BidKind.START, BidColumn.REMAINING_WORK, -sharpness);
        network.linear(BidKind.START, BidColumn.DEARER_THAN_CHEAPEST, -sharpness);
        network.linear(BidKind.START, BidColumn.LEFTOVER, -sharpness / 4);
        network.linear(BidKind.START, BidColumn.SLOW_FOR_LONG, -2 * sharpness);
        network.bias(BidKind.MAKE_ROOM, 2 * sharpness);
        network.linear(BidKind.MAKE_ROOM, BidColumn.SLOW_FOR_LONG, -2 * sharpness);
        network.linear(BidKind.MAKE_ROOM, BidColumn.REMAINING_WORK, -sharpness);
        network.linear(BidKind.MAKE_ROOM, BidColumn.PLAN_COST, -sharpness);
        network.bias(BidKind.MOVE, -2 * sharpness);
        network.linear(BidKind.MOVE, BidColumn.SAVED_TIME, 4 * sharpness);
        network.bias(BidKind.PATIENCE, -10 * sharpness);
        return network;
    }
}
