package org.trainyard.env.topology;

import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jgrapht.Graph;
import org.jgrapht.alg.shortestpath.DijkstraShortestPath;
import org.jspecify.annotations.Nullable;

/**
 * Routes between servers over the switches of a topology: the path of least latency, of equal paths the one with fewest
 * links. A route has the bandwidth of single links; parallel links do not add to it.
 *
 * <p>In a {@link UniformFabric uniform} wiring there is one route per {@link Locality}. In any other, shortest paths
 * are searched in a JGraphT graph of the switches, once per pair of racks (and of kinds of NICs there), and cached.
 * Safe for use by several threads.
 */
public final class Routes {
    /**
     * A route from server to server.
     *
     * @param tiers tiers of its links, in order
     * @param bytesPerSecond bandwidth of the narrowest link
     * @param latencyNanos sum of the links' latencies
     */
    public record Route(List<LinkClass> tiers, double bytesPerSecond, long latencyNanos) {}

    private final Topology topology;
    private final @Nullable EnumMap<Locality, Route> bySpan;
    private final int[] station;
    private final Long2ObjectOpenHashMap<Route> known = new Long2ObjectOpenHashMap<>();
    private @Nullable Graph<Integer, SwitchGraph.Cable> graph;

    Routes(Topology topology) {
        this.topology = topology;
        UniformFabric uniform = UniformFabric.of(topology);
        bySpan = uniform == null ? null : bySpan(uniform);
        station = uniform == null ? stations(topology) : new int[0];
    }

    private static EnumMap<Locality, Route> bySpan(UniformFabric links) {
        EnumMap<Locality, Route> routes = new EnumMap<>(Locality.class);
        List<LinkClass> tiers = new ArrayList<>();
        List<Link> passed = new ArrayList<>();
        add(tiers, passed, LinkClass.NIC, links.nic());
        routes.put(Locality.RACK, route(tiers, passed));
        if (links.tor() != null) {
            add(tiers, passed, LinkClass.TOR, links.tor());
            routes.put(Locality.POD, route(tiers, passed));
        }
        if (links.spine() != null) {
            add(tiers, passed, LinkClass.SPINE, links.spine());
            routes.put(Locality.CLUSTER, route(tiers, passed));
        }
        return routes;
    }

    /** Inserts one uplink and one downlink in the middle of the route. */
    private static void add(List<LinkClass> tiers, List<Link> passed, LinkClass tier, Link link) {
        int middle = tiers.size() / 2;
        tiers.addAll(middle, List.of(tier, tier));
        passed.addAll(middle, List.of(link, link));
    }

    private static Route route(List<LinkClass> tiers, List<Link> passed) {
        double bandwidth = Double.POSITIVE_INFINITY;
        long latency = 0;
        for (Link link : passed) {
            bandwidth = Math.min(bandwidth, link.bytesPerSecond());
            latency += link.latencyNanos();
        }
        return new Route(List.copyOf(tiers), bandwidth, latency);
    }

    /** By server, a number for its rack and kind of NIC: servers with equal numbers have equal routes. */
    private static int[] stations(Topology topology) {
        int[] stations = new int[topology.servers()];
        int found = 0;
        for (int rack = 0; rack < topology.racks(); rack++) {
            Map<Link, Integer> ofNic = new HashMap<>();
            for (int i = 0; i < topology.serversIn(rack); i++) {
                int server = topology.firstServer(rack) + i;
                Integer before = ofNic.putIfAbsent(topology.nic(server), found);
                stations[server] = before == null ? found++ : before;
            }
        }
        return stations;
    }

    /** Whether the route between two servers follows from their {@link Locality} alone. */
    public boolean areUniform() {
        return bySpan != null;
    }

