package org.trainyard.agents.learned.bids;

import java.util.Arrays;
import org.trainyard.gnn.ArrayProducts;
import org.trainyard.gnn.ArraySums;

/**
 * Bids of one kind that are scored and descended together: the same sums as of {@link BidNetwork#score}, term by
 * term in the same order, but over arrays of many bids and of many columns, and the way back. Further inputs of bids are added
 * after all columns.
 */
public final class BidBlock {
    /** Rows that are read once for all units, so that they stay in the nearest cache. */
    private static final int NEAR = 64;

    private final BidNetwork network;
    private final int kind;
    private final int hidden;
    /** The columns that bids of the kind have, rising, and by column its place among them. */
    private int[] columns = {};

    private int[] placeOf = {};
    private int size;
    /** By place of a column and bid, and by bid and place with a last one that is 1. */
    private float[][] byColumn = {};

    private float[][] byBid = {};
    /** By hidden unit and bid its value, later the slope by it; behind the units the score, later the slope. */
    private final float[][] units;
    /** By hidden unit, and for the linear term behind them, the gradient by place; and that of the output weights. */
    private final float[][] gradient;

    private final float[] outGradient;
    /** By further input and bid, its value and the slope by it; by unit, and for the linear term, and input the gradient. */
    private final float[][] further;

    private final float[][] furtherSlopes;
    private final float[] furtherGradient;

    public BidBlock(BidNetwork network, int kind) {
        this.network = network;
        this.kind = kind;
        hidden = network.hidden();
        units = new float[hidden + 1][0];
        gradient = new float[hidden + 1][1];
        outGradient = new float[hidden];
        further = new float[network.inputs()][0];
        furtherSlopes = new float[network.inputs()][0];
        furtherGradient = new float[(hidden + 1) * network.inputs()];
    }

    /** Begins with bids that have no other columns than these, which rise. */
    public void begin(int[] newColumns) {
        columns = newColumns;
        placeOf = new int[columns.length == 0 ? 0 : columns[columns.length - 1] + 1];
        Arrays.fill(placeOf, -1);
        for (int place = 0; place < columns.length; place++) {
            placeOf[columns[place]] = place;
        }
        byColumn = new float[columns.length][units[0].length];
        byBid = new float[units[0].length][columns.length + 1];
        size = 0;
        Arrays.setAll(gradient, unit -> new float[columns.length + 1]);
    }

    /** Forgets the bids. */
    public void clear() {
        for (float[] ofColumn : byColumn) {
            Arrays.fill(ofColumn, 0, size, 0);
        }
        size = 0;
    }

    /** Sets the gradient to 0. */
    public void clearGradient() {
        for (float[] ofUnit : gradient) {
            Arrays.fill(ofUnit, 0);
        }
        Arrays.fill(outGradient, 0);
        Arrays.fill(furtherGradient, 0);
    }

    /** Adds a bid; returns its number. */
    public int add(BidRows rows, int row) {
        if (size == byBid.length) {
            grow();
        }
        float[] own = byBid[size];
        Arrays.fill(own, 0);
        own[columns.length] = 1;
        byte[] of = rows.columns();
        float[] values = rows.values();
        int end = rows.end(row);
        for (int i = rows.first(row); i < end; i++) {
            int place = of[i] < placeOf.length ? placeOf[of[i]] : -1;
            if (place >= 0) {
                own[place] = values[i];
                byColumn[place][size] = values[i];
            }
        }
        return size++;
    }

    private void grow() {
        int room = Math.max(NEAR, 2 * size);
        byBid = Arrays.copyOf(byBid, room);
        for (int bid = size; bid < room; bid++) {
            byBid[bid] = new float[columns.length + 1];
        }
        Arrays.setAll(byColumn, place -> Arrays.copyOf(byColumn[place], room));
        Arrays.setAll(units, unit -> Arrays.copyOf(units[unit], room));
        Arrays.setAll(further, input -> new float[room]);
        Arrays.setAll(furtherSlopes, input -> new float[room]);
    }

    /** Number of bids. */
    public int size() {
        return size;
    }

    /** By further input and bid, its value, which is to be set before {@link #score}. */
    public float[][] further() {
        return further;
    }

    /** By further input and bid, the slope by it after {@link #backward}. */
    public float[][] furtherSlopes() {
        return furtherSlopes;
    }

