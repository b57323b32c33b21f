package org.trainyard.agents.learned.bids;

/**
 * The products of the row of a bid with the weights of hidden units: blocks of {@value #BLOCK} units, whose sums the
 * compiler keeps in registers. Every unit adds up its terms in the order of the row's entries, so blocks change no
 * digit.
 */
final class UnitBlocks {
    private static final int BLOCK = 16;

    private UnitBlocks() {}

    /**
     * Adds to hidden units the row times their weights.
     *
     * @param weights by column and unit, from {@code from} on
     * @param units sums, from {@code at} on
     */
    static void addRow(BidRows rows, int row, float[] weights, int from, int hidden, float[] units, int at) {
        byte[] columns = rows.columns();
        float[] values = rows.values();
        int first = rows.first(row);
        int end = rows.end(row);
        int block = 0;
        for (; block + BLOCK <= hidden; block += BLOCK) {
            addBlock(columns, values, first, end, weights, from + block, hidden, units, at + block);
        }
        for (int i = first; i < end && block < hidden; i++) {
            float x = values[i];
            int w = from + columns[i] * hidden;
            for (int j = block; j < hidden; j++) {
                units[at + j] += x * weights[w + j];
            }
        }
    }

    private static void addBlock(
            byte[] columns, float[] values, int first, int end, float[] w, int from, int stride, float[] u, int at) {
        float u0 = u[at];
        float u1 = u[at + 1];
        float u2 = u[at + 2];
        float u3 = u[at + 3];
        float u4 = u[at + 4];
        float u5 = u[at + 5];
        float u6 = u[at + 6];
        float u7 = u[at + 7];
        float u8 = u[at + 8];
        float u9 = u[at + 9];
        float u10 = u[at + 10];
        float u11 = u[at + 11];
        float u12 = u[at + 12];
        float u13 = u[at + 13];
        float u14 = u[at + 14];
        float u15 = u[at + 15];
        for (int i = first; i < end; i++) {
            float x = values[i];
            int r = from + columns[i] * stride;
            u0 += x * w[r];
            u1 += x * w[r + 1];
            u2 += x * w[r + 2];
            u3 += x * w[r + 3];
            u4 += x * w[r + 4];
            u5 += x * w[r + 5];
            u6 += x * w[r + 6];
            u7 += x * w[r + 7];
            u8 += x * w[r + 8];
            u9 += x * w[r + 9];
            u10 += x * w[r + 10];
            u11 += x * w[r + 11];
            u12 += x * w[r + 12];
            u13 += x * w[r + 13];
            u14 += x * w[r + 14];
            u15 += x * w[r + 15];
        }
        u[at] = u0;
        u[at + 1] = u1;
        u[at + 2] = u2;
        u[at + 3] = u3;
        u[at + 4] = u4;
        u[at + 5] = u5;
        u[at + 6] = u6;
        u[at + 7] = u7;
        u[at + 8] = u8;
        u[at + 9] = u9;
        u[at + 10] = u10;
        u[at + 11] = u11;
        u[at + 12] = u12;
        u[at + 13] = u13;
        u[at + 14] = u14;
        u[at + 15] = u15;
    }
}
