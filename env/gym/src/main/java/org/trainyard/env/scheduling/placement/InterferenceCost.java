package org.trainyard.env.scheduling.placement;

import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/**
 * Predicted interference of a placement: the slowdown of the new job beyond 1, and the extra slowdown of every
 * neighbour, weighted by the share of the new job's remaining time during which the neighbour runs. A server whose GPUs
 * are not the fastest of the cluster slows the new job down by the ratio of the two speeds besides.
 *
 * <p>The objective is that of the least-interference-first baseline of X. Zhao, C. Wu: Large-scale machine learning
 * cluster scheduling via multi-agent graph reinforcement learning, arXiv 2112.13354, 2021, with any interference model
 * instead of a linear one. Ours: (1) the weight; (2) the new job, whose GPUs are not yet known, counts as on a socket
 * with every neighbour; (3) a neighbour met on several servers counts on each; (4) the speed of the GPUs, as if the
 * whole iteration were compute. O(neighbours squared) per server.
 *
 * <p>Predictions are kept by server until its jobs change, and cached by content: the revision of the belief, the
 * models, GPUs and spans of the neighbours, and the model, workers and span of the new job. Weights depend on time and
 * are computed anew, from remaining times that are read once an instant.
 */
public final class InterferenceCost implements ServerCost {
    private static final int MOST_CACHED = 1 << 14;
    /** Predictions that are cached for each server, as long as there are not too many. */
    private static final int CACHED_BY_SERVER = 128;

    private final Rank remaining;
    private final GpuSpeeds speeds;
    private final CandidateSlowdowns asked;
    /** By slot of the cache, the content whose prediction it holds; a new prediction replaces the old one. */
    private final long[] keys;
    /** By slot, the slowdown of the new job, then the extra slowdowns of its neighbours in server order. */
    private final double[] cache;

    private final int slotSize;
    /** Predictions for servers with more jobs than GPUs, which fit in no slot. */
    private double[] uncached = new double[0];

    private final ServerContents contents;
    private final CachedSlowdowns.ByKind tables;
    private final NeighbourTimes times;
    /** The pending job of the last prediction, its remaining time, and the predictions for its kind. */
    private int candidate = SimView.NONE;

    private int candidateModel;
    private int candidateWorkers;
    private boolean candidateSpans;
    private long candidateNanos;
    private double stay;
    private @Nullable CachedSlowdowns table;
    /** Where the extra slowdowns of the neighbours in the last predictions are. */
    private double[] extras;

    private int extrasAt;
    private boolean hasNeighbours;
    private double own;
    private double harm;

    /**
     * @param belief the interference model of the scheduler, not that of the simulator
     * @param remaining estimated remaining time of a job, in any unit; a constant to leave neighbours unweighted
     */
    public InterferenceCost(Topology topology, InterferenceModel belief, Rank remaining) {
        asked = new CandidateSlowdowns(belief);
        this.remaining = remaining;
        speeds = new GpuSpeeds(topology);
        // Twice as many jobs where two may share a GPU.
        slotSize = 1 + (isShared(topology) ? 2 : 1) * topology.widestServer();
        keys = new long[Math.min(MOST_CACHED, Integer.highestOneBit(topology.servers()) * CACHED_BY_SERVER)];
        cache = new double[keys.length * slotSize];
        extras = cache;
        contents = new ServerContents(topology, belief);
        tables = new CachedSlowdowns.ByKind(topology.servers(), slotSize - 1);
        times = new NeighbourTimes(topology.servers(), slotSize - 1, remaining);
    }

    @Override
    public double of(SimView view, JobSpec job, int server, int available, int workers, boolean spans) {
        predict(view, job.id(), server, workers, spans);
        return own - 1 + harm;
    }

    /**
     * Computes {@link #own} and {@link #harm} of a job of one worker on a GPU that jobs may hold in part: those on it
     * share it, the others of the server are neighbours as for {@link #predict}. O(jobs on the server), the square of
     * it for predictions that are not cached.
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
            int slot = (int) (key >>> 40) & (keys.length - 1);
            at = slot * slotSize;
            if (keys[slot] != key) {
                keys[slot] = key;
                asked.onGpu(view, job, server, place, cache, at);
            }
        } else {
            there = uncached(neighbours);
            asked.onGpu(view, job, server, place, there, 0);
        }
        own = there[at] / speeds.of(server, view.job(job).model());
        select(view, job, 1, false);
        weigh(view, server, there, at + 1);
    }

    /** Hash of the inputs of predictions on single GPUs of a server: its jobs' models and the GPUs they hold. */
    public long contentByGpu(SimView view, int server) {
        return contents.byGpu(view, server);
    }

