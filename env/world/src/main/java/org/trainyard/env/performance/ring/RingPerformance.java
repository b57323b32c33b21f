package org.trainyard.env.performance.ring;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.Occupancy;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.Stragglers;
import org.trainyard.env.performance.contention.Contention;
import org.trainyard.env.performance.contention.LinkSharing;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * Synchronous data parallelism: an iteration is compute on the slowest GPU, then a ring all-reduce over the placement's
 * narrowest link, {@code 2 (w-1)/w x bytes / bandwidth + 2 (w-1) x latency} (P. Patarasuk, X. Yuan: Bandwidth optimal
 * all-reduce algorithms, 2009), times the highest slowdown over the servers, because all workers wait for the slowest.
 * Where rings share network links, {@link Contention} determines their bandwidths; it affects neither latency nor
 * compute.
 *
 * <p>An elastic job keeps its global batch: on other than the GPUs it was submitted for, its compute time changes by
 * its {@link org.trainyard.env.workload.ScalingCurve}. Deviation: a measured curve holds the communication of the
 * machines it was measured on, which is then counted with the compute.
 *
 * <p>A job that is no ring has the rate of its {@link RateLaw}. Unless the law says otherwise, other jobs slow it and
 * take bandwidth from it as from a ring.
 *
 * <p>Not for use by several threads: the co-location row is a buffer. {@link #copy} gives each thread its own.
 */
public final class RingPerformance implements PerformanceModel {
    private final Topology topology;
    private final InterferenceModel interference;
    private final Contention contention;
    private final LinkSharing sharing;
    private final Stragglers stragglers;
    private final ServerDivision division;
    private final boolean dividesServers;
    private final RingLinks links;
    private final PcieSharing pcie;
    /** Whether neighbours on a server slow a job there. */
    private final boolean slowsOnServers;
    /** By class, the objects that rate laws keep about the topology. */
    private final Map<Class<?>, Object> kept = new HashMap<>();

    private final Colocation row = new Colocation();

    /** Performance without contention. */
    public RingPerformance(Topology topology, InterferenceModel interference) {
        this(topology, interference, Contention.NONE);
    }

    /** An interference model with weight on NICs counts them in addition to {@code contention}. */
    public RingPerformance(Topology topology, InterferenceModel interference, Contention contention) {
        this(topology, interference, contention, Stragglers.NONE);
    }

    public RingPerformance(
            Topology topology, InterferenceModel interference, Contention contention, Stragglers stragglers) {
        this(topology, interference, contention, stragglers, ServerDivision.NONE);
    }

    /** This model with another division of servers among jobs. */
    public RingPerformance with(ServerDivision other) {
        return new RingPerformance(topology, interference, contention, stragglers, other);
    }

    private RingPerformance(
            Topology topology,
            InterferenceModel interference,
            Contention contention,
            Stragglers stragglers,
            ServerDivision division) {
        this.topology = topology;
        this.interference = interference;
        this.contention = contention;
        this.stragglers = stragglers;
        sharing = contention.on(topology);
        this.division = division;
        dividesServers = division.counts();
        links = new RingLinks(topology);
        pcie = new PcieSharing(topology);
        slowsOnServers = interference != InterferenceModel.NONE || dividesServers || pcie.counts();
    }

    public Topology topology() {
        return topology;
    }

    /** The division of servers among jobs. */
    public ServerDivision division() {
        return division;
    }

    /** The object that a rate law keeps about the topology, made when it is first asked for. */
    public <T> T kept(Class<T> type, Function<Topology, T> made) {
        return type.cast(kept.computeIfAbsent(type, unknown -> made.apply(topology)));
    }

    /** The law by which rings share links. */
    public Contention contention() {
        return contention;
    }

    @Override
    public double aloneRate(JobSpec job, Placement placement) {
        RateLaw law = RateLaw.of(job);
        return law == null ? ringRate(job, placement) : law.aloneRate(job, placement, this);
    }

    public double ringRate(JobSpec job, Placement placement) {
        return 1 / (computeSeconds(job, placement) + allReduceSeconds(job, placement));
    }

    /** The factor on the compute time of the job with so many workers, at least 1. */
    public double straggling(JobSpec job, int workers) {
        return stragglers.stretch(job, workers);
    }

    /** Bandwidth of the narrowest link of a ring on the placement, bytes per second. */
    public double ringBytesPerSecond(Placement placement) {
        return links.bytesPerSecond(placement);
    }

    /** The longest latency of a link of a ring on the placement. */
    public long ringLatencyNanos(Placement placement) {
        return links.latencyNanos(placement);
    }

    /** Bandwidth between servers that contention leaves the job, bytes per second; infinite when it shares no link. */
    public double sharedBytesPerSecond(JobSpec job, Placement placement, Occupancy occupancy) {
        return sharing.bytesPerSecond(job, placement, occupancy);
    }

    /** Compute time of one iteration on the slowest GPU, including stragglers, seconds. */
    private double computeSeconds(JobSpec job, Placement placement) {
        int workers = placement.gpuCount();
        if (workers == 0) {
            return job.model().computeSeconds();
        }
        double longest = 0;
        for (int i = 0; i < placement.serverCount(); i++) {
            longest = Math.max(
                    longest,
                    job.model()
                            .computeSecondsOn(
                                    topology.server(placement.server(i)).gpuType()));
        }
        return computeSeconds(job, longest, workers);
    }

    /**
     * Compute time of one iteration including stragglers, seconds, for a number of workers of which the slowest takes
     * {@code longest} seconds without stragglers.
     */
    public double computeSeconds(JobSpec job, double longest, int workers) {
        double seconds = longest * stragglers.stretch(job, workers);
        return job.demand().isElastic() ? seconds * resized(job, workers) : seconds;
    }

    /** The factor on compute time when an elastic job runs on another number of workers than submitted. */
    public static double resized(JobSpec job, int workers) {
        return job.model().scaling().speedup(job.gpus()) / job.model().scaling().speedup(workers);
    }

    /** Time of one ring all-reduce of the job's gradients, seconds; zero on one GPU. */
    public double allReduceSeconds(JobSpec job, Placement placement) {
        int workers = placement.gpuCount();
        return workers < 2
                ? 0
                : allReduceSeconds(job, workers, links.bytesPerSecond(placement), links.latencyNanos(placement));
    }

    /**
     * Time of one ring all-reduce of the job's gradients, seconds, for at least two workers whose narrowest link has
     * this bandwidth and latency.
     */
    public static double allReduceSeconds(JobSpec job, int workers, double bytesPerSecond, long latencyNanos) {
        double steps = 2.0 * (workers - 1);
        return steps / workers * job.model().gradientBytes() / bytesPerSecond + steps * latencyNanos * 1e-9;
    }

    @Override
    public double slowdown(JobSpec job, Placement placement, Occupancy occupancy) {
        RateLaw law = RateLaw.of(job);
        if (law != null && !law.isLocal() && placement.gpuCount() > 0) {
            return law.slowdown(job, placement, occupancy, this);
        }
        double worst = 1;
        for (int i = 0; slowsOnServers && i < placement.serverCount(); i++) {
            worst = Math.max(worst, slowdownOn(i, job, placement, occupancy));
        }
        return worst * stretch(law, job, placement, occupancy);
    }

    /** The stretch of an iteration by contention; exactly 1 when the ring shares no link. */
    private double stretch(@Nullable RateLaw law, JobSpec job, Placement placement, Occupancy occupancy) {
        double alone =
                sharing == LinkSharing.NONE || placement.serverCount() == 1 ? 0 : links.bytesPerSecond(placement);
        double now = alone == 0 ? 0 : sharing.bytesPerSecond(job, placement, occupancy);
        if (now >= alone) {
            return 1;
        }
        return law == null ? ringStretch(job, placement, alone, now) : law.stretch(job, placement, alone, now, this);
    }

    /** The stretch of an iteration when its ring has less bandwidth, bytes per second, than alone. */
    double ringStretch(JobSpec job, Placement placement, double alone, double now) {
        int workers = placement.gpuCount();
        double bytes = 2.0 * (workers - 1) / workers * job.model().gradientBytes();
        return 1 + (bytes / now - bytes / alone) * aloneRate(job, placement);
    }

    @Override
    public boolean isLocal() {
        return sharing == LinkSharing.NONE;
    }

    @Override
    public boolean isLocal(JobSpec job) {
        RateLaw law = RateLaw.of(job);
        return isLocal() && (law == null || law.isLocal());
    }

    @Override
    public double slowdownOn(int i, JobSpec job, Placement placement, Occupancy occupancy) {
        int server = placement.server(i);
        int jobs = occupancy.jobsOn(server);
        int gpus = topology.gpusOn(server);
        if (jobs == 0 || gpus == 0) {
            return 1;
        }
        long sockets = placement.socketsOn(i);
        row.reset(gpus, placement.gpusOn(i), placement.serverCount() > 1);
        for (int n = 0; n < jobs; n++) {
            int neighbour = occupancy.jobOn(server, n);
            if (neighbour != job.id() && !(dividesServers && division.divides(job, occupancy.job(neighbour)))) {
                addNeighbour(occupancy, neighbour, server, sockets, placement.maskOn(i));
            }
        }
        double slowdown = Math.max(1, interference.slowdown(job.model(), row));
        if (pcie.counts() && placement.serverCount() == 1) {
            slowdown *= pcieStretch(job, placement, occupancy);
        }
        return dividesServers ? slowdown * division.slowdownOn(i, job, placement, occupancy, this) : slowdown;
    }

    /** The stretch of an iteration by rings inside the server that share its PCIe; 1 for jobs that are no rings. */
    private double pcieStretch(JobSpec job, Placement placement, Occupancy occupancy) {
        int workers = placement.gpuCount();
        if (workers < 2 || RateLaw.of(job) != null) {
            return 1;
        }
        int server = placement.server(0);
        double alone = topology.inside().bytesPerSecond(server, placement.maskOn(0));
        double now = pcie.bytesPerSecond(server, placement.maskOn(0), occupancy.jobsOn(server), i -> {
            int neighbour = occupancy.jobOn(server, i);
            Placement there = occupancy.placement(neighbour);
            return neighbour == job.id() || there.serverCount() > 1 || there.gpuCount() == 0 ? 0 : there.maskOn(0);
        });
        if (now >= alone) {
            return 1;
        }
        return ringStretch(job, placement, alone, now);
    }

    private void addNeighbour(Occupancy occupancy, int neighbour, int server, long victimSockets, long victimGpus) {
        Placement placement = occupancy.placement(neighbour);
        int at = placement.serverCount() == 1 ? 0 : placement.indexOf(server);
        row.add(
                occupancy.job(neighbour).model(),
                placement.gpusOn(at),
                placement.serverCount() > 1,
                (placement.socketsOn(at) & victimSockets) != 0,
                (placement.maskOn(at) & victimGpus) != 0);
    }

    @Override
    public boolean interferes() {
        return slowsOnServers || sharing != LinkSharing.NONE;
    }

    @Override
    public void touch(Placement placement, Occupancy occupancy, IntConsumer touched) {
        sharing.touch(placement, occupancy, touched);
    }

    @Override
    public PerformanceModel typical() {
        return new RingPerformance(topology, interference, contention, Stragglers.NONE, division);
    }

    @Override
    public PerformanceModel copy() {
        return new RingPerformance(topology, interference, contention, stragglers, division);
    }
}
