package org.trainyard.env.scheduling.gang;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.fragmentation.FragmentationCost;
import org.trainyard.env.scheduling.gpusets.GpuRule;
import org.trainyard.env.scheduling.gpusets.SetChoice;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.scheduling.placement.FewestServers;
import org.trainyard.env.scheduling.placement.GpuSpeeds;
import org.trainyard.env.scheduling.placement.InterferenceCost;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.ModelProfile;

/**
 * The sets of servers on which a whole gang could start now, cheapest by belief first: those of {@link GangSearch}, and
 * for a job for a part of one GPU the {@link SharedGpus}.
 *
 * <p>The cost of a set is the predicted slowdown of the gang on its slowest server, GPU speed included, beyond that on
 * the fastest GPUs of the cluster, plus the harm to neighbours ({@link InterferenceCost}), plus a little for GPUs left
 * over, plus the {@link FragmentationCost}. Where the links inside servers differ, a set on one server is certain of
 * its GPUs, and the slowdown by their ring and what they take from the next gangs count, too.
 */
public final class GangCandidates {
    private final Topology topology;
    private final FewestServers fewest;
    private final GpuSpeeds speeds;
    private final FragmentationCost fragmentation;
    private final GangSearch search;
    private final SharedGpus parts;
    private final CheapestSets kept;
    private final SetChoice choice;
    /** View of the last search, where it may have left the cost of a set unknown; else null. */
    private @Nullable SimView found;

    private Demand demand = Demand.ofGpus(1);
    private @Nullable ModelProfile model;

    /**
     * @param most sets kept for a gang
     * @param belief the interference model of the scheduler, not that of the simulator
     */
    public GangCandidates(Topology topology, InterferenceModel belief, int most) {
        this(topology, belief, most, GpuRule.BOTH);
    }

    /**
     * @param most sets kept for a gang
     * @param belief the interference model of the scheduler, not that of the simulator
     * @param rule which GPUs a set on one server takes, where their links differ
     */
    public GangCandidates(Topology topology, InterferenceModel belief, int most, GpuRule rule) {
        this.topology = topology;
        InterferenceCost costs = new InterferenceCost(topology, belief, ResidualTimeFloor::seconds);
        fewest = new FewestServers(topology);
        speeds = new GpuSpeeds(topology);
        fragmentation = new FragmentationCost(topology);
        kept = new CheapestSets(most, topology.servers());
        choice = new SetChoice(topology, rule);
        search = new GangSearch(topology, costs, fragmentation, kept, most, choice);
        parts = new SharedGpus(topology, costs, fragmentation);
    }

    /** Finds the sets for a waiting job; returns their number, 0 when it cannot start. */
    public int find(SimView view, int job) {
        kept.clear();
        found = null;
        demand = view.job(job).demand();
        model = view.job(job).model();
        if (view.cluster().mostWorkers(demand) < demand.gpus() || !view.isWithinQuota(job, demand.gpus())) {
            return 0;
        }
        if (InterferenceCost.isPartOfOneGpu(view, demand)) {
            parts.find(view, job, demand, kept);
        } else {
            found = view;
            search.find(view, job);
        }
        return kept.size();
    }

    /** Whether a set has as few servers and is in as few racks as the gang can on an empty cluster. */
    public boolean isConsolidated(int candidate) {
        return isOnFewest(candidate) && racks(candidate) <= topology.fewestRacks(demand.gpus());
    }

    /** Whether a set has as few servers as the gang can have on an empty cluster, in any racks. */
    public boolean isOnFewest(int candidate) {
        return kept.width(candidate) <= fewest.of(demand);
    }

    /** Number of servers of a set. */
    public int servers(int candidate) {
        return kept.width(candidate);
    }

    public int server(int candidate, int i) {
        return kept.server(candidate, i);
    }

    /** GPUs that the set takes on its i-th server. */
    public int gpusOn(int candidate, int i) {
        return kept.taken(candidate, i);
    }

    /** The GPUs of a set on one server, counted within it; 0 where any will do. */
    public long mask(int candidate) {
        return kept.mask(candidate);
    }

