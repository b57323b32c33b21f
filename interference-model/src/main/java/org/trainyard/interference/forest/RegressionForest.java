package org.trainyard.interference.forest;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * A random forest of regression trees in flat arrays; predicts means and quantiles in plain Java.
 *
 * <p>L. Breiman: Random forests, Machine Learning 45, 2001, grown by XGBoost with all trees in its only round; our
 * deviation: a tree's rows are drawn without replacement. Quantiles after N. Meinshausen: Quantile regression forests,
 * JMLR 7, 2006, with the deviation that a leaf keeps one training target drawn uniformly instead of all: 100 trees make
 * up for it at a hundredth of the size. Immutable; a class rather than a record because it holds arrays.
 *
 * <p>Node {@code i} with {@code feature[i] >= 0} sends a row to {@code child[i]} when the feature is below
 * {@code value[i]}, else to {@code child[i] + 1}; a missing feature (NaN) goes to {@code child[i]} where
 * {@code missingLeft[i]}. A leaf has feature {@value #LEAF}, its mean in {@code value} and the bits of its drawn target
 * in {@code child}.
 */
public final class RegressionForest {
    private static final byte LEAF = -1;

    /**
     * Rows walked through one tree before the next tree's turn: the rows and the tree stay in the processor's cache.
     */
    private static final int BLOCK = 512;

    private final int[] roots;
    private final byte[] feature;
    private final float[] value;
    private final int[] child;
    private final boolean[] missingLeft;
    private int laid;

    private RegressionForest(int trees, int nodes) {
        roots = new int[trees];
        feature = new byte[nodes];
        value = new float[nodes];
        child = new int[nodes];
        missingLeft = new boolean[nodes];
    }

    /** Lays out XGBoost's trees; their leaves are offsets from {@code centre}, divided by the number of trees. */
    static RegressionForest of(List<XgBoostTrees.Tree> trees, float centre) {
        int nodes = trees.stream().mapToInt(tree -> tree.left().size()).sum();
        RegressionForest forest = new RegressionForest(trees.size(), nodes);
        for (int tree = 0; tree < trees.size(); tree++) {
            forest.lay(tree, trees.get(tree), centre);
        }
        return forest;
    }

    /** Breadth first: a node's children are laid when the node is reached, so that siblings are adjacent. */
    private void lay(int at, XgBoostTrees.Tree tree, float centre) {
        roots[at] = laid;
        int[] origin = new int[tree.left().size()];
        int first = laid++;
        for (int node = first; node < laid; node++) {
            int from = origin[node - first];
            int left = (int) tree.left().getDouble(from);
            if (left < 0) {
                feature[node] = LEAF;
                value[node] = (float) (centre + tree.condition().getDouble(from) * roots.length);
            } else {
                feature[node] = (byte) tree.feature().getDouble(from);
                value[node] = (float) tree.condition().getDouble(from);
                missingLeft[node] = tree.defaultLeft().getDouble(from) != 0;
                child[node] = laid;
                origin[laid - first] = left;
                origin[laid - first + 1] = (int) tree.right().getDouble(from);
                laid += 2;
            }
        }
    }

    /**
     * Grows a forest on one thread; equal tables, settings and seeds give equal forests.
     *
     * @param centre the prediction that leaves are offsets from
     * @param settings XGBoost's parameters of a tree, such as {@code max_depth}
     * @param draws decides which training target each leaf keeps
     */
    public static RegressionForest grow(
            XgBoost.Table table,
            int trees,
            float centre,
            Map<String, Object> settings,
            long seed,
            RandomGenerator draws) {
        RegressionForest forest = XgBoost.train(
                table, parameters(trees, centre, settings, seed), 1, booster -> of(XgBoost.trees(booster), centre));
        forest.drawTargets(table, draws);
        return forest;
    }

    /** XGBoost's parameters of a random forest. */
    static Map<String, Object> parameters(int trees, float centre, Map<String, Object> settings, long seed) {
        Map<String, Object> parameters = XgBoost.parameters(seed, settings);
        parameters.put("num_parallel_tree", trees);
        parameters.put("learning_rate", 1);
        parameters.put("lambda", 0);
        parameters.put("base_score", centre);
        return parameters;
    }

    /** Gives each leaf one of the training targets that fall into it, each with the same probability. */
    private void drawTargets(XgBoost.Table table, RandomGenerator random) {
        int[] seen = new int[feature.length];
        for (int tree = 0; tree < roots.length; tree++) {
            for (int row = 0; row < table.labels().length; row++) {
                int leaf = leaf(tree, table.features(), row * table.width());
                // Reservoir sampling: the k-th row replaces the one there with probability 1/k.
                if (random.nextInt(++seen[leaf]) == 0) {
                    child[leaf] = Float.floatToRawIntBits(table.labels()[row]);
                }
            }
        }
    }

    public int trees() {
        return roots.length;
    }

    /** Number of nodes of all trees, leaves included. */
    public int nodes() {
        return feature.length;
    }

    /** The leaf of a tree that the row at {@code offset} falls into. */
    private int leaf(int tree, float[] rows, int offset) {
        int node = roots[tree];
        while (feature[node] >= 0) {
            float its = rows[offset + feature[node]];
            boolean left = its < value[node] || (missingLeft[node] && Float.isNaN(its));
            node = left ? child[node] : child[node] + 1;
        }
        return node;
    }

    /** The mean of a row's leaves. */
    public double mean(float[] row) {
        return means(row, row.length)[0];
    }

    /** The means of many rows of so many features, which stand one after the other. */
    public double[] means(float[] rows, int width) {
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

    /** The drawn targets of a row's leaves, ascending: a sample of its distribution, one value per tree. */
    public double[] distribution(float[] row) {
        double[] drawn = new double[roots.length];
        for (int tree = 0; tree < roots.length; tree++) {
            drawn[tree] = Float.intBitsToFloat(child[leaf(tree, row, 0)]);
        }
        Arrays.sort(drawn);
        return drawn;
    }

    /** A quantile of an ascending sample, linear between its members. */
    public static double quantile(double[] distribution, double q) {
        double at = q * (distribution.length - 1);
        int below = (int) at;
        int above = Math.min(below + 1, distribution.length - 1);
        return distribution[below] + (at - below) * (distribution[above] - distribution[below]);
    }

    /** Writes the forest; the directions of missing features are left out, for run-time features are never missing. */
    public void write(DataOutputStream out) throws IOException {
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

    /** Reads a forest that {@link #write} wrote. */
    public static RegressionForest read(DataInputStream in) throws IOException {
        int trees = in.readInt();
        RegressionForest forest = new RegressionForest(trees, in.readInt());
        for (int i = 0; i < trees; i++) {
            forest.roots[i] = in.readInt();
        }
        in.readFully(forest.feature);
        for (int node = 0; node < forest.feature.length; node++) {
            forest.value[node] = in.readFloat();
            forest.child[node] = in.readInt();
        }
        return forest;
    }
}