    /**
     * The route between two different servers. Without a uniform wiring, the first query for a pair of racks costs a
     * shortest-path search; every other query is a look-up.
     */
    public Route between(int serverA, int serverB) {
        if (serverA == serverB) {
            throw new IllegalArgumentException("no route from server (%d) to itself".formatted(serverA));
        }
        if (bySpan != null) {
            Route route = bySpan.get(topology.span(serverA, serverB));
            if (route == null) {
                throw new IllegalStateException("no route from server (%d) to (%d)".formatted(serverA, serverB));
            }
            return route;
        }
        long pair = ((long) station[serverA] << 32) | station[serverB];
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
        List<LinkClass> tiers = new ArrayList<>();
        List<Link> passed = new ArrayList<>();
        tiers.add(LinkClass.NIC);
        passed.add(topology.nic(serverA));
        int leafA = topology.rackOf(serverA);
        int leafB = topology.rackOf(serverB);
        if (leafA != leafB) {
            var path = new DijkstraShortestPath<>(switches()).getPath(leafA, leafB);
            for (SwitchGraph.Cable cable : path.getEdgeList()) {
                boolean fromLeaf = topology.wiring().tier(cable.lower()) == SwitchGraph.Tier.LEAF;
                tiers.add(fromLeaf ? LinkClass.TOR : LinkClass.SPINE);
                passed.add(cable.link());
            }
        }
        tiers.add(LinkClass.NIC);
        passed.add(topology.nic(serverB));
        return route(tiers, passed);
    }

    private Graph<Integer, SwitchGraph.Cable> switches() {
        if (graph == null) {
            graph = topology.wiring().graph();
        }
        return graph;
    }

    /**
     * The links of a data centre with one kind of link per tier and shortest possible paths between racks: through one
     * spine within a pod, through one core between pods. Routes then depend only on the locality of their ends.
     *
     * @param tor leaf to spine; null when there is no such cable
     * @param spine spine to core; null when there is no such cable
     */
    private record UniformFabric(
            Link nic, @Nullable Link tor, @Nullable Link spine) {
        /** The uniform links of the topology, or null when it is not uniform. O(servers + cables). */
        static @Nullable UniformFabric of(Topology topology) {
            Link nic = topology.nic(0);
            for (int server = 1; server < topology.servers(); server++) {
                if (!topology.nic(server).equals(nic)) {
                    return null;
                }
            }
            SwitchGraph wiring = topology.wiring();
            Link tor = null;
            Link spine = null;
            for (SwitchGraph.Cable cable : wiring.cables()) {
                boolean fromLeaf = wiring.tier(cable.lower()) == SwitchGraph.Tier.LEAF;
                Link before = fromLeaf ? tor : spine;
                if (before != null && !before.equals(cable.link())) {
                    return null;
                }
                tor = fromLeaf ? cable.link() : tor;
                spine = fromLeaf ? spine : cable.link();
            }
            return isNear(topology) ? new UniformFabric(nic, tor, spine) : null;
        }

        /**
         * Whether every pod has a spine joined to all its leaves, and one core is joined to such a spine of every pod.
         */
        private static boolean isNear(Topology topology) {
            SwitchGraph wiring = topology.wiring();
            int[] leavesIn = new int[wiring.pods()];
            for (int rack = 0; rack < topology.racks(); rack++) {
                leavesIn[wiring.podOf(rack)]++;
            }
            int[] leavesOf = new int[wiring.switches()];
            for (SwitchGraph.Cable cable : wiring.cables()) {
                leavesOf[cable.upper()] += wiring.tier(cable.lower()) == SwitchGraph.Tier.LEAF ? 1 : 0;
            }
            Set<Integer> covered = new HashSet<>();
            for (int i = topology.racks(); i < wiring.switches(); i++) {
                if (seesAll(wiring, i, leavesOf, leavesIn)) {
                    covered.add(wiring.podOf(i));
                }
            }
            for (int pod = 0; pod < wiring.pods(); pod++) {
                if (leavesIn[pod] > 1 && !covered.contains(pod)) {
                    return false;
                }
            }
            return wiring.pods() == 1 || oneCoreSeesAll(wiring, leavesOf, leavesIn);
        }

        private static boolean seesAll(SwitchGraph wiring, int spine, int[] leavesOf, int[] leavesIn) {
            int pod = wiring.podOf(spine);
            return wiring.tier(spine) == SwitchGraph.Tier.SPINE && pod >= 0 && leavesOf[spine] == leavesIn[pod];
        }

        private static boolean oneCoreSeesAll(SwitchGraph wiring, int[] leavesOf, int[] leavesIn) {
            int[] podsOf = new int[wiring.switches()];
            Set<Long> counted = new HashSet<>();
            for (SwitchGraph.Cable cable : wiring.cables()) {
                if (seesAll(wiring, cable.lower(), leavesOf, leavesIn)
                        && counted.add((long) cable.upper() << 32 | wiring.podOf(cable.lower()))) {
                    podsOf[cable.upper()]++;
                }
            }
            for (int pods : podsOf) {
                if (pods == wiring.pods()) {
                    return true;
                }
            }
            return false;
        }
    }
}
