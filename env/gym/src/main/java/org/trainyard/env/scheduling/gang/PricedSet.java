package org.trainyard.env.scheduling.gang;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.fragmentation.FragmentationCost;
import org.trainyard.env.scheduling.placement.GpuSpeeds;
import org.trainyard.env.scheduling.placement.InterferenceCost;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;

/** A set of servers for a gang under construction, with its cost so far; see {@link GangSearch}. */
final class PricedSet {
    /** A server with all but one GPU left free costs as much as this slowdown. */
    static final double LEFTOVER = 1.0 / 16;

    private final Topology topology;
    private final InterferenceCost costs;
    private final GpuSpeeds speeds;
    private final FragmentationCost fragmentation;
    private final int[] servers;
    private final int[] taken;
    private Demand demand = Demand.ofGpus(1);
    private @Nullable ModelProfile model;
    private int size;
    private double slowest;
    private double harmed;
    private double leftover;
    private double fragmented;
    /** GPUs of a set on one server, 0 for any. */
    private long mask;
    /** The slowdown by their ring. */
    private double ring = 1;
    /** The cost of taking them. */
    private double linked;

    PricedSet(Topology topology, InterferenceCost costs, FragmentationCost fragmentation) {
        this.fragmentation = fragmentation;
        this.topology = topology;
        this.costs = costs;
        speeds = new GpuSpeeds(topology);
        servers = new int[topology.servers()];
        taken = new int[topology.servers()];
    }

    void begin(JobSpec job) {
        demand = job.demand();
        model = job.model();
        clear();
    }

    /** Begins another set for the same job. */
    void clear() {
        size = 0;
        slowest = 1;
        harmed = 0;
        leftover = 0;
        fragmented = 0;
        choose(0, 1, 0);
    }

    /** Chooses the GPUs of the one server that is offered next. */
    void choose(long newMask, double newRing, double newLinked) {
        mask = newMask;
        ring = newRing;
        linked = newLinked;
    }

    int size() {
        return size;
    }

    boolean contains(int server) {
        for (int i = 0; i < size; i++) {
            if (servers[i] == server) {
                return true;
            }
        }
        return false;
    }

    /** Adds so many workers on a server with this room. */
    void add(SimView view, int job, int server, int room, int workers, boolean spans) {
        costs.predict(view, job, server, workers, spans);
        append(view, server, room, workers);
    }

    /** Adds a server whose costs were predicted last. */
    private void append(SimView view, int server, int room, int workers) {
        servers[size] = server;
        taken[size++] = workers;
        slowest = Math.max(slowest, costs.own());
        harmed += costs.harm();
        leftover += leftover(server, room, workers);
        fragmented += fragmentation.onServer(view, demand, server, workers);
    }

    private double leftover(int server, int room, int workers) {
        return topology.gpusOn(server) == 0 ? 0 : (double) (room - workers) / topology.gpusOn(server);
    }

    void offerTo(CheapestSets kept, long order) {
        double cost = slowest - 1 + harmed + LEFTOVER * leftover + fragmented + linked;
        kept.offer(servers, taken, size, cost, order, slowest, harmed, mask, ring);
    }

    /**
     * The least cost of the set with one more server on which so many GPUs stay free, where fragmentation does not
     * count.
     */
    double leastWith(int spare) {
        return slowest - 1 + harmed + LEFTOVER * (leftover + (double) spare / topology.widestServer());
    }

    /**
     * Offers this set with one more server; the set stays as it is. A set that is too dear without its neighbours, or
     * without the harm to them, is not predicted further, unless fragmentation counts, which may make it cheaper.
     */
    void offerWith(SimView view, int job, int server, int room, int workers, CheapestSets kept, long order) {
        double left = LEFTOVER * (leftover + leftover(server, room, workers));
        if (isTooDear(1 / speeds.of(server, Objects.requireNonNull(model)), left, kept, order)) {
            return;
        }
        costs.predictOwn(view, job, server, workers, size > 0);
        if (isTooDear(costs.own(), left, kept, order)) {
            return;
        }
        costs.addHarm(view, job, server);
        double slowestBefore = slowest;
        double harmedBefore = harmed;
        double leftoverBefore = leftover;
        double fragmentedBefore = fragmented;
        append(view, server, room, workers);
        offerTo(kept, order);
        size--;
        slowest = slowestBefore;
        harmed = harmedBefore;
        leftover = leftoverBefore;
        fragmented = fragmentedBefore;
    }

    /** Whether the set with a server of this slowdown at least is too dear, whatever the harm there. */
    private boolean isTooDear(double own, double left, CheapestSets kept, long order) {
        return !fragmentation.counts() && kept.isTooDear(Math.max(slowest, own) - 1 + harmed + left, order);
    }
}
