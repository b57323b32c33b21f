package org.trainyard.agents.heuristic.elastic;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.function.IntPredicate;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;

/**
 * Places a running job on another number of GPUs near its own: it keeps GPUs on the servers where it has most, and
 * grows there first.
 */
final class ResizePlacer {
    private ResizePlacer() {}

    /**
     * A placement of so many whole GPUs, out of its own and free ones; there must be enough. O(servers log servers).
     */
    static Placement to(SimView view, Placement now, int gpus) {
        Topology topology = view.topology();
        int[] own = new int[topology.servers()];
        for (int i = 0; i < now.serverCount(); i++) {
            own[now.server(i)] = now.gpusOn(i);
        }
        int[] order = new int[topology.servers()];
        for (int server = 0; server < order.length; server++) {
            order[server] = server;
        }
        IntArrays.mergeSort(order, (a, b) -> {
            int byOwn = Integer.compare(own[b], own[a]);
            return byOwn != 0
                    ? byOwn
                    : Integer.compare(view.cluster().freeOn(b), view.cluster().freeOn(a));
        });
        IntArrayList chosen = new IntArrayList(gpus);
        for (int i = 0; i < order.length && chosen.size() < gpus; i++) {
            if (own[order[i]] > 0) {
                long mask = now.maskOn(now.indexOf(order[i]));
                add(topology, order[i], gpus, chosen, gpu -> (mask & (1L << gpu)) != 0);
            }
        }
        for (int i = 0; i < order.length && chosen.size() < gpus; i++) {
            int first = topology.firstGpu(order[i]);
            add(topology, order[i], gpus, chosen, gpu -> view.cluster().owner(first + gpu) == Cluster.FREE);
        }
        return Placement.of(topology, chosen.toIntArray());
    }

    private static void add(Topology topology, int server, int gpus, IntArrayList chosen, IntPredicate isTaken) {
        for (int gpu = 0; gpu < topology.gpusOn(server) && chosen.size() < gpus; gpu++) {
            if (isTaken.test(gpu)) {
                chosen.add(topology.firstGpu(server) + gpu);
            }
        }
    }
}