    /** Slowdown of the gang by the ring of a set on one server, beside the widest anywhere; 1 for wider sets. */
    public double ring(int candidate) {
        return kept.ring(candidate);
    }

    /** How the GPUs of sets on one server are chosen. */
    public SetChoice choice() {
        return choice;
    }

    /** Number of free GPUs that the set takes: for a part of a GPU that others hold, none. */
    public int freeGpusTaken(SimView view, int candidate) {
        if (kept.gpu(candidate) != CheapestSets.ANY) {
            return view.cluster().owner(kept.gpu(candidate)) == Cluster.FREE ? 1 : 0;
        }
        int taken = 0;
        for (int i = 0; i < kept.width(candidate); i++) {
            taken += kept.taken(candidate, i);
        }
        return taken;
    }

    /**
     * The GPU of a set that is one GPU, free or held in part; {@link SimView#NONE} for sets of any GPUs of their
     * servers.
     */
    public int gpu(int candidate) {
        return kept.gpu(candidate) == CheapestSets.ANY ? SimView.NONE : kept.gpu(candidate);
    }

    /** The part of the cost of a set that is its {@link FragmentationCost}. */
    public double fragmentation(SimView view, int candidate) {
        if (gpu(candidate) != SimView.NONE) {
            return fragmentation.onGpu(view, demand, gpu(candidate));
        }
        double cost = 0;
        for (int i = 0; i < kept.width(candidate); i++) {
            cost += fragmentation.onServer(view, demand, kept.server(candidate, i), kept.taken(candidate, i));
        }
        return cost;
    }

    /** Whether a set is the GPU on which the running job is now. */
    public boolean isOnGpuOf(SimView view, int job, int candidate) {
        return kept.gpu(candidate) == view.placement(job).gpu(0);
    }

    /** Number of racks of a set. */
    public int racks(int candidate) {
        int count = 0;
        for (int i = 0; i < kept.width(candidate); i++) {
            boolean isNew = true;
            for (int j = 0; j < i; j++) {
                isNew &= topology.rackOf(kept.server(candidate, j)) != topology.rackOf(kept.server(candidate, i));
            }
            count += isNew ? 1 : 0;
        }
        return count;
    }

    /** Cost of a set, 0 for no interference on the fastest GPUs. */
    public double cost(int candidate) {
        price();
        return kept.cost(candidate);
    }

    /** Predicted slowdown of the gang on its slowest server against the fastest GPUs of the cluster, at least 1. */
    public double own(int candidate) {
        price();
        return kept.own(candidate);
    }

    /** Predicted extra slowdown of all neighbours, weighted by the time that they stay. */
    public double harm(int candidate) {
        price();
        return kept.harm(candidate);
    }

    private void price() {
        if (found != null) {
            search.price(found);
        }
    }

    /** Relative speed of the slowest GPUs of a set for the job, 1 for the fastest of the cluster. */
    public double speedOf(int candidate) {
        double least = 1;
        for (int i = 0; i < kept.width(candidate); i++) {
            least = Math.min(least, speeds.of(kept.server(candidate, i), Objects.requireNonNull(model)));
        }
        return least;
    }

    /** Relative speed of the fastest GPUs that the gang may have. O(servers) where it asks for types of GPUs. */
    public double mostSpeed() {
        if (demand.gpuTypes().isEmpty()) {
            return 1;
        }
        double most = 0;
        for (int server = 0; server < topology.servers(); server++) {
            if (topology.gpusOn(server) > 0
                    && demand.allows(topology.server(server).gpuType().name())) {
                most = Math.max(most, speeds.of(server, Objects.requireNonNull(model)));
            }
        }
        return most;
    }

    /**
     * The set as a placement.
     *
     * @param builder an empty builder of the same cluster; it is left empty
     */
    public Placement placement(int candidate, PlacementBuilder builder) {
        return builder.build(
                demand,
                gpu(candidate),
                servers(candidate),
                i -> server(candidate, i),
                i -> gpusOn(candidate, i),
                i -> mask(candidate));
    }
}
