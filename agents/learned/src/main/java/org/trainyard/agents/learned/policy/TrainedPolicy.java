package org.trainyard.agents.learned.policy;

import java.nio.file.Path;
import java.util.Map;

/** A policy that a learner trains: it can be saved and be copied for inference. */
public interface TrainedPolicy extends AutoCloseable {
    /** Writes settings and weights; returns the SHA-256 of the file. */
    String save(Path file);

    /** The cheapest policy that decides alike and shares nothing with this one; the caller closes it. */
    InferencePolicy toInferencePolicy();

    /** What its file says of it, by name: settings and number of weights. */
    Map<String, Object> facts();

    /** Frees its weights where they are outside the heap. */
    @Override
    default void close() {}
}
