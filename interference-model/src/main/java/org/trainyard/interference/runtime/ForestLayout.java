package org.trainyard.interference.runtime;

import java.util.List;
import java.util.random.RandomGenerator;

/** Lays XGBoost's trees out as a {@link Forest}: siblings side by side, leaves with their mean, then each with a job of its own. */
final class ForestLayout {
    private final int[] roots;
    private final byte[] feature;
    private final float[] value;
    private final int[] child;
    private int nodes;

    /** @param centre what the trees' leaves are relative to */
    ForestLayout(List<XgBoostTrees.Tree> trees, float centre) {
        int total = trees.stream().mapToInt(tree -> tree.left().size()).sum();
        roots = new int[trees.size()];
        feature = new byte[total];
        value = new float[total];
        child = new int[total];
        for (int tree = 0; tree < roots.length; tree++) {
            roots[tree] = nodes;
            lay(trees.get(tree), centre, roots.length);
        }
    }

    /** Breadth first: children are laid when their parent is reached, so that they stand side by side. */
    private void lay(XgBoostTrees.Tree tree, float centre, int trees) {
        int[] origin = new int[tree.left().size()];
        int first = nodes++;
        for (int node = first; node < nodes; node++) {
            int from = origin[node - first];
            int left = (int) tree.left().getDouble(from);
            if (left < 0) {
                feature[node] = Forest.LEAF;
                // A leaf is a tree's share of the forest's answer.
                value[node] = (float) (centre + tree.condition().getDouble(from) * trees);
            } else {
                feature[node] = (byte) tree.feature().getDouble(from);
                value[node] = (float) tree.condition().getDouble(from);
                child[node] = nodes;
                origin[nodes - first] = left;
                origin[nodes - first + 1] = (int) tree.right().getDouble(from);
                nodes += 2;
            }
        }
    }

    /** The forest, with one of the jobs that fall into each leaf drawn by lot. */
    Forest filled(RuntimeRows rows, RandomGenerator random) {
        float[] features = rows.features();
        float[] logSeconds = rows.logSeconds();
        int[] seen = new int[feature.length];
        for (int root : roots) {
            for (int row = 0; row < logSeconds.length; row++) {
                int node = root;
                while (feature[node] >= 0) {
                    boolean below = features[row * SubmissionFeatures.COUNT + feature[node]] < value[node];
                    node = below ? child[node] : child[node] + 1;
                }
                // The k-th to come replaces the one there with probability 1/k: all are equally likely to stay.
                if (random.nextInt(++seen[node]) == 0) {
                    child[node] = Float.floatToRawIntBits(logSeconds[row]);
                }
            }
        }
        return new Forest(roots, feature, value, child);
    }
}
