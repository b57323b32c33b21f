package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import org.trainyard.env.gym.ObservationSpec;

/** Makes a token of every job, waiting or taken up, by one small network shared by all. */
final class JobEncoder {
    private final Dense first;
    private final Dense second;

    JobEncoder(Parameters parameters, int hidden) {
        first = Dense.of(parameters, "job.first", ObservationSpec.JOB, hidden);
        second = Dense.of(parameters, "job.second", hidden, hidden);
    }

    /** N x W x JOB to N x W x H. */
    NDArray encode(NDArray jobs) {
        return second.applyRelu(first.applyRelu(jobs)).mul(Tensors.exists(jobs));
    }
}
