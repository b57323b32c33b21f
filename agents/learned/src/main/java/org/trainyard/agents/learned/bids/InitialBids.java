package org.trainyard.agents.learned.bids;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;

/** The networks from which learning starts. */
public final class InitialBids {
    /**
     * Standard deviation that all further inputs of a bid together give to a hidden unit, if they are of the order of
     * one.
     */
    private static final double SPREAD = 0.3;

    /** Standard deviation of the weight of a column to a hidden unit. */
    private static final double COLUMN_SPREAD = Math.sqrt(2.0 / 12);

    /** Kind of bids from which on weights are drawn after those of all others. */
    private static final int LATER = BidKind.FORWARD.index();

    /** The numbers of columns up to which weights are drawn before those of {@link #LATER}, ascending. */
    private static final List<Integer> BEFORE_LATER = counts(
            BidColumn.SHORTEST_TIME,
            BidColumn.MEMORY_LEFT,
            BidColumn.PAIR_ERROR,
            BidColumn.WIDER_ELSEWHERE,
            BidColumn.FITS_HERE,
            BidColumn.PLAN_PREEMPTIONS);

    private InitialBids() {}

    /** A network from scratch: linear weights at 0, hidden ones at random. */
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
     * The network whose scores are the mean of those of other networks without further inputs; it has the hidden units
     * of all. O(weights of all).
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
     * Draws the hidden and output weights of a network without further inputs. Those of columns and of a kind of bids
     * that were added later are drawn later, so that the network of a seed stays what it was.
     */
    private static void drawHidden(BidNetwork network, RandomGenerator random) {
        int from = BEFORE_LATER.get(0);
        drawKinds(network, 0, LATER, from, random);
        for (int to : BEFORE_LATER.subList(1, BEFORE_LATER.size())) {
            drawColumns(network, LATER, from, to, random);
            from = to;
        }
        drawKinds(network, LATER, BidKind.COUNT, from, random);
        drawColumns(network, BidKind.COUNT, from, BidColumn.COUNT, random);
    }

    /** The numbers of columns up to each of these. */
    private static List<Integer> counts(BidColumn... last) {
        return Arrays.stream(last).map(column -> column.index() + 1).toList();
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
     * The rule of {@code patient} as bids: least remaining work first; a job starts consolidated or waits, on the set
     * of least cost; and displaces jobs when their plan costs little.
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
