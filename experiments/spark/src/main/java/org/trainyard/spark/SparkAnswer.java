package org.trainyard.spark;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a task on an executor: its answer or its failure. A failure comes back as an answer because it would
 * be the same on every machine; Spark repeats only tasks whose machine is lost. Executors have no class of Trainyard
 * beside this package, so a failure is its class name and its message.
 *
 * @param answer null after a failure
 * @param failure class name, null after success
 * @param message of the failure
 */
@SuppressWarnings("ArrayRecordComponent") // It is only handed over.
record SparkAnswer(
        byte @Nullable [] answer,
        @Nullable String failure,
        @Nullable String message) implements Serializable {
    private static final long serialVersionUID = 1;

    static SparkAnswer of(byte[] answer) {
        return new SparkAnswer(answer, null, null);
    }

    static SparkAnswer failed(Throwable failure) {
        return new SparkAnswer(null, failure.getClass().getName(), failure.getMessage());
    }
}
