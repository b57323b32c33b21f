package org.trainyard.agents.learned.bids;

import java.util.Arrays;
import org.trainyard.env.gym.auction.BidColumn;

/** Rows of bids, of which only the columns that are not 0 are kept: by row, their numbers, which rise, and values. */
public final class BidRows {
    private int rows;
    private int[] ends = new int[64];
    private byte[] columns = new byte[2048];
    private float[] values = new float[2048];

    /** Removes all rows. */
    public void clear() {
        rows = 0;
    }

    /** Adds the row whose {@link BidColumn#COUNT} columns begin at a place; O(columns). */
    public void add(float[] row, int at) {
        if (rows == ends.length) {
            ends = Arrays.copyOf(ends, 2 * rows);
        }
        int end = first(rows);
        if (end + BidColumn.COUNT > values.length) {
            columns = Arrays.copyOf(columns, 2 * values.length);
            values = Arrays.copyOf(values, 2 * values.length);
        }
        for (int c = 0; c < BidColumn.COUNT; c++) {
            float value = row[at + c];
            if (value != 0) {
                columns[end] = (byte) c;
                values[end++] = value;
            }
        }
        ends[rows++] = end;
    }

    /** Adds the rows of others, in their order. */
    public void addAll(BidRows others) {
        int from = first(rows);
        int added = others.first(others.rows);
        if (from + added > values.length) {
            columns = Arrays.copyOf(columns, 2 * (from + added));
            values = Arrays.copyOf(values, 2 * (from + added));
        }
        System.arraycopy(others.columns, 0, columns, from, added);
        System.arraycopy(others.values, 0, values, from, added);
        if (rows + others.rows > ends.length) {
            ends = Arrays.copyOf(ends, 2 * (rows + others.rows));
        }
        for (int row = 0; row < others.rows; row++) {
            ends[rows + row] = from + others.ends[row];
        }
        rows += others.rows;
    }

    /** Where a row begins in {@link #columns} and {@link #values}. */
    public int first(int row) {
        return row == 0 ? 0 : ends[row - 1];
    }

    /** Where a row ends in {@link #columns} and {@link #values}. */
    public int end(int row) {
        return ends[row];
    }

    /** The columns of all rows, one row after the other. */
    public byte[] columns() {
        return columns;
    }

    public float[] values() {
        return values;
    }
}
