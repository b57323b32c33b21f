package org.trainyard.agents.learned.export;

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

    /** Writes the outputs for one list of scores; the first of equals is the best. */
    static void write(OnnxValue scores, OnnxValue mask, String axis) {
        OnnxGraph graph = scores.graph();
        OnnxValue legal = scores.where(mask, graph.constant(ILLEGAL));
        graph.output(SCORES, scores, ElementType.FLOAT, axis);
        graph.output(LOG_PROBABILITIES, legal.logSoftmax(-1), ElementType.FLOAT, axis);
        graph.output(BEST, legal.argMax(-1), ElementType.LONG);
    }
}
