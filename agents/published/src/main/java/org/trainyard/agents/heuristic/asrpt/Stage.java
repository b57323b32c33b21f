package org.trainyard.agents.heuristic.asrpt;

import org.trainyard.env.Invalid;

/**
 * One stage of a pipeline-parallel and data-parallel job.
 *
 * @param replicas data-parallel copies of the stage, a GPU each
 * @param computeSeconds forward and backward pass of one replica's share of the mini-batch, seconds per iteration
 * @param activationBytes activations that leave the stage per iteration, all replicas together; gradients of that size
 *     come back. Ignored for the last stage
 * @param parameterBytes parameters of the stage, which its replicas all-reduce
 */
record Stage(int replicas, double computeSeconds, double activationBytes, double parameterBytes) {
    Stage {
        Invalid.when(replicas < 1, "replicas (%d) must be at least 1", replicas);
        notNegative("compute time", computeSeconds);
        notNegative("activation bytes", activationBytes);
        notNegative("parameter bytes", parameterBytes);
    }

    private static void notNegative(String name, double value) {
        Invalid.when(!(value >= 0) || Double.isInfinite(value), "%s (%s) must be finite and not negative", name, value);
    }

    /** Bytes that one GPU sends in one ring all-reduce of the parameters; 0 for a stage with one replica. */
    double ringBytes() {
        return 2.0 * (replicas - 1) / replicas * parameterBytes;
    }
}
