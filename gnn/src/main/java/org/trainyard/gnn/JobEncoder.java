package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.gnn.onnx.OnnxValue;

/**
 * Embeds every job, those of the window and the focus job, by one MLP that all jobs share. It has no biases, so the
 * embedding of an empty slot is zero, and the window is encoded only as far as the longest queue of the batch
 * reaches.
 */
final class JobEncoder {
    private static final int[] SLOTS = {1};

    private final LinearLayer first;
    private final LinearLayer second;

    JobEncoder(Parameters parameters, int hidden) {
        first = LinearLayer.withoutBias(parameters, "job.first", ObservationSpace.JOB, hidden);
        second = LinearLayer.withoutBias(parameters, "job.second", hidden, hidden);
    }

    /**
     * Embeddings of the jobs of N rows.
     *
     * @param jobs N x W x H
     * @param focus N x 1 x H
     * @param queue N x 1 x 2H: mean and maximum over the jobs of the window
     */
    record Tokens(NDArray jobs, NDArray focus, NDArray queue) {}

    /** Windows, N x W x JOB, and focus jobs, N x 1 x JOB, in one pass. */
    Tokens encode(NDArray jobs, NDArray focus) {
        int count = Math.toIntExact(jobs.getShape().get(0));
        int window = Math.toIntExact(jobs.getShape().get(1));
        float[] exist = Tensors.exists(jobs).toFloatArray();
        int used = Math.max(1, longest(exist, window));
        NDManager scope = jobs.getManager();
        NDArray seen = used == window ? jobs : jobs.split(new long[] {used}, 1).get(0);
        NDList tokens = second.applyRelu(first.applyRelu(seen.concat(focus, 1))).split(new long[] {used}, 1);
        NDArray waiting = tokens.get(0);
        NDArray shares = Tensors.copyOf(shares(exist, count, window), new Shape(count, 1, 1), scope);
        NDArray mean = waiting.sum(SLOTS, true).muli(shares);
        NDArray queue = mean.concat(Tensors.max(waiting, 1), -1);
        if (used < window) {
            long hidden = waiting.getShape().get(2);
            waiting = waiting.concat(scope.zeros(new Shape(count, window - used, hidden)), 1);
        }
        return new Tokens(waiting, tokens.get(1), queue);
    }

    /** The greatest number of slots that a row uses. */
    private static int longest(float[] exist, int window) {
        int longest = 0;
        for (int i = 0; i < exist.length; i++) {
            if (exist[i] != 0) {
                longest = Math.max(longest, i % window + 1);
            }
        }
        return longest;
    }

    /** One over the number of jobs, for every row. */
    private static float[] shares(float[] exist, int count, int window) {
        float[] shares = new float[count];
        for (int row = 0; row < count; row++) {
            float jobs = 0;
            for (int slot = 0; slot < window; slot++) {
                jobs += exist[row * window + slot];
            }
            shares[row] = 1 / Math.max(1, jobs);
        }
        return shares;
    }

    /**
     * {@link Tokens} as values of a graph.
     *
     * @param jobs N x W x H
     * @param focus N x 1 x H
     * @param queue N x 1 x 2H
     */
    record TokenValues(OnnxValue jobs, OnnxValue focus, OnnxValue queue) {}

    /** {@link #encode} as nodes of a graph. */
    TokenValues export(OnnxValue jobs, OnnxValue focus) {
        OnnxValue window = jobs.size(1);
        OnnxValue tokens =
                second.export(first.export(jobs.concat(1, focus)).relu()).relu();
        OnnxValue waiting = tokens.slice(1, jobs.graph().list(0), window);
        OnnxValue mean = SectionValues.mean(waiting, SectionValues.exists(jobs), 1);
        return new TokenValues(waiting, tokens.from(1, window), mean.concat(-1, waiting.max(1)));
    }
}
