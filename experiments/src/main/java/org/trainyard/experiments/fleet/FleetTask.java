package org.trainyard.experiments.fleet;

import java.io.Serializable;

/** A task that may run on another machine: the answer depends on its bytes alone. */
@FunctionalInterface
public interface FleetTask extends Serializable {
    /**
     * @param broadcast what all tasks read
     * @param input what this one reads
     */
    byte[] run(byte[] broadcast, byte[] input);
}
