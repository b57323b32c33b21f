package org.trainyard.env.scheduling.placement;

import java.util.stream.IntStream;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;

/**
 * Predicted interference of a placement: the slowdown of the new job beyond 1, and the extra slowdown of every neighbour, weighted by
 * the share of the new job's remaining time during which the neighbour runs. A server whose GPUs are not the fastest of the cluster slows the
 * new job down by the ratio of the two speeds besides.
 *
 * <p>The objective is that of the least-interference-first baseline of X. Zhao, C. Wu: Large-scale machine learning cluster scheduling via
 * multi-agent graph reinforcement learning, arXiv 2112.13354, 2021, with any interference model instead of a linear one. Ours: (1) the
 * weight; (2) the new job, whose GPUs are not yet known, counts as on a socket with every neighbour; (3) a neighbour met on several servers
 * counts on each; (4) the speed of the GPUs, as if the whole iteration were compute. O(neighbours squared) per server.
 *
 * <p>Predictions are cached by content: the revision of the belief, the models, GPUs and spans of the neighbours, and the model, workers and span of the new job.
 * Weights depend on time and are computed anew.
 */
public final class InterferenceCost implements ServerCost {
    private static final int CACHED = 1 << 14;

    private final InterferenceModel belief;
    private final Rank remaining;
    private final GpuSpeeds speeds;
    private final Colocation row = new Colocation();
    /** By slot of the cache, the content whose prediction it holds; a new prediction replaces the old one. */
    private final long[] keys = new long[CACHED];
    /** By slot, the slowdown of the new job, then the extra slowdown of every neighbour in the order of the server's list. */
    private final double[] cache;

    private final int slotSize;
    /** For servers with more jobs than GPUs, whose predictions fit in no slot. */
    private double[] uncached = new double[0];

    private final ServerContents contents;
    /** Where the last predictions are. */
    private double[] predictions;

    private int predictionsAt;
    private boolean hasNeighbours;
    private double own;
    private double harm;

    /**
     * @param belief the interference model of the scheduler, not that of the simulator
     * @param remaining estimated remaining time of a job, in any unit; a constant to leave neighbours unweighted
     */
    public InterferenceCost(Topology topology, InterferenceModel belief, Rank remaining) {
        this.belief = belief;
        this.remaining = remaining;
        speeds = new GpuSpeeds(topology);
        // Twice as many jobs where two may share a GPU.
        slotSize = 1 + (isShared(topology) ? 2 : 1) * topology.widestServer();
        cache = new double[CACHED * slotSize];
        predictions = cache;
        contents = new ServerContents(topology, belief);
    }

    @Override
    public double of(SimView view, JobSpec job, int server, int available, int workers, boolean spans) {
        predict(view, job.id(), server, workers, spans);
        return own - 1 + harm;
    }

    /**
     * Computes {@link #own} and {@link #harm} of a job of one worker on a GPU that jobs may hold in part: those on it share it, the others of the
     * server are neighbours as for {@link #predict}. O(jobs on the server), the square of it for what is not cached.
     *
     * @param contentOfServer {@link #contentByGpu} of its server now
     */
    public void predictOn(SimView view, int job, int gpu, long contentOfServer) {
        int server = view.topology().serverOf(gpu);
        int place = gpu - view.topology().firstGpu(server);
        int neighbours = view.cluster().jobsOn(server);
        double[] there = cache;
        int at = 0;
        if (neighbours < slotSize) {
            long key = ServerContents.mix(ServerContents.mix(contentOfServer, place), contents.model(view, job));
            int slot = (int) (key >>> 40) & (CACHED - 1);
            at = slot * slotSize;
            if (keys[slot] != key) {
                keys[slot] = key;
                askOn(view, job, server, place, cache, at);
            }
        } else {
            there = uncached(neighbours);
            askOn(view, job, server, place, there, 0);
        }
        own = there[at] / speeds.of(server, view.job(job).model());
        weigh(view, job, server, there, at);
    }

    /** What all predictions on single GPUs of the server depend on: the models of its jobs and the GPUs that they hold. */
    public long contentByGpu(SimView view, int server) {
        return contents.byGpu(view, server);
    }

    private void askOn(SimView view, int job, int server, int place, double[] out, int at) {
        ModelProfile model = view.job(job).model();
        int size = view.topology().gpusOn(server);
        row.reset(size, 1, false);
        addAll(view, server, SimView.NONE, 1L << place);
        out[at] = belief.slowdown(model, row);
        for (int n = 0; n < view.cluster().jobsOn(server); n++) {
            int neighbour = view.cluster().jobOn(server, n);
            Placement placement = view.placement(neighbour);
            int here = placement.indexOf(server);
            row.reset(size, placement.gpusOn(here), placement.serverCount() > 1);
            addAll(view, server, neighbour, placement.maskOn(here));
            ModelProfile victim = view.job(neighbour).model();
            double before = belief.slowdown(victim, row);
            row.add(model, 1, false, true, (placement.maskOn(here) >> place & 1) != 0);
            out[at + 1 + n] = belief.slowdown(victim, row) - before;
        }
    }

    private double[] uncached(int neighbours) {
        if (uncached.length <= neighbours) {
            uncached = new double[2 * neighbours];
        }
        return uncached;
    }

