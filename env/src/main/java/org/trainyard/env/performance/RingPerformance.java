package org.trainyard.env.performance;

import java.util.function.IntConsumer;
import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Routes;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * Synchronous data parallelism: an iteration is compute on the slowest GPU, then a ring all-reduce over the placement's narrowest
 * link, {@code 2 (w-1)/w x bytes / bandwidth + 2 (w-1) x latency} (P. Patarasuk, X. Yuan: Bandwidth optimal all-reduce algorithms,
 * 2009), times the slowdown on the server where it is worst, for all workers wait for the slowest. Where rings meet on links of the
 * network, {@link Contention} says what bandwidth is left to each; latency and compute are not stretched by it.
 *
 * <p>Not for use by several threads: the co-location row is a buffer. {@link #copy} gives each thread its own.
 */
public final class RingPerformance implements PerformanceModel {
    private final Topology topology;
    private final InterferenceModel interference;
    private final Contention contention;
    private final LinkSharing sharing;
    private final Colocation row = new Colocation();

    /** Without contention: every ring has the links to itself. */
    public RingPerformance(Topology topology, InterferenceModel interference) {
        this(topology, interference, Contention.NONE);
    }

    /** Interference with weight on NICs counts them once more than {@code contention} does. */
    public RingPerformance(Topology topology, InterferenceModel interference, Contention contention) {
        this.topology = topology;
        this.interference = interference;
        this.contention = contention;
        sharing = contention.on(topology);
    }

    @Override
    public double aloneRate(JobSpec job, Placement placement) {
        if (placement.gpuCount() == 0) {
            return job.idealIterationsPerSecond();
        }
        double slowestGpu = Double.POSITIVE_INFINITY;
        for (int i = 0; i < placement.serverCount(); i++) {
            slowestGpu = Math.min(
                    slowestGpu, topology.server(placement.server(i)).gpuType().speed());
        }
        return 1 / (job.model().computeSeconds() / slowestGpu + allReduceSeconds(job, placement));
    }

    /** Time of one ring all-reduce of the job's gradients, seconds; zero on one GPU or none. */
    double allReduceSeconds(JobSpec job, Placement placement) {
        int workers = placement.gpuCount();
        if (workers <= 1) {
            return 0;
        }
        double steps = 2.0 * (workers - 1);
        return steps / workers * job.model().gradientBytes() / bytesPerSecond(placement)
                + steps * latencyNanos(placement) * 1e-9;
    }

    private Link inside(Placement placement) {
        return topology.server(placement.server(0)).nvlink()
                ? topology.fabric().nvlink()
                : topology.fabric().pcie();
    }

    /** The narrowest link of the ring. */
    private double bytesPerSecond(Placement placement) {
        if (placement.serverCount() == 1) {
            return inside(placement).bytesPerSecond();
        }
        double narrowest = Double.POSITIVE_INFINITY;
        for (int i = 0; i < placement.serverCount(); i++) {
            narrowest = Math.min(narrowest, next(placement, i).bytesPerSecond());
        }
        return narrowest;
    }

    private long latencyNanos(Placement placement) {
        if (placement.serverCount() == 1) {
            return inside(placement).latencyNanos();
        }
        long longest = 0;
        for (int i = 0; i < placement.serverCount(); i++) {
            longest = Math.max(longest, next(placement, i).latencyNanos());
        }
        return longest;
    }

    /** The ring visits the servers in order of index and returns to the first. */
    private Routes.Route next(Placement placement, int i) {
        int next = placement.server((i + 1) % placement.serverCount());
        return topology.routes().between(placement.server(i), next);
    }

    @Override
    public double slowdown(JobSpec job, Placement placement, Occupancy occupancy) {
        double worst = 1;
        for (int i = 0; i < placement.serverCount(); i++) {
            worst = Math.max(worst, slowdownOn(i, job, placement, occupancy));
        }
        return worst * stretch(job, placement, occupancy);
    }

    /** How much longer an iteration takes for what the links leave the ring; exactly 1 when it meets nobody. */
    private double stretch(JobSpec job, Placement placement, Occupancy occupancy) {
        double alone = sharing == LinkSharing.NONE || placement.serverCount() == 1 ? 0 : bytesPerSecond(placement);
        double now = alone == 0 ? 0 : sharing.bytesPerSecond(job, placement, occupancy);
        if (now >= alone) {
            return 1;
        }
        int workers = placement.gpuCount();
        double bytes = 2.0 * (workers - 1) / workers * job.model().gradientBytes();
        return 1 + (bytes / now - bytes / alone) * aloneRate(job, placement);
    }

    @Override
    public boolean isLocal() {
        return sharing == LinkSharing.NONE;
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
        return interference != InterferenceModel.NONE || sharing != LinkSharing.NONE;
    }

    @Override
    public void touch(Placement placement, Occupancy occupancy, IntConsumer touched) {
        sharing.touch(placement, occupancy, touched);
    }

    @Override
    public PerformanceModel copy() {
        return new RingPerformance(topology, interference, contention);
    }
}
