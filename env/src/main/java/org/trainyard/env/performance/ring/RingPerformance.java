package org.trainyard.env.performance.ring;

import java.util.function.IntConsumer;
import org.trainyard.env.graphtraining.GraphIsolation;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.Occupancy;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.Stragglers;
import org.trainyard.env.performance.contention.Contention;
import org.trainyard.env.performance.contention.LinkSharing;
import org.trainyard.env.performance.planned.PlannedIterations;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.goodput.GoodputProfile;

/**
 * Synchronous data parallelism: an iteration is compute on the slowest GPU, then a ring all-reduce over the
 * placement's narrowest link, {@code 2 (w-1)/w x bytes / bandwidth + 2 (w-1) x latency} (P. Patarasuk, X. Yuan:
 * Bandwidth optimal all-reduce algorithms, 2009), times the highest slowdown over the servers, because all workers
 * wait for the slowest. Where rings share network links, {@link Contention} determines their bandwidths; it affects
 * neither latency nor compute.
 *
 * <p>An elastic job keeps its global batch: on other than the GPUs it was submitted for, its compute time changes
 * by its {@link org.trainyard.env.workload.ScalingCurve}. Deviation: a measured curve holds the communication of
 * the machines it was measured on, which is then counted with the compute.
 *
 * <p>A job with a {@link GoodputProfile} has the mean rate of its training on as many servers and GPUs instead: it
 * adapts its batch, and its times were measured with communication. Deviations: its rate does not change as it
 * trains, its servers are those it was measured on, and contention counts a synchronisation for each iteration at
 * the initial batch, which are more than there are.
 *
 * <p>A job with {@link TrainingPlan.ParameterServer parameter servers} has the rate of its reserved bandwidth,
 * which contention does not lower; other jobs share links with it as with a ring.
 *
 * <p>A job with a {@link TrainingPlan.Planned planned} parallelism has the iteration time of its plan on the
 * placement, and other jobs take bandwidth from its transfers and all-reduces as from a ring.
 *
 * <p>A job with {@link TrainingPlan.Synchronised a model of synchronisation} has the rate of
 * {@link SynchronisedRates}, one that {@link TrainingPlan.GraphTraining trains on a graph} that of
 * {@link GraphTrainingRates}.
 *
 * <p>Not for use by several threads: the co-location row is a buffer. {@link #copy} gives each thread its own.
 */
public final class RingPerformance implements PerformanceModel {
    private final Topology topology;
    private final InterferenceModel interference;
    private final Contention contention;
    private final LinkSharing sharing;
    private final Stragglers stragglers;
    private final PlannedIterations plans;
    private final GraphIsolation isolation;
    private final RingLinks links;
    private final SynchronisedRates synchronised;
    private final GraphTrainingRates graphs;
    private final boolean dividesServers;
    private final PcieSharing pcie;
    private final Colocation row = new Colocation();

    /** Without contention. */
    public RingPerformance(Topology topology, InterferenceModel interference) {
        this(topology, interference, Contention.NONE);
    }

    /** An interference model with weight on NICs counts them in addition to {@code contention}. */
    public RingPerformance(Topology topology, InterferenceModel interference, Contention contention) {
        this(topology, interference, contention, Stragglers.NONE);
    }

    public RingPerformance(
            Topology topology, InterferenceModel interference, Contention contention, Stragglers stragglers) {
        this(topology, interference, contention, stragglers, GraphIsolation.NONE, PlannedIterations.on(topology));
    }

    /** This model with another division of servers among jobs that train on graphs. */
    public RingPerformance with(GraphIsolation other) {
        return new RingPerformance(topology, interference, contention, stragglers, other, plans);
    }

    private RingPerformance(
            Topology topology,
            InterferenceModel interference,
            Contention contention,
            Stragglers stragglers,
            GraphIsolation isolation,
            PlannedIterations plans) {
        this.plans = plans;
        this.topology = topology;
        this.interference = interference;
        this.contention = contention;
        this.stragglers = stragglers;
        sharing = contention.on(topology);
        this.isolation = isolation;
        links = new RingLinks(topology);
        pcie = new PcieSharing(topology);
        synchronised = new SynchronisedRates(topology, stragglers, links);
        graphs = new GraphTrainingRates(topology, stragglers, isolation, this::allReduceSeconds);
        dividesServers = isolation != GraphIsolation.NONE;
    }

    /** The law by which rings share links. */
    public Contention contention() {
        return contention;
    }

