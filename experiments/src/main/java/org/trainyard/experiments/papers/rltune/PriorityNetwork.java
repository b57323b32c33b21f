package org.trainyard.experiments.papers.rltune;

/** The score of a job from its columns: one hidden layer, the same for every job, as in RLTune, but narrower. */
final class PriorityNetwork {
    static final int COLUMNS = 8;
    private static final int HIDDEN = 6;

    private final double[] weights;
    private final int columns;

    PriorityNetwork(double[] weights, int columns) {
        if (weights.length != size(columns)) {
            throw new IllegalArgumentException("a network of (%d) columns has (%d) weights, not (%d)"
                    .formatted(columns, size(columns), weights.length));
        }
        this.weights = weights.clone();
        this.columns = columns;
    }

    /** Weights of a network, hidden unit by unit: of its columns, its threshold, its weight in the sum. */
    static int size(int columns) {
        return HIDDEN * (columns + 2);
    }

    double cost(double[] values) {
        double sum = 0;
        int at = 0;
        for (int unit = 0; unit < HIDDEN; unit++) {
            double in = 0;
            for (int column = 0; column < columns; column++) {
                in += weights[at++] * values[column];
            }
            in += weights[at++];
            sum += weights[at++] * Math.max(0, in);
        }
        return sum;
    }
}
