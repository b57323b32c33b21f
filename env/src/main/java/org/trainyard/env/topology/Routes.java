package org.trainyard.env.topology;

import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.List;
import org.jgrapht.Graph;
import org.jgrapht.GraphPath;
import org.jgrapht.alg.shortestpath.DijkstraShortestPath;
import org.jgrapht.graph.SimpleWeightedGraph;

/**
 * Routes between servers over the switches of a topology: the path of least latency in a JGraphT graph, looked up once per pair of
 * racks and kept.
 *
 * <p>Vertices are {@code server:i}, {@code tor:i}, {@code spine:i} and {@code core}. Safe for use by several threads.
 */
public final class Routes {
    /** An undirected link of the fabric graph. */
    static final class Edge {
        final LinkClass tier;

        Edge(LinkClass tier) {
            this.tier = tier;
        }
    }

    /**
     * A way from server to server.
     *
     * @param tiers the links passed, in order
     * @param bytesPerSecond bandwidth of the narrowest link
     * @param latencyNanos sum over the links
     */
    public record Route(List<LinkClass> tiers, double bytesPerSecond, long latencyNanos) {}

    private final Topology topology;
    private final Graph<String, Edge> graph = new SimpleWeightedGraph<>(null, null);
    private final Long2ObjectOpenHashMap<Route> known = new Long2ObjectOpenHashMap<>();

    Routes(Topology topology) {
        this.topology = topology;
        for (int rack = 0; rack < topology.racks(); rack++) {
            int pod = topology.podOf(rack);
            if (graph.addVertex("spine:" + pod) && topology.pods() > 1) {
                graph.addVertex("core");
                connect("spine:" + pod, "core", LinkClass.SPINE);
            }
            graph.addVertex("tor:" + rack);
            connect("tor:" + rack, "spine:" + pod, LinkClass.TOR);
            for (int i = 0; i < topology.serversIn(rack); i++) {
                String server = "server:" + (topology.firstServer(rack) + i);
                graph.addVertex(server);
                connect(server, "tor:" + rack, LinkClass.NIC);
            }
        }
    }

    private void connect(String a, String b, LinkClass tier) {
        Edge edge = new Edge(tier);
        graph.addEdge(a, b, edge);
        graph.setEdgeWeight(edge, topology.fabric().of(tier).latencyNanos() + 1.0);
    }

    /** The route between two different servers. The first question for a pair of racks costs a shortest-path search, later ones a look-up. */
    public Route between(int serverA, int serverB) {
        if (serverA == serverB) {
            throw new IllegalArgumentException("no route from server (%d) to itself".formatted(serverA));
        }
        long pair = ((long) topology.rackOf(serverA) << 32) | topology.rackOf(serverB);
        synchronized (known) {
            Route route = known.get(pair);
            if (route == null) {
                route = search(serverA, serverB);
                known.put(pair, route);
            }
            return route;
        }
    }

    private Route search(int serverA, int serverB) {
        GraphPath<String, Edge> path =
                new DijkstraShortestPath<>(graph).getPath("server:" + serverA, "server:" + serverB);
        List<LinkClass> tiers = new ArrayList<>();
        double bandwidth = Double.POSITIVE_INFINITY;
        long latency = 0;
        for (Edge edge : path.getEdgeList()) {
            Link link = topology.fabric().of(edge.tier);
            tiers.add(edge.tier);
            bandwidth = Math.min(bandwidth, link.bytesPerSecond());
            latency += link.latencyNanos();
        }
        return new Route(List.copyOf(tiers), bandwidth, latency);
    }
}
