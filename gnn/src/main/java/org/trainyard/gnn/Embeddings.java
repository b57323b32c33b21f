package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;

/**
 * What an encoder makes of N rows; H numbers for everything. Zero where there is no such server, domain or job.
 *
 * @param servers N x S x H
 * @param domains N x D x H
 * @param jobs N x W x H
 * @param focus N x 1 x H, the job taken up
 * @param context N x 1 x H, the agent's domain and its queue as a whole
 */
public record Embeddings(NDArray servers, NDArray domains, NDArray jobs, NDArray focus, NDArray context) {}
