package org.trainyard.env.performance;

import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/** Who runs where, as far as a performance model needs to know. */
public interface Occupancy {
    /** How many jobs hold GPUs on the server. */
    int jobsOn(int server);

    /** The i-th job holding GPUs on the server; the order is fixed but arbitrary. */
    int jobOn(int server, int i);

    JobSpec job(int job);

    /** The placement of a running job. */
    Placement placement(int job);

    /** A number that is another one after any job has taken or left GPUs, so that what was worked out can be kept until then. */
    long version();
}
