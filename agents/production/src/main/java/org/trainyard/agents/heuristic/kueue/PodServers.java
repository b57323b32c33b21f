package org.trainyard.agents.heuristic.kueue;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.placing.GangBuilder;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.Demand;

/**
 * Puts the pods of an admitted workload on servers: those of its topology, or any of its flavor. All pods or none.
 *
 * <p>Simplified: (1) pods without a topology go where least room is left, as kube-scheduler does with
 * {@code MostAllocated}; (2) a gang whose pods do not all find room starts none, and keeps its quota.
 */
final class PodServers {
    private final SimulatedNodes nodes;
    private final GangBuilder builders = new GangBuilder();

    PodServers(SimulatedNodes nodes) {
        this.nodes = nodes;
    }

    /** The GPUs for a workload, or null when there is no room. */
    @Nullable Placement place(SimView view, KueueWorkload workload) {
        Demand demand = view.submitted(workload.id).demand();
        if (!view.isWithinQuota(workload.id, demand.gpus())) {
            return null;
        }
        PlacementBuilder builder = builders.on(view, demand);
        Assignment given = KueueState.admission(workload);
        int pods = workload.podSets.get(0).count;
        int each = Math.max(1, demand.gpus() / pods);
        int[] room = new int[view.topology().servers()];
        int[] taken = new int[room.length];
        int[] onLeaves = given.pods[0];
        boolean done;
        if (onLeaves == null) {
            BitSet servers = servers(given);
            fill(builder, servers, each, room);
            done = take(servers, pods, room, taken);
        } else {
            done = true;
            for (int i = 0; i < onLeaves.length; i += 2) {
                BitSet servers = nodes.serversOf(given.podFlavors[0], onLeaves[i]);
                fill(builder, servers, each, room);
                done &= take(servers, onLeaves[i + 1], room, taken);
            }
        }
        if (!done) {
            return null;
        }
        for (int server = 0; server < taken.length; server++) {
            if (taken[server] > 0) {
                builder.take(server, demand.gpus() == 0 ? 1 : taken[server] * each);
            }
        }
        return builder.build();
    }

    /** The servers of the flavor that the GPUs of the job are of, or of any of its flavors. */
    private BitSet servers(Assignment given) {
        BitSet servers = new BitSet();
        servers.set(0, nodes.topology.servers());
        for (int flavor : given.flavors[0]) {
            if (flavor >= 0) {
                servers.and(nodes.servers(flavor));
            }
        }
        return servers;
    }

    private static void fill(PlacementBuilder builder, BitSet servers, int each, int[] room) {
        servers.stream().forEach(server -> room[server] = builder.available(server) / each);
    }

    private static boolean take(BitSet servers, int pods, int[] room, int[] taken) {
        int left = pods;
        while (left > 0) {
            int best = -1;
            for (int server = servers.nextSetBit(0); server >= 0; server = servers.nextSetBit(server + 1)) {
                int free = room[server] - taken[server];
                if (free > 0 && (best < 0 || isBetter(free, room[best] - taken[best], left))) {
                    best = server;
                }
            }
            if (best < 0) {
                return false;
            }
            int now = Math.min(left, room[best] - taken[best]);
            taken[best] += now;
            left -= now;
        }
        return true;
    }

    /** The tightest that holds all that are left; else the one with the most room. */
    private static boolean isBetter(int free, int than, int left) {
        boolean holds = free >= left;
        boolean otherHolds = than >= left;
        return holds ? !otherHolds || free < than : !otherHolds && free > than;
    }
}
