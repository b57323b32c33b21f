package org.trainyard.env.performance;

import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/** The placements of running jobs, as performance models see them. */
public interface Occupancy {
    int jobsOn(int server);

    /** The i-th job on the server; the order is fixed but arbitrary. */
    int jobOn(int server, int i);

    JobSpec job(int job);

    /** The placement of a running job. */
    Placement placement(int job);

    /** A version that changes whenever a job starts or stops; cached results are valid while it stays. */
    long version();
}
