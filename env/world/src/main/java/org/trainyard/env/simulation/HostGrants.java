package org.trainyard.env.simulation;

import java.util.Arrays;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;

/**
 * The host CPU and memory that decisions gave to running jobs in place of what they asked for; kept only for workloads
 * with jobs whose speed depends on it.
 *
 * <p>A grant ends when the job stops; a resize keeps it.
 */
final class HostGrants {
    private static final long ASKED = -1;

    /**
     * Thousandths of a core for the whole job, by job; {@value #ASKED} for what it asked for; empty when no job's speed
     * depends on it.
     */
    private final long[] cpuMilli;

    private final long[] memoryMib;

    HostGrants(Workload workload) {
        boolean isKept = false;
        for (int job = 0; job < workload.size(); job++) {
            isKept |= workload.job(job).plan().usesHosts();
        }
        cpuMilli = new long[isKept ? workload.size() : 0];
        memoryMib = new long[cpuMilli.length];
        Arrays.fill(cpuMilli, ASKED);
        Arrays.fill(memoryMib, ASKED);
    }

    /** Whether the speed of any job depends on its host resources. */
    boolean isKept() {
        return cpuMilli.length > 0;
    }

    boolean isGranted(int job) {
        return job < cpuMilli.length && cpuMilli[job] != ASKED;
    }

    /** The job with the host resources that it holds; itself when it holds what it asked for. */
    JobSpec granted(JobSpec job) {
        return isGranted(job.id())
                ? job.demanding(job.demand().withHost(cpuMilli[job.id()], memoryMib[job.id()]))
                : job;
    }

    /** Gives the job the host resources of a demand; those that it asked for end a grant. */
    void set(JobSpec submitted, Demand demand) {
        boolean isAsked = demand.equals(submitted.demand());
        cpuMilli[submitted.id()] = isAsked ? ASKED : demand.cpuMilli();
        memoryMib[submitted.id()] = isAsked ? ASKED : demand.memoryMib();
    }

    /** Takes over the grants of the same jobs. */
    void copy(HostGrants other) {
        System.arraycopy(other.cpuMilli, 0, cpuMilli, 0, cpuMilli.length);
        System.arraycopy(other.memoryMib, 0, memoryMib, 0, memoryMib.length);
    }
}
