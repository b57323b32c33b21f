package org.trainyard.experiments.distributed;

import java.util.List;

/** Runs independent tasks and gathers their answers. */
public interface Fleet extends AutoCloseable {
    /** Takes the answers, in any order, one at a time. */
    @FunctionalInterface
    interface Gather {
        void take(int number, byte[] answer);
    }

    /**
     * Runs a task once for every input. Answers are the same wherever tasks run. When a task fails, tasks that have not
     * begun are left out, the answers of the others are gathered, and the failure is thrown.
     *
     * @param broadcast what all tasks read, sent once to every machine
     */
    void run(FleetTask task, byte[] broadcast, List<byte[]> inputs, Gather gather);

    @Override
    void close();
}
