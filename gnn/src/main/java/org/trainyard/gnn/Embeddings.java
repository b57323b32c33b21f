package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;

/**
 * The embeddings of N rows, of size H; zero where the server, domain or job does not exist.
 *
 * @param servers N x S x H
 * @param domains N x D x H
 * @param jobs N x W x H
 * @param focus N x 1 x H, the job whose placement the agent is building
 * @param context N x 1 x H, the agent's domain, its queue and the fabric as a whole
 */
public record Embeddings(NDArray servers, NDArray domains, NDArray jobs, NDArray focus, NDArray context) {}
