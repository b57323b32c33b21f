package org.trainyard.agents.learned.bids;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;

/** The networks from which learning starts. */
public final class InitialBids {
    /**
     * Standard deviation that all further inputs of a bid together give to a hidden unit, if they are of the order
     * of one.
     */
    private static final double SPREAD = 0.3;

    /** Standard deviation of the weight of a column to a hidden unit. */
    private static final double COLUMN_SPREAD = Math.sqrt(2.0 / 12);

    /** From this kind of bids on, weights are drawn after those of all others. */
    private static final int LATER = BidKind.FORWARD.index();

    /** From this number of columns on, weights are drawn after those of all kinds of bids. */
    private static final int AFTER_KINDS = 6;

    private InitialBids() {}

    /** From scratch: linear weights at 0, hidden ones at random. */
    public static BidNetwork random(int hidden, RandomGenerator random) {
        BidNetwork network = new BidNetwork(hidden);
        drawHidden(network, random);
        return network;
    }

    /**
     * A network with further inputs, such as an encoder's embeddings, whose hidden weights are small: at first the
     * columns decide. Where the hidden units are silent, scores stay what they are.
     */
    public static BidNetwork withInputs(BidNetwork network, int inputs, RandomGenerator random) {
        return network.widened(inputs, SPREAD / Math.sqrt(inputs), random);
    }

    /**
     * The network whose scores are the mean of those of other networks without further inputs; it has the hidden
     * units of all. O(weights of all).
     *
     * @param networks at least one
     */
    public static BidNetwork mean(List<BidNetwork> networks) {
        BidNetwork mean =
                new BidNetwork(networks.stream().mapToInt(BidNetwork::hidden).sum());
        int unit = 0;
        for (BidNetwork network : networks) {
            addScores(mean, network, 1f / networks.size(), unit);
            unit += network.hidden();
        }
        return mean;
    }

    /**
     * Adds the scores of a narrower network, times a factor, whose hidden units become those of the sum from
     * {@code unit} on.
     */
    private static void addScores(BidNetwork sum, BidNetwork network, float factor, int unit) {
        BidLayout to = sum.layout();
        BidLayout from = network.layout();
        for (int kind = 0; kind < BidKind.COUNT; kind++) {
            for (int w = 0; w <= BidColumn.COUNT; w++) {
                sum.weights()[to.biasAt(kind) + w] += factor * network.weights()[from.biasAt(kind) + w];
            }
            // The hidden biases are a row before those of the columns.
            for (int row = 0; row <= BidColumn.COUNT; row++) {
                System.arraycopy(
                        network.weights(),
                        from.hiddenBiasAt(kind) + row * from.hidden(),
                        sum.weights(),
                        to.hiddenBiasAt(kind) + row * to.hidden() + unit,
                        from.hidden());
            }
            for (int j = 0; j < from.hidden(); j++) {
                sum.weights()[to.outAt(kind) + unit + j] = factor * network.weights()[from.outAt(kind) + j];
            }
        }
    }

    /**
     * Draws the hidden and output weights of a network without further inputs. Those of columns that were added
     * later ({@link BidColumn#COUNTS}), and of the kind that was, are drawn later, so that networks of equal seed score bids without them as
     * they did before there were such columns.
     */
    private static void drawHidden(BidNetwork network, RandomGenerator random) {
        int from = BidColumn.COUNTS.get(0);
        drawKinds(network, 0, LATER, from, random);
        for (int to : BidColumn.COUNTS.subList(1, AFTER_KINDS)) {
            drawColumns(network, LATER, from, to, random);
            from = to;
        }
        drawKinds(network, LATER, BidKind.COUNT, from, random);
        for (int to : BidColumn.COUNTS.subList(AFTER_KINDS, BidColumn.COUNTS.size())) {
            drawColumns(network, BidKind.COUNT, from, to, random);
            from = to;
        }
    }

    /** The weights of kinds of bids with so many columns. */
    private static void drawKinds(BidNetwork network, int first, int end, int columns, RandomGenerator random) {
        BidLayout layout = network.layout();
        for (int kind = first; kind < end; kind++) {
            draw(network, COLUMN_SPREAD, layout.hiddenAt(kind), columns * layout.hidden(), random);
            draw(network, 0.1, layout.outAt(kind), layout.hidden(), random);
        }
    }

    /** The weights of columns that the first kinds of bids have in addition. */
    private static void drawColumns(BidNetwork network, int kinds, int from, int to, RandomGenerator random) {
        int hidden = network.layout().hidden();
        for (int kind = 0; kind < kinds; kind++) {
            draw(network, COLUMN_SPREAD, network.layout().hiddenAt(kind) + from * hidden, (to - from) * hidden, random);
        }
    }

    private static void draw(BidNetwork network, double spread, int from, int count, RandomGenerator random) {
        for (int i = from; i < from + count; i++) {
            network.weights()[i] = (float) (spread * random.nextGaussian());
        }
    }

    /** Sets the output weights of the hidden units to 0, so that scores are linear at first. */
    private static void silence(BidNetwork network) {
        for (int kind = 0; kind < BidKind.COUNT; kind++) {
            int from = network.layout().outAt(kind);
            Arrays.fill(network.weights(), from, from + network.hidden(), 0);
        }
    }

    /**
     * The rule of {@code patient} as bids: least remaining work first; a job starts consolidated or waits, on the
     * set of least cost; and displaces jobs when their plan costs little.
     *
     * @param sharpness factor on all scores: the larger, the less the drawn bids differ from the best
     */
    public static BidNetwork patient(int hidden, double sharpness, RandomGenerator random) {
        BidNetwork network = new BidNetwork(hidden);
        drawHidden(network, random);
        silence(network);
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
        // Forwards a job that cannot start at home and could elsewhere.
        network.bias(BidKind.FORWARD, -sharpness);
        network.linear(BidKind.FORWARD, BidColumn.CAN_CONSOLIDATE, 2.5 * sharpness);
        network.linear(BidKind.FORWARD, BidColumn.FITS_HERE, -10 * sharpness);
        network.linear(BidKind.FORWARD, BidColumn.REMAINING_WORK, -sharpness);
        return network;
    }
}
