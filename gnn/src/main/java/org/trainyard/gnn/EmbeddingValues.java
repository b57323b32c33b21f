package org.trainyard.gnn;

import org.trainyard.gnn.onnx.OnnxValue;

/**
 * {@link Embeddings} as values of a graph, of the same shapes.
 *
 * @param servers N x S x H
 * @param domains N x D x H
 * @param jobs N x W x H
 * @param focus N x 1 x H
 * @param context N x 1 x H
 */
public record EmbeddingValues(
        OnnxValue servers, OnnxValue domains, OnnxValue jobs, OnnxValue focus, OnnxValue context) {}
