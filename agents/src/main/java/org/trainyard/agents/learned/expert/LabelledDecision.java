package org.trainyard.agents.learned.expert;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import org.trainyard.agents.learned.auction.BidRegression;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.BidColumn;

/** A decision and what its alternatives cost; refers to no simulation. */
final class LabelledDecision {
    private final byte[] kinds;
    private final float[] columns;
    private final boolean mayWait;
    private final double[] probabilities;
    private final int[] arms;
    private final ArmCosts costs;

    private LabelledDecision(
            byte[] kinds, float[] columns, boolean mayWait, double[] probabilities, int[] arms, ArmCosts costs) {
        this.kinds = kinds;
        this.columns = columns;
        this.mayWait = mayWait;
        this.probabilities = probabilities;
        this.arms = arms;
        this.costs = costs;
    }

    /**
     * A decision in an auction, whose bids are copied.
     *
     * @param mayWait whether the first bid, to wait, is legal
     * @param probabilities of the policy, by bid
     * @param arms the bids that were tried, the policy's own first
     * @param costs of these
     */
    static LabelledDecision of(Auction auction, boolean mayWait, double[] probabilities, int[] arms, ArmCosts costs) {
        byte[] kinds = new byte[auction.size()];
        for (int bid = 0; bid < kinds.length; bid++) {
            kinds[bid] = (byte) auction.kind(bid).index();
        }
        float[] columns = Arrays.copyOf(auction.columns(), kinds.length * BidColumn.COUNT);
        return new LabelledDecision(kinds, columns, mayWait, probabilities, arms, costs);
    }

    /** Adds the auction to those of a fit. */
    void addTo(BidRegression regression, double[] target) {
        regression.add(kinds, columns, mayWait, target);
    }

    /** Number of bids in the auction. */
    int bids() {
        return kinds.length;
    }

    /** The policy's probability of a bid; 0 for an illegal one. */
    double probability(int bid) {
        return probabilities[bid];
    }

    /** The bid of an arm; arm 0 is the policy's own bid. */
    int bid(int arm) {
        return arms[arm];
    }

    ArmCosts costs() {
        return costs;
    }

    /** Writes the decision: some {@code 10 + 5 x columns that are not 0} bytes a bid, and the costs. */
    void write(DataOutput out) throws IOException {
        out.writeInt(kinds.length);
        out.writeBoolean(mayWait);
        for (int bid = 0; bid < kinds.length; bid++) {
            out.writeByte(kinds[bid]);
            out.writeDouble(probabilities[bid]);
            writeColumns(bid * BidColumn.COUNT, out);
        }
        costs.write(out);
        for (int arm : arms) {
            out.writeInt(arm);
        }
    }

    /** Writes the number of columns that are not 0, then the index and the value of each. */
    private void writeColumns(int from, DataOutput out) throws IOException {
        int count = 0;
        for (int column = 0; column < BidColumn.COUNT; column++) {
            count += isZero(columns[from + column]) ? 0 : 1;
        }
        out.writeByte(count);
        for (int column = 0; column < BidColumn.COUNT; column++) {
            if (!isZero(columns[from + column])) {
                out.writeByte(column);
                out.writeFloat(columns[from + column]);
            }
        }
    }

    /** Not so -0, which is to stay what it is. */
    private static boolean isZero(float value) {
        return Float.floatToRawIntBits(value) == 0;
    }

    /** Reads what {@link #write} wrote. */
    static LabelledDecision read(DataInput in) throws IOException {
        byte[] kinds = new byte[in.readInt()];
        boolean mayWait = in.readBoolean();
        float[] columns = new float[kinds.length * BidColumn.COUNT];
        double[] probabilities = new double[kinds.length];
        for (int bid = 0; bid < kinds.length; bid++) {
            kinds[bid] = in.readByte();
            probabilities[bid] = in.readDouble();
            for (int left = in.readUnsignedByte(); left > 0; left--) {
                columns[bid * BidColumn.COUNT + in.readUnsignedByte()] = in.readFloat();
            }
        }
        ArmCosts costs = ArmCosts.read(in);
        int[] arms = new int[costs.arms()];
        for (int arm = 0; arm < arms.length; arm++) {
            arms[arm] = in.readInt();
        }
        return new LabelledDecision(kinds, columns, mayWait, probabilities, arms, costs);
    }
}
