package org.trainyard.env.scheduling.placement;

import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.stream.IntStream;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * The order of servers for a demand in segments that no rack border may cut: rack by rack, and in a rack those with
 * most room first. First comes the tightest rack that holds all segments; without one, the racks with most of them, of
 * equals the tightest, so that few racks are used. Like base blocks of Slurm's {@code topology/block}.
 */
public final class SegmentRacks {
    private SegmentRacks() {}

    /** The servers with room in racks with room for a segment. O(servers log servers). */
    public static int[] servers(SimView view, Demand demand) {
        Topology topology = view.topology();
        int[] room = new int[topology.racks()];
        for (int server = 0; server < topology.servers(); server++) {
            room[topology.rackOf(server)] += view.cluster().room(demand, server);
        }
        int[] servers = IntStream.range(0, topology.servers())
                .filter(server ->
                        view.cluster().room(demand, server) > 0 && room[topology.rackOf(server)] >= demand.segment())
                .toArray();
        IntArrays.mergeSort(servers, (a, b) -> {
            int rackOfA = topology.rackOf(a);
            int rackOfB = topology.rackOf(b);
            if (rackOfA != rackOfB) {
                int bySegments = segments(demand, room[rackOfB]) - segments(demand, room[rackOfA]);
                int byRoom = room[rackOfA] - room[rackOfB];
                return bySegments != 0 ? bySegments : byRoom != 0 ? byRoom : rackOfA - rackOfB;
            }
            return view.cluster().room(demand, b) - view.cluster().room(demand, a);
        });
        return servers;
    }

    /** Segments of a demand for which a rack with so much room has room, not more than it has. */
    private static int segments(Demand demand, int room) {
        return Math.min(room, demand.gpus()) / demand.segment();
    }
}
