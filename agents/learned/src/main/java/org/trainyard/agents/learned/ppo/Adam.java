package org.trainyard.agents.learned.ppo;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Adam (D. Kingma, J. Ba: Adam: a method for stochastic optimization, ICLR 2015) on plain arrays, uphill.
 *
 * <p>Deviation: 1. the gradient is scaled down to a norm of {@value #MOST_NORM} before it enters the moments.
 */
public final class Adam {
    private static final double MOST_NORM = 1;
    private static final float FIRST_DECAY = 0.9f;
    private static final float SECOND_DECAY = 0.999f;
    private static final float EPSILON = 1e-8f;

    private final float[] first;
    private final float[] second;
    private int steps;

    /** @param weights their number */
    public Adam(int weights) {
        first = new float[weights];
        second = new float[weights];
    }

    /**
     * Moves the weights along a gradient.
     *
     * @param factor on the gradient
     * @return the norm of the gradient times the factor, before it was scaled down
     */
    public double step(float[] weights, float[] gradient, float factor, double learningRate) {
        double squares = 0;
        for (float g : gradient) {
            squares += (double) g * g;
        }
        double norm = factor * Math.sqrt(squares);
        float scale = factor * (norm > MOST_NORM ? (float) (MOST_NORM / norm) : 1);
        steps++;
        double correction = Math.sqrt(1 - Math.pow(SECOND_DECAY, steps)) / (1 - Math.pow(FIRST_DECAY, steps));
        float step = (float) (learningRate * correction);
        for (int w = 0; w < weights.length; w++) {
            float g = gradient[w] * scale;
            first[w] = FIRST_DECAY * first[w] + (1 - FIRST_DECAY) * g;
            second[w] = SECOND_DECAY * second[w] + (1 - SECOND_DECAY) * g * g;
            weights[w] += step * first[w] / ((float) Math.sqrt(second[w]) + EPSILON);
        }
        return norm;
    }

    /** Writes the moments. */
    public void write(DataOutput out) throws IOException {
        out.writeInt(steps);
        for (int w = 0; w < first.length; w++) {
            out.writeFloat(first[w]);
            out.writeFloat(second[w]);
        }
    }

    /** Reads the moments of as many weights. */
    public void read(DataInput in) throws IOException {
        steps = in.readInt();
        for (int w = 0; w < first.length; w++) {
            first[w] = in.readFloat();
            second[w] = in.readFloat();
        }
    }
}
