package org.trainyard.env.simulation;

import org.trainyard.env.topology.Placement;

/** Receives decisions one at a time, in the order in which they must be made. */
public interface DecisionSink {
    /** Starts the waiting job on the placement. */
    void start(int job, Placement placement);

    /** Hands the waiting job to the domain. */
    void forward(int job, int domain);

    /** Preempts the running job. */
    void preempt(int job);
}
