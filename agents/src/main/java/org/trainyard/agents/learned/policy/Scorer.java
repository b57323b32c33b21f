package org.trainyard.agents.learned.policy;

import ai.djl.ndarray.NDArray;
import ai.djl.nn.Activation;
import org.trainyard.gnn.LinearLayer;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.onnx.OnnxValue;

/** Scores items by several vectors each: an MLP with one hidden layer over their concatenation and one output. */
final class Scorer {
    private static final double OUTPUT_GAIN = 0.05;

    private final LinearLayer first;
    private final LinearLayer[] others;
    private final LinearLayer out;
    private final Parameters parameters;
    private final String name;

    /**
     * @param bias initial output bias, near which all initial scores lie
     * @param widths sizes of the vectors, in the order of {@link #score}
     */
    Scorer(Parameters parameters, String name, float bias, int hidden, int... widths) {
        this.parameters = parameters;
        this.name = name;
        first = LinearLayer.of(parameters, name + ".part0", widths[0], hidden);
        others = new LinearLayer[widths.length - 1];
        for (int i = 0; i < others.length; i++) {
            others[i] = LinearLayer.withoutBias(parameters, name + ".part" + (i + 1), widths[i + 1], hidden);
        }
        out = LinearLayer.of(parameters, name + ".out", hidden, 1, OUTPUT_GAIN, bias);
    }

    /** Vectors N x K x width, or N x 1 x width where all items share one, to scores N x K. The sum of the parts' linear maps is the map of their concatenation. */
    NDArray score(NDArray... parts) {
        NDArray sum = first.apply(parts[0]);
        for (int i = 0; i < others.length; i++) {
            sum = sum.add(others[i].apply(parts[i + 1]));
        }
        return out.apply(Activation.relu(sum)).squeeze(2);
    }

    /** Sets the weights so that every score is this one. */
    void setConstant(float score) {
        parameters.set(
                name + ".out.weight",
                new float[(int) parameters.get(name + ".out.weight").size()]);
        parameters.set(name + ".out.bias", new float[] {score});
    }

    /** Whether every score is the output bias, whatever the inputs. */
    boolean isConstant() {
        for (float weight : parameters.get(name + ".out.weight").toFloatArray()) {
            if (weight != 0) {
                return false;
            }
        }
        return true;
    }

    /** Whether a parameter belongs to the output layer, to which scores are proportional. */
    boolean isOfOutput(String parameter) {
        return parameter.startsWith(name + ".out.");
    }

    /** The output bias. */
    float bias() {
        return parameters.get(name + ".out.bias").toFloatArray()[0];
    }

    /** {@link #score} as nodes of a graph. */
    OnnxValue export(OnnxValue... parts) {
        OnnxValue sum = first.export(parts[0]);
        for (int i = 0; i < others.length; i++) {
            sum = sum.plus(others[i].export(parts[i + 1]));
        }
        return out.export(sum.relu()).squeeze(2);
    }
}
