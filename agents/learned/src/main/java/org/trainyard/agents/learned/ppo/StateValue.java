package org.trainyard.agents.learned.ppo;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * The cost from a state on as a linear function of its features, for each world the running mean of the functions that
 * updates fit.
 */
public final class StateValue {
    /** Part of a mean that an update keeps. */
    private static final double KEPT = 0.9;

    private final double[] first;
    private final Map<Integer, double[]> weights = new TreeMap<>();

    /** @param first the weights of the features in a world before its first update */
    public StateValue(double... first) {
        this.first = first.clone();
    }

    /** The weights of the features in a world; later updates change them. */
    public double[] of(int world) {
        return weights.computeIfAbsent(world, any -> first.clone());
    }

    /** Takes in the weights that an update finds in a world. */
    public void learn(int world, double[] fitted) {
        double[] mean = of(world);
        for (int f = 0; f < mean.length; f++) {
            mean[f] = KEPT * mean[f] + (1 - KEPT) * fitted[f];
        }
    }

    /** Writes the weights of all worlds. */
    public void write(DataOutput out) throws IOException {
        out.writeInt(weights.size());
        for (Map.Entry<Integer, double[]> world : weights.entrySet()) {
            out.writeInt(world.getKey());
            for (double weight : world.getValue()) {
                out.writeDouble(weight);
            }
        }
    }

    /** Reads what {@link #write} wrote. */
    public void read(DataInput in) throws IOException {
        weights.clear();
        int worlds = in.readInt();
        for (int i = 0; i < worlds; i++) {
            double[] mean = of(in.readInt());
            for (int f = 0; f < mean.length; f++) {
                mean[f] = in.readDouble();
            }
        }
    }
}