    /** Scores all bids. */
    public void score() {
        BidLayout layout = network.layout();
        float[] weights = network.weights();
        int count = columns.length;
        float[] ofColumns = new float[(hidden + 1) * count];
        for (int place = 0; place < count; place++) {
            for (int j = 0; j < hidden; j++) {
                ofColumns[j * count + place] = weights[layout.hiddenAt(kind) + columns[place] * hidden + j];
            }
            ofColumns[hidden * count + place] = weights[layout.linearAt(kind) + columns[place]];
        }
        for (int j = 0; j <= hidden; j++) {
            float bias = weights[j == hidden ? layout.biasAt(kind) : layout.hiddenBiasAt(kind) + j];
            ArraySums.set(units[j], bias, size, byColumn, count, ofColumns, j * count, 1);
        }
        addFurther();
        for (int j = 0; j < hidden; j++) {
            addRectified(units[hidden], units[j], size, weights[layout.outAt(kind) + j]);
        }
    }

    private void addFurther() {
        int inputs = further.length;
        for (int j = 0; j <= hidden && inputs > 0; j++) {
            ArraySums.add(units[j], size, further, 0, inputs, network.weights(), furtherAt(j), furtherStride(j));
        }
    }

    /** Where the weights of the further inputs for a unit, or for the linear term behind the units, begin. */
    private int furtherAt(int unit) {
        BidLayout layout = network.layout();
        int columnsOfAll = layout.width() - further.length;
        return unit == hidden
                ? layout.linearAt(kind) + columnsOfAll
                : layout.hiddenAt(kind) + columnsOfAll * hidden + unit;
    }

    private int furtherStride(int unit) {
        return unit == hidden ? 1 : hidden;
    }

    private static void addRectified(float[] sum, float[] units, int size, float weight) {
        for (int bid = 0; bid < size; bid++) {
            sum[bid] += Math.max(units[bid], 0) * weight;
        }
    }

    /** The score of a bid; after {@link #slope} that slope. */
    public float score(int bid) {
        return units[hidden][bid];
    }

    /** Sets the slope by the score of a bid. */
    public void slope(int bid, float slope) {
        units[hidden][bid] = slope;
    }

    /** Adds the derivatives of the scores of all bids, each times its slope, to the gradient. */
    public void backward() {
        float[] slopes = units[hidden];
        for (int j = 0; j < hidden; j++) {
            float out = network.weights()[network.layout().outAt(kind) + j];
            outGradient[j] = rectify(units[j], slopes, size, out, outGradient[j]);
        }
        for (int from = 0; from < size; from += NEAR) {
            int count = Math.min(NEAR, size - from);
            for (int j = 0; j <= hidden; j++) {
                ArraySums.add(gradient[j], columns.length + 1, byBid, from, count, units[j], from, 1);
            }
        }
        backwardFurther();
    }

    private void backwardFurther() {
        int inputs = further.length;
        ArrayProducts.add(units, hidden + 1, further, inputs, size, furtherGradient, 0);
        for (int i = 0; i < inputs; i++) {
            float[] slopes = furtherSlopes[i];
            ArraySums.set(slopes, 0, size, units, hidden, network.weights(), furtherAt(0) + i * hidden, 1);
            ArraySums.add(slopes, size, units[hidden], network.weights()[furtherAt(hidden) + i]);
        }
    }

    /** Makes slopes of the values of a unit; returns the sum of a gradient by its output weight and of theirs. */
    private static float rectify(float[] unit, float[] slopes, int size, float weight, float gradient) {
        float sum = gradient;
        for (int bid = 0; bid < size; bid++) {
            float value = unit[bid];
            sum += value > 0 ? slopes[bid] * value : 0;
            unit[bid] = value > 0 ? slopes[bid] * weight : 0;
        }
        return sum;
    }

    /** Adds the gradient to that of all weights, times a factor. */
    public void addGradient(float[] all, float factor) {
        BidLayout layout = network.layout();
        int count = columns.length;
        for (int j = 0; j < hidden; j++) {
            for (int place = 0; place < count; place++) {
                all[layout.hiddenAt(kind) + columns[place] * hidden + j] += factor * gradient[j][place];
            }
            all[layout.hiddenBiasAt(kind) + j] += factor * gradient[j][count];
            all[layout.outAt(kind) + j] += factor * outGradient[j];
        }
        for (int place = 0; place < count; place++) {
            all[layout.linearAt(kind) + columns[place]] += factor * gradient[hidden][place];
        }
        all[layout.biasAt(kind)] += factor * gradient[hidden][count];
        for (int j = 0; j <= hidden; j++) {
            for (int i = 0; i < further.length; i++) {
                all[furtherAt(j) + i * furtherStride(j)] += factor * furtherGradient[j * further.length + i];
            }
        }
    }
}
