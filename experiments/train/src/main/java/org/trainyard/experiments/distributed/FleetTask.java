package org.trainyard.experiments.distributed;

/**
 * A task that may run on another machine: the answer depends on its bytes alone. A fleet of machines makes tasks of the
 * same class anew there, so the class is public and has a public constructor without parameters.
 */
@FunctionalInterface
public interface FleetTask {
    /**
     * Runs; several threads may run the same task.
     *
     * @param broadcast what all tasks read
     * @param input what this one reads
     */
    byte[] run(byte[] broadcast, byte[] input);
}
