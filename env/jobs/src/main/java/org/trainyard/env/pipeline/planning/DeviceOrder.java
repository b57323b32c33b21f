package org.trainyard.env.pipeline.planning;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jgrapht.Graph;
import org.jgrapht.alg.StoerWagnerMinimumCut;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleWeightedGraph;

/**
 * Recursive device ordering: the GPUs are cut where the least bandwidth crosses, then each side again, so GPUs with
 * fast links stay neighbours.
 *
 * <p>Source: Z. Luo et al.: Efficient pipeline planning for expedited distributed DNN training (SPP), INFOCOM 2022.
 * Minimum cuts by M. Stoer, F. Wagner (1997). The side with the smallest number comes first. Deviation: (1) sets of
 * equal bandwidths, where all cuts of one GPU tie, keep their order.
 */
final class DeviceOrder {
    private DeviceOrder() {}

    /** O(count^4) at worst. */
    static int[] of(Devices devices) {
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < devices.count(); i++) {
            all.add(i);
        }
        List<Integer> order = new ArrayList<>();
        append(devices, all, order);
        return order.stream().mapToInt(Integer::intValue).toArray();
    }

    /** @param sorted in increasing order */
    private static void append(Devices devices, List<Integer> sorted, List<Integer> order) {
        if (sorted.size() <= 2 || isUniform(devices, sorted)) {
            order.addAll(sorted);
            return;
        }
        Set<Integer> side = new TreeSet<>(new StoerWagnerMinimumCut<>(graph(devices, sorted)).minCut());
        List<Integer> first = new ArrayList<>();
        List<Integer> second = new ArrayList<>();
        boolean sideHasFirst = side.contains(sorted.get(0));
        for (int gpu : sorted) {
            (side.contains(gpu) == sideHasFirst ? first : second).add(gpu);
        }
        append(devices, first, order);
        append(devices, second, order);
    }

    private static boolean isUniform(Devices devices, List<Integer> gpus) {
        double bandwidth = devices.bytesPerSecond(gpus.get(0), gpus.get(1));
        for (int a : gpus) {
            for (int b : gpus) {
                if (a != b && devices.bytesPerSecond(a, b) != bandwidth) {
                    return false;
                }
            }
        }
        return true;
    }

    private static Graph<Integer, DefaultWeightedEdge> graph(Devices devices, List<Integer> gpus) {
        Graph<Integer, DefaultWeightedEdge> graph = new SimpleWeightedGraph<>(DefaultWeightedEdge.class);
        gpus.forEach(graph::addVertex);
        for (int a : gpus) {
            for (int b : gpus) {
                if (a < b) {
                    graph.setEdgeWeight(graph.addEdge(a, b), devices.bytesPerSecond(a, b));
                }
            }
        }
        return graph;
    }
}