    @Override
    public double aloneRate(JobSpec job, Placement placement) {
        if (job.plan() instanceof TrainingPlan.Synchronised plan && placement.gpuCount() > 0) {
            return synchronised.iterationsPerSecond(job, plan, placement, Double.POSITIVE_INFINITY, i -> 1);
        }
        GoodputProfile goodput = job.model().goodput();
        if (goodput != null && placement.gpuCount() > 0) {
            return goodput.meanIterationsPerSecond(placement.serverCount(), placement.gpuCount())
                    / stragglers.stretch(job, placement.gpuCount());
        }
        if (job.plan() instanceof TrainingPlan.Planned plan) {
            return 1 / (plans.seconds(plan, placement) * stragglers.stretch(job, placement.gpuCount()));
        }
        if (job.plan() instanceof TrainingPlan.ParameterServer servers && placement.gpuCount() > 0) {
            return servers.iterationsPerSecond(placement.gpuCount(), placement.serverCount() == 1, job.demand())
                    / stragglers.stretch(job, placement.gpuCount());
        }
        if (job.plan() instanceof TrainingPlan.GraphTraining plan && placement.gpuCount() > 0) {
            return graphs.iterationsPerSecond(job, plan, placement);
        }
        return 1 / (computeSeconds(job, placement) + allReduceSeconds(job, placement));
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
     * Compute time of one iteration including stragglers, seconds, for a number of workers of which the slowest
     * takes {@code longest} seconds without stragglers.
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
     * Time of one ring all-reduce of the job's gradients, seconds, for at least two workers whose narrowest link
     * has this bandwidth and latency.
     */
    public static double allReduceSeconds(JobSpec job, int workers, double bytesPerSecond, long latencyNanos) {
        double steps = 2.0 * (workers - 1);
        return steps / workers * job.model().gradientBytes() / bytesPerSecond + steps * latencyNanos * 1e-9;
    }

    @Override
    public double slowdown(JobSpec job, Placement placement, Occupancy occupancy) {
        if (job.plan() instanceof TrainingPlan.Synchronised plan && placement.gpuCount() > 0) {
            return slowdown(plan, job, placement, occupancy);
        }
        double worst = 1;
        for (int i = 0; i < placement.serverCount(); i++) {
            worst = Math.max(worst, slowdownOn(i, job, placement, occupancy));
        }
        return worst * stretch(job, placement, occupancy);
    }

    /**
     * Neighbours slow the workers of their own server alone, and contention the commits. They never speed a job up,
     * although some models gain by workers that are more alike.
     */
    private double slowdown(TrainingPlan.Synchronised plan, JobSpec job, Placement placement, Occupancy occupancy) {
        double bandwidth = placement.serverCount() == 1
                ? Double.POSITIVE_INFINITY
                : sharing.bytesPerSecond(job, placement, occupancy);
        double now = synchronised.iterationsPerSecond(
                job, plan, placement, bandwidth, i -> slowdownOn(i, job, placement, occupancy));
        return Math.max(1, aloneRate(job, placement) / now);
    }

    /** The stretch of an iteration by contention; exactly 1 when the ring shares no link. */
    private double stretch(JobSpec job, Placement placement, Occupancy occupancy) {
        if (job.plan() instanceof TrainingPlan.ParameterServer) {
            // Its bandwidth is reserved.
            return 1;
        }
        double alone =
                sharing == LinkSharing.NONE || placement.serverCount() == 1 ? 0 : links.bytesPerSecond(placement);
        double now = alone == 0 ? 0 : sharing.bytesPerSecond(job, placement, occupancy);
        if (now >= alone) {
            return 1;
        }
        if (job.plan() instanceof TrainingPlan.Planned plan) {
            return plans.seconds(plan, placement, now) / plans.seconds(plan, placement);
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
    public boolean isLocal(JobSpec job) {
        return isLocal() && !(job.plan() instanceof TrainingPlan.Synchronised);
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
            if (neighbour != job.id()
                    && !(dividesServers && GraphTrainingRates.divide(job, occupancy.job(neighbour)))) {
                addNeighbour(occupancy, neighbour, server, sockets, placement.maskOn(i));
            }
        }
        double slowdown = Math.max(1, interference.slowdown(job.model(), row));
        if (pcie.counts() && placement.serverCount() == 1) {
            slowdown *= pcieStretch(job, placement, occupancy);
        }
        return dividesServers && job.plan() instanceof TrainingPlan.GraphTraining plan
                ? slowdown * graphs.slowdownOn(i, job, plan, placement, occupancy)
                : slowdown;
    }

    /** The stretch of an iteration by rings inside the server that share its PCIe; 1 for jobs that are no rings. */
    private double pcieStretch(JobSpec job, Placement placement, Occupancy occupancy) {
        int workers = placement.gpuCount();
        if (workers < 2 || job.model().goodput() != null || !(job.plan() instanceof TrainingPlan.RingAllReduce)) {
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
        double bytes = 2.0 * (workers - 1) / workers * job.model().gradientBytes();
        return 1 + (bytes / now - bytes / alone) * aloneRate(job, placement);
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
        return interference != InterferenceModel.NONE || sharing != LinkSharing.NONE || dividesServers || pcie.counts();
    }

    @Override
    public void touch(Placement placement, Occupancy occupancy, IntConsumer touched) {
        sharing.touch(placement, occupancy, touched);
    }

    @Override
    public PerformanceModel typical() {
        return new RingPerformance(topology, interference, contention, Stragglers.NONE, isolation, plans);
    }

    @Override
    public PerformanceModel copy() {
        return new RingPerformance(topology, interference, contention, stragglers, isolation, plans);
    }
}
