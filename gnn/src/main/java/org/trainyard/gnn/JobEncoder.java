package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import org.trainyard.env.gym.ObservationSpec;

/** Makes a token of every job, waiting or taken up, by one small network shared by all; zero where there is none, for it has no biases. */
final class JobEncoder {
    private final Dense first;
    private final Dense second;

    JobEncoder(Parameters parameters, int hidden) {
        first = Dense.withoutBias(parameters, "job.first", ObservationSpec.JOB, hidden);
        second = Dense.withoutBias(parameters, "job.second", hidden, hidden);
    }

    /** N x W x JOB and N x 1 x JOB to N x W x H and N x 1 x H, in one pass. */
    NDList encode(NDArray jobs, NDArray focus) {
        NDArray all = jobs.concat(focus, 1);
        return second.applyRelu(first.applyRelu(all))
                .split(new long[] {jobs.getShape().get(1)}, 1);
    }
}
