package org.trainyard.agents.learned.ppo;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Running mean and standard deviation of returns: exponential averages over updates. */
final class RunningReturnScale {
    private static final int MEMORY = 20;

    private double mean;
    private double meanSquare;
    private int updates;

    /** Adds the mean and the mean square of a rollout. */
    void add(double rolloutMean, double rolloutMeanSquare) {
        updates++;
        double weight = 1.0 / Math.min(updates, MEMORY);
        mean += weight * (rolloutMean - mean);
        meanSquare += weight * (rolloutMeanSquare - meanSquare);
    }

    double mean() {
        return mean;
    }

    double deviation() {
        return updates == 0 ? 1 : Math.max(1e-4, Math.sqrt(Math.max(0, meanSquare - mean * mean)));
    }

    float normalise(double value) {
        return (float) ((value - mean) / deviation());
    }

    double restore(float normalised) {
        return normalised * deviation() + mean;
    }

    void write(DataOutput out) throws IOException {
        out.writeDouble(mean);
        out.writeDouble(meanSquare);
        out.writeInt(updates);
    }

    void read(DataInput in) throws IOException {
        mean = in.readDouble();
        meanSquare = in.readDouble();
        updates = in.readInt();
    }
}
