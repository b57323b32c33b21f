package org.trainyard.experiments.twin;

import java.util.List;

/**
 * A run of a job as the accounting or the log has it.
 *
 * @param job the job or task, as in {@code 17} or {@code 51_2}
 * @param submitSecond its submission, or when it was requeued
 * @param startMillis its start; -1 when it never started
 * @param endMillis its end, or when it was cancelled while it waited; -1 where nobody says
 * @param requeued whether it was preempted and requeued
 * @param cancelled whether somebody cancelled it
 * @param well whether it ended as it should
 */
record TwinRun(
        String job,
        long submitSecond,
        long startMillis,
        long endMillis,
        List<String> nodes,
        boolean requeued,
        boolean cancelled,
        boolean well) {
    /** The name that a log has for all tasks of its array; its own where it is of none. */
    String array() {
        return job.replaceFirst("_.*", "_*");
    }
}