    private double[] uncached(int neighbours) {
        if (uncached.length <= neighbours) {
            uncached = new double[2 * neighbours];
        }
        return uncached;
    }

    /** Adds up the extra slowdowns of the neighbours, each weighed by the time that it stays. */
    private void weigh(SimView view, int server, double[] from, int at) {
        int neighbours = view.cluster().jobsOn(server);
        double sum = 0;
        if (neighbours < slotSize) {
            int timesAt = times.at(view, server, contents.version(view, server));
            for (int n = 0; n < neighbours; n++) {
                if (from[at + n] > 0) {
                    sum += from[at + n] * Math.min(1, times.seconds(timesAt + n) / stay);
                }
            }
        } else {
            for (int n = 0; n < neighbours; n++) {
                if (from[at + n] > 0) {
                    double seconds = remaining.of(view, view.cluster().jobOn(server, n));
                    sum += from[at + n] * Math.min(1, seconds / stay);
                }
            }
        }
        harm = sum;
    }

    /** Cost of a placement: the new job's highest slowdown beyond 1 plus the harm on all its servers. */
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
        select(view, job, workers, spans);
        harm = 0;
        int neighbours = view.cluster().jobsOn(server);
        hasNeighbours = neighbours > 0 && view.topology().gpusOn(server) > 0;
        CachedSlowdowns known = table;
        if (known == null || neighbours >= slotSize) {
            own = 1 / speeds.of(server, view.job(job).model());
            if (hasNeighbours) {
                own *= look(view, job, server, workers, spans);
            }
            return;
        }
        long version = contents.version(view, server);
        extras = known.extra;
        extrasAt = server * (slotSize - 1);
        if (known.version[server] != version) {
            known.version[server] = version;
            known.own[server] = 1 / speeds.of(server, view.job(job).model());
            if (hasNeighbours) {
                known.own[server] *= look(view, job, server, workers, spans);
                System.arraycopy(extras, extrasAt, known.extra, server * (slotSize - 1), neighbours);
                extras = known.extra;
                extrasAt = server * (slotSize - 1);
            }
        }
        own = known.own[server];
    }

    /** Notes for which pending job predictions are made from now on. */
    private void select(SimView view, int job, int workers, boolean spans) {
        if (job != candidate || candidateNanos != view.nowNanos() || !contents.isUpToDate(view)) {
            contents.update(view);
            candidate = job;
            candidateNanos = view.nowNanos();
            candidateModel = contents.model(view, job);
            stay = remaining.of(view, job);
        } else if (workers == candidateWorkers && spans == candidateSpans) {
            return;
        }
        candidateWorkers = workers;
        candidateSpans = spans;
        table = tables.of(kind());
    }

    private long kind() {
        return ((long) candidateModel << 20) | ((long) candidateWorkers << 1) | (candidateSpans ? 1 : 0);
    }

    /** The slowdown by the neighbours, by content; those of the neighbours are at {@link #extras}. */
    private double look(SimView view, int job, int server, int workers, boolean spans) {
        int neighbours = view.cluster().jobsOn(server);
        if (neighbours >= slotSize) {
            extras = uncached(neighbours);
            extrasAt = 1;
            asked.onServer(view, job, server, workers, spans, extras, 0);
            return extras[0];
        }
        long key = ServerContents.mix(contents.of(view, server), kind());
        int slot = (int) (key >>> 40) & (keys.length - 1);
        extras = cache;
        extrasAt = slot * slotSize + 1;
        if (keys[slot] != key) {
            keys[slot] = key;
            asked.onServer(view, job, server, workers, spans, cache, extrasAt - 1);
        }
        return cache[extrasAt - 1];
    }

    /** Computes {@link #harm} after {@link #predictOwn} of the same job on the same server. */
    public void addHarm(SimView view, int job, int server) {
        if (hasNeighbours) {
            weigh(view, server, extras, extrasAt);
        }
    }

    /** The harm to the n-th job of the server that was predicted last if it stayed as long as the new job. */
    public double mostHarm(int n) {
        return hasNeighbours ? Math.max(0, extras[extrasAt + n]) : 0;
    }

    /** Reads the events since the last prediction. */
    public void update(SimView view) {
        contents.update(view);
    }

    /** Changes, as of the last {@link #update}, whenever predictions on servers may that have not changed. */
    public long epoch() {
        return contents.epoch();
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
}
