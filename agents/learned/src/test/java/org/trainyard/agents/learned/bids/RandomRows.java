package org.trainyard.agents.learned.bids;

import java.util.random.RandomGenerator;
import org.trainyard.env.gym.auction.BidColumn;

/** Rows of bids that nobody made. */
public final class RandomRows {
    private RandomRows() {}

    /** The columns of a bid, about half of which are 0. */
    public static float[] columns(RandomGenerator random) {
        float[] columns = new float[BidColumn.COUNT];
        for (int c = 0; c < columns.length; c++) {
            columns[c] = random.nextBoolean() ? 0 : (float) random.nextGaussian();
        }
        return columns;
    }

    static BidRows row(float[] columns) {
        BidRows rows = new BidRows();
        rows.add(columns, 0);
        return rows;
    }
}
