package org.trainyard.agents.learned.export;

import java.util.Arrays;
import org.trainyard.gnn.onnx.ElementType;
import org.trainyard.gnn.onnx.OnnxGraph;
import org.trainyard.gnn.onnx.OnnxValue;

/** The outputs of an exported policy: scores, their log-probabilities under the mask, and the best legal choice. */
public final class Choice {
    public static final String SCORES = "scores";
    public static final String LOG_PROBABILITIES = "log_probabilities";
    public static final String BEST = "best";

    /** The score that an illegal choice gets before the softmax. */
    static final float ILLEGAL = -1e9f;

    private Choice() {}

    /** The score of every legal choice, and for illegal ones less than any. */
    static OnnxValue legal(OnnxValue scores, OnnxValue mask) {
        return scores.where(mask, scores.graph().constant(ILLEGAL));
    }

    /**
     * Writes the outputs.
     *
     * @param scores floats, with choices along the last axis
     * @param best numbers of the best choices, without that axis
     * @param axes names of the axes of the scores
     */
    static void write(OnnxValue scores, OnnxValue mask, OnnxValue best, String... axes) {
        OnnxGraph graph = scores.graph();
        String[] batch = Arrays.copyOf(axes, axes.length - 1);
        graph.output(SCORES, scores, ElementType.FLOAT, axes);
        graph.output(LOG_PROBABILITIES, legal(scores, mask).logSoftmax(-1), ElementType.FLOAT, axes);
        graph.output(BEST, best, ElementType.LONG, batch);
    }
}