    /** Adds up the extra slowdowns of the neighbours, each weighed by the time that it stays. */
    private void weigh(SimView view, int job, int server, double[] from, int at) {
        double stay = remaining.of(view, job);
        harm = 0;
        for (int n = 0; n < view.cluster().jobsOn(server); n++) {
            double extra = from[at + 1 + n];
            if (extra > 0) {
                int neighbour = view.cluster().jobOn(server, n);
                harm += extra * Math.min(1, remaining.of(view, neighbour) / stay);
            }
        }
    }

    /** Adds the jobs of a server but one as neighbours; they share GPUs with the victim where they hold one of these. */
    private void addAll(SimView view, int server, int exceptJob, long gpus) {
        for (int n = 0; n < view.cluster().jobsOn(server); n++) {
            int other = view.cluster().jobOn(server, n);
            if (other != exceptJob) {
                Placement placement = view.placement(other);
                int here = placement.indexOf(server);
                row.add(
                        view.job(other).model(),
                        placement.gpusOn(here),
                        placement.serverCount() > 1,
                        true,
                        (placement.maskOn(here) & gpus) != 0);
            }
        }
    }

    /** The cost of a whole placement: the new job's highest slowdown beyond 1 on any server, plus the harm on all servers. */
    public double of(SimView view, JobSpec job, Placement placement) {
        if (isPartOfOneGpu(view, job.demand())) {
            predictOn(view, job.id(), placement.gpu(0), contentByGpu(view, placement.server(0)));
            return own - 1 + harm;
        }
        double highest = 0;
        double sum = 0;
        for (int i = 0; i < placement.serverCount(); i++) {
            predict(view, job.id(), placement.server(i), placement.gpusOn(i), placement.serverCount() > 1);
            highest = Math.max(highest, own - 1);
            sum += harm;
        }
        return highest + sum;
    }

    /** Computes {@link #own} and {@link #harm} of so many workers of the job on the server. */
    public void predict(SimView view, int job, int server, int workers, boolean spans) {
        predictOwn(view, job, server, workers, spans);
        addHarm(view, job, server);
    }

    /** Computes {@link #own} alone; {@link #addHarm} adds what {@link #predict} computes besides. */
    public void predictOwn(SimView view, int job, int server, int workers, boolean spans) {
        own = 1 / speeds.of(server, view.job(job).model());
        harm = 0;
        int neighbours = view.cluster().jobsOn(server);
        hasNeighbours = neighbours > 0 && view.topology().gpusOn(server) > 0;
        if (!hasNeighbours) {
            return;
        }
        if (neighbours < slotSize) {
            long newcomer = ((long) contents.model(view, job) << 20) | ((long) workers << 1) | (spans ? 1 : 0);
            long key = ServerContents.mix(contents.of(view, server), newcomer);
            int slot = (int) (key >>> 40) & (CACHED - 1);
            predictions = cache;
            predictionsAt = slot * slotSize;
            if (keys[slot] != key) {
                keys[slot] = key;
                ask(view, job, server, workers, spans, cache, predictionsAt);
            }
        } else {
            predictions = uncached(neighbours);
            predictionsAt = 0;
            ask(view, job, server, workers, spans, predictions, 0);
        }
        own *= predictions[predictionsAt];
    }

    /** Computes {@link #harm} after {@link #predictOwn} of the same job on the same server. */
    public void addHarm(SimView view, int job, int server) {
        if (hasNeighbours) {
            weigh(view, job, server, predictions, predictionsAt);
        }
    }

    private static boolean isShared(Topology topology) {
        return IntStream.range(0, topology.servers())
                .anyMatch(server -> topology.server(server).sharing() != GpuSharing.WHOLE);
    }

    /** Whether a demand is for a part of one GPU on a cluster whose GPUs are shared. */
    public static boolean isPartOfOneGpu(SimView view, Demand demand) {
        return demand.gpus() == 1
                && demand.gpuMilli() < Demand.WHOLE
                && view.cluster().isShared();
    }

    /** Predicted slowdown of the new job against the fastest GPUs of the cluster, at least 1. */
    public double own() {
        return own;
    }

    /** Sum of the neighbours' predicted extra slowdowns, weighted. */
    public double harm() {
        return harm;
    }

    private void ask(SimView view, int job, int server, int workers, boolean spans, double[] out, int at) {
        ModelProfile model = view.job(job).model();
        int size = view.topology().gpusOn(server);
        row.reset(size, workers, spans);
        row.addAllOn(server, SimView.NONE, view);
        out[at] = belief.slowdown(model, row);
        for (int n = 0; n < view.cluster().jobsOn(server); n++) {
            int neighbour = view.cluster().jobOn(server, n);
            Placement placement = view.placement(neighbour);
            row.reset(size, placement.gpusOn(placement.indexOf(server)), placement.serverCount() > 1);
            row.addAllOn(server, neighbour, view);
            double before = belief.slowdown(view.job(neighbour).model(), row);
            row.add(model, workers, spans, true);
            out[at + 1 + n] = belief.slowdown(view.job(neighbour).model(), row) - before;
        }
    }
}
