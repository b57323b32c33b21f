package org.trainyard.interference.runtime;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;

/**
 * Regression trees in flat arrays, which answer with the mean of their leaves and with quantiles.
 *
 * <p>Every leaf holds the mean of its jobs and one of them drawn by lot; a quantile is one of the drawn jobs of the leaves a row falls
 * into. So N. Meinshausen: Quantile regression forests, JMLR 7, 2006, with the deviation (1) of one job for each leaf instead of all,
 * which 100 trees make up for at a hundredth of the size. All values are logarithms of seconds. Immutable; a class rather than a
 * record because it holds arrays.
 *
 * <p>Node {@code i} with {@code feature[i] >= 0} sends a row to {@code child[i]} when the feature is below {@code value[i]}, else to
 * {@code child[i] + 1}; a leaf has feature {@value #LEAF}, its mean in {@code value} and the bits of its drawn job in {@code child}.
 */
final class Forest {
    static final byte LEAF = -1;

    /** Rows walked through one tree before the next tree's turn: they stay in the processor's cache, and so does the tree. */
    private static final int BLOCK = 512;

    private final int[] roots;
    private final byte[] feature;
    private final float[] value;
    private final int[] child;

    /** Takes the arrays as they are. */
    Forest(int[] roots, byte[] feature, float[] value, int[] child) {
        this.roots = roots;
        this.feature = feature;
        this.value = value;
        this.child = child;
    }

    int trees() {
        return roots.length;
    }

    int nodes() {
        return feature.length;
    }

    /** The leaf of a tree that a row in a table of rows falls into. */
    private int leaf(int tree, float[] rows, int offset) {
        int node = roots[tree];
        while (feature[node] >= 0) {
            node = rows[offset + feature[node]] < value[node] ? child[node] : child[node] + 1;
        }
        return node;
    }

    /** The mean of a row's leaves. */
    double mean(float[] row) {
        double sum = 0;
        for (int tree = 0; tree < roots.length; tree++) {
            sum += value[leaf(tree, row, 0)];
        }
        return sum / roots.length;
    }

    /** The means of many rows, which stand one after the other; the same as asking for each. */
    double[] means(float[] rows) {
        int width = SubmissionFeatures.COUNT;
        double[] means = new double[rows.length / width];
        for (int from = 0; from < means.length; from += BLOCK) {
            int to = Math.min(means.length, from + BLOCK);
            for (int tree = 0; tree < roots.length; tree++) {
                for (int row = from; row < to; row++) {
                    means[row] += value[leaf(tree, rows, row * width)];
                }
            }
        }
        for (int row = 0; row < means.length; row++) {
            means[row] /= roots.length;
        }
        return means;
    }

    /** The jobs drawn in a row's leaves, ascending: its distribution, a tree each. */
    double[] distribution(float[] row) {
        double[] drawn = new double[roots.length];
        for (int tree = 0; tree < roots.length; tree++) {
            drawn[tree] = Float.intBitsToFloat(child[leaf(tree, row, 0)]);
        }
        Arrays.sort(drawn);
        return drawn;
    }

    /** A quantile of an ascending distribution, linear between its members. */
    static double quantile(double[] distribution, double q) {
        double at = q * (distribution.length - 1);
        int below = (int) at;
        int above = Math.min(below + 1, distribution.length - 1);
        return distribution[below] + (at - below) * (distribution[above] - distribution[below]);
    }

    void write(DataOutputStream out) throws IOException {
        out.writeInt(roots.length);
        out.writeInt(feature.length);
        for (int root : roots) {
            out.writeInt(root);
        }
        out.write(feature);
        for (int node = 0; node < feature.length; node++) {
            out.writeFloat(value[node]);
            out.writeInt(child[node]);
        }
    }

    static Forest read(DataInputStream in) throws IOException {
        int[] roots = new int[in.readInt()];
        int nodes = in.readInt();
        for (int i = 0; i < roots.length; i++) {
            roots[i] = in.readInt();
        }
        byte[] feature = in.readNBytes(nodes);
        float[] value = new float[nodes];
        int[] child = new int[nodes];
        for (int node = 0; node < nodes; node++) {
            value[node] = in.readFloat();
            child[node] = in.readInt();
        }
        return new Forest(roots, feature, value, child);
    }
}
