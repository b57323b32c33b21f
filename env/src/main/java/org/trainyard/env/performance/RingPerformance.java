package org.trainyard.env.performance;

import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Routes;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * Synchronous data parallelism: an iteration is compute on the slowest GPU, then a ring all-reduce over the placement's narrowest
 * link, {@code 2 (w-1)/w x bytes / bandwidth + 2 (w-1) x latency} (P. Patarasuk, X. Yuan: Bandwidth optimal all-reduce algorithms,
 * 2009), times the slowdown on the server where it is worst, for all workers wait for the slowest.
 *
 * <p>Not for use by several threads: the co-location row is a buffer. {@link #copy} gives each thread its own.
 */
public final class RingPerformance implements PerformanceModel {
    private final Topology topology;
    private final InterferenceModel interference;
    private final Colocation row = new Colocation();

    public RingPerformance(Topology topology, InterferenceModel interference) {
        this.topology = topology;
        this.interference = interference;
    }

    @Override
    public double aloneRate(JobSpec job, Placement placement) {
        double slowestGpu = Double.POSITIVE_INFINITY;
        for (int i = 0; i < placement.serverCount(); i++) {
            slowestGpu = Math.min(
                    slowestGpu, topology.server(placement.server(i)).gpuType().speed());
        }
        return 1 / (job.model().computeSeconds() / slowestGpu + allReduceSeconds(job, placement));
    }

    /** Time of one ring all-reduce of the job's gradients, seconds; zero on one GPU. */
    double allReduceSeconds(JobSpec job, Placement placement) {
        int workers = placement.gpuCount();
        if (workers == 1) {
            return 0;
        }
        double bandwidth = Double.POSITIVE_INFINITY;
        long latencyNanos = 0;
        if (placement.serverCount() == 1) {
            Link inside = topology.server(placement.server(0)).nvlink()
                    ? topology.fabric().nvlink()
                    : topology.fabric().pcie();
            bandwidth = inside.bytesPerSecond();
            latencyNanos = inside.latencyNanos();
        }
        // The ring visits the servers in order of index and returns to the first.
        for (int i = 0; placement.serverCount() > 1 && i < placement.serverCount(); i++) {
            int next = placement.server((i + 1) % placement.serverCount());
            Routes.Route route = topology.routes().between(placement.server(i), next);
            bandwidth = Math.min(bandwidth, route.bytesPerSecond());
            latencyNanos = Math.max(latencyNanos, route.latencyNanos());
        }
        double steps = 2.0 * (workers - 1);
        return steps / workers * job.model().gradientBytes() / bandwidth + steps * latencyNanos * 1e-9;
    }

    @Override
    public double slowdown(JobSpec job, Placement placement, Occupancy occupancy) {
        double worst = 1;
        for (int i = 0; i < placement.serverCount(); i++) {
            worst = Math.max(worst, slowdownOn(i, job, placement, occupancy));
        }
        return worst;
    }

    @Override
    public boolean isLocal() {
        return true;
    }

    @Override
    public double slowdownOn(int i, JobSpec job, Placement placement, Occupancy occupancy) {
        int server = placement.server(i);
        int jobs = occupancy.jobsOn(server);
        if (jobs == 0) {
            return 1;
        }
        long sockets = placement.socketsOn(i);
        row.reset(topology.gpusOn(server), placement.gpusOn(i), placement.serverCount() > 1);
        for (int n = 0; n < jobs; n++) {
            int neighbour = occupancy.jobOn(server, n);
            if (neighbour != job.id()) {
                addNeighbour(occupancy, neighbour, server, sockets);
            }
        }
        return Math.max(1, interference.slowdown(job.model(), row));
    }

    private void addNeighbour(Occupancy occupancy, int neighbour, int server, long victimSockets) {
        Placement placement = occupancy.placement(neighbour);
        int at = placement.serverCount() == 1 ? 0 : placement.indexOf(server);
        row.add(
                occupancy.job(neighbour).model(),
                placement.gpusOn(at),
                placement.serverCount() > 1,
                (placement.socketsOn(at) & victimSockets) != 0);
    }

    @Override
    public boolean interferes() {
        return interference != InterferenceModel.NONE;
    }

    @Override
    public PerformanceModel copy() {
        return new RingPerformance(topology, interference);
    }
}
