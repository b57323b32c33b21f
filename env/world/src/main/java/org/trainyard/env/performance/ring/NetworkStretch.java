package org.trainyard.env.performance.ring;

import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * How much longer an iteration takes over a link of the network than inside a server, when no other ring shares the
 * link.
 *
 * <p>Ours: a link is the network card of a server, or the uplink of a rack where the gang has several.
 */
public final class NetworkStretch {
    private final Topology topology;

    public NetworkStretch(Topology topology) {
        this.topology = topology;
    }

    /** Iteration time over the network card over that inside a server, at least 1. */
    public double overCard(JobSpec job) {
        return over(job, topology.fabric().nic());
    }

    /**
     * Iteration time of a gang on these numbers of servers and racks over that inside a server: across the network card
     * in one rack, across the uplink of a rack in several; 1 on one server.
     */
    public double over(JobSpec job, int servers, int racks) {
        return servers <= 1
                ? 1
                : over(
                        job,
                        racks <= 1 ? topology.fabric().nic() : topology.fabric().tor());
    }

    private double over(JobSpec job, Link link) {
        if (job.gpus() <= 1) {
            return 1;
        }
        double compute = job.model().computeSeconds();
        double alone = compute
                + RingPerformance.allReduceSeconds(
                        job,
                        job.gpus(),
                        insideBytesPerSecond(job.gpus()),
                        topology.fabric().nvlink().latencyNanos());
        double across =
                compute + RingPerformance.allReduceSeconds(job, job.gpus(), link.bytesPerSecond(), link.latencyNanos());
        return Math.max(1, across / alone);
    }

    /** Bandwidth inside a server: of NVLink, or of the widest ring where servers have interiors of their own. */
    private double insideBytesPerSecond(int gpus) {
        double best = topology.inside().arePlain() ? 0 : topology.inside().best(gpus);
        return best > 0 ? best * 1e9 : topology.fabric().nvlink().bytesPerSecond();
    }
}
