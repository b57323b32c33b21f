package org.trainyard.interference.model.network;

import java.util.List;
import org.trainyard.interference.model.Pair;
import org.trainyard.interference.model.PairEncoder;
import org.trainyard.interference.model.PairModel;

/**
 * A few small networks of pairs and the mean of their answers, in plain Java.
 *
 * <p>Each is a network of two hidden layers whose output, through a softplus, is what one neighbour adds to the logarithm of the slowdown; over
 * several neighbours these add up, so the answer does not depend on their order (M. Zaheer et al.: Deep sets, NeurIPS 2017), and
 * being positive they never speed a victim up. Immutable.
 *
 * @param members the trained networks
 */
public record NetworkModel(PairEncoder encoder, List<Layers> members) implements PairModel {
    /**
     * One network's weights; arrays are handed over, not copied.
     *
     * @param in hidden x width, row by row; then hidden biases
     * @param middle hidden x hidden, row by row
     * @param out hidden
     */
    @SuppressWarnings("ArrayRecordComponent") // Weights of a layer, read in loops.
    public record Layers(float[] in, float[] inBias, float[] middle, float[] middleBias, float[] out, float outBias) {
        /** What a neighbour adds to the logarithm of the slowdown. {@code scratch} has twice the hidden size. */
        double extra(float[] rows, int from, int width, float[] scratch) {
            int hidden = inBias.length;
            layer(rows, from, width, in, inBias, scratch, 0);
            layer(scratch, 0, hidden, middle, middleBias, scratch, hidden);
            float sum = outBias;
            for (int i = 0; i < hidden; i++) {
                sum += out[i] * scratch[hidden + i];
            }
            return sum > 20 ? sum : Math.log1p(Math.exp(sum));
        }

        private static void layer(float[] x, int from, int width, float[] weight, float[] bias, float[] into, int at) {
            for (int i = 0; i < bias.length; i++) {
                float sum = bias[i];
                for (int k = 0; k < width; k++) {
                    sum += weight[i * width + k] * x[from + k];
                }
                into[at + i] = Math.max(0, sum);
            }
        }
    }

    public NetworkModel {
        members = List.copyOf(members);
        for (Layers layers : members) {
            int hidden = layers.inBias.length;
            if (layers.in.length != hidden * encoder.width()
                    || layers.middle.length != hidden * hidden
                    || layers.middleBias.length != hidden
                    || layers.out.length != hidden) {
                throw new IllegalArgumentException(
                        "weights do not fit (%d) inputs and (%d) hidden".formatted(encoder.width(), hidden));
            }
        }
    }

    @Override
    public double[] ratios(List<Pair> pairs) {
        float[] rows = encoder.encode(pairs, 0);
        double[] ratios = new double[pairs.size()];
        int width = encoder.width();
        for (Layers layers : members) {
            float[] scratch = new float[2 * layers.inBias.length];
            for (int i = 0; i < ratios.length; i++) {
                ratios[i] += Math.exp(-layers.extra(rows, i * width, width, scratch)) / members.size();
            }
        }
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = PairModel.limit(ratios[i]);
        }
        return ratios;
    }
}
