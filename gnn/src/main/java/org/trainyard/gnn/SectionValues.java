package org.trainyard.gnn;

import org.trainyard.gnn.onnx.OnnxValue;

/**
 * The {@link Sections} of N rows as values of a graph.
 *
 * @param gpus N x S x K x P x GPU
 * @param servers N x S x SERVER
 * @param candidates N x S x CANDIDATE
 * @param jobs N x W x JOB
 * @param focus N x 1 x JOB
 * @param domains N x D x DOMAIN
 * @param links N x C x LINK
 * @param parents N x C, whole numbers
 * @param global N x 1 x GLOBAL
 */
public record SectionValues(
        OnnxValue gpus,
        OnnxValue servers,
        OnnxValue candidates,
        OnnxValue jobs,
        OnnxValue focus,
        OnnxValue domains,
        OnnxValue links,
        OnnxValue parents,
        OnnxValue global) {
    /** The first column, which says whether an item exists. */
    static OnnxValue exists(OnnxValue features) {
        return features.slice(-1, 0, 1);
    }

    /** {@link Tensors#mean} as nodes of a graph. */
    static OnnxValue mean(OnnxValue x, OnnxValue exists, int axis) {
        return x.sum(axis).over(exists.sum(axis).atLeast(1));
    }
}
