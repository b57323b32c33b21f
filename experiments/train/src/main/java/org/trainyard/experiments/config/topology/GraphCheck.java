package org.trainyard.experiments.config.topology;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jgrapht.alg.util.UnionFind;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.binding.Nearest;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.SwitchGraph.Tier;
import org.trainyard.env.topology.Topology;

/**
 * Converts a graph of switches, servers and links into a topology. It refuses duplicate and unknown ids, self-links,
 * duplicate links, servers with no leaf or several, links between tiers that must not be connected, unreachable parts,
 * and cycles in a graph of shape tree.
 */
final class GraphCheck {
    private final String file;
    private final TopologyFile.Graph graph;
    private final Map<String, ServerFile> kinds = new LinkedHashMap<>();
    /** The tier of each id; null for servers. */
    private final Map<String, @Nullable Tier> nodes = new LinkedHashMap<>();
    /** The link of each server, and the leaf at its other end. */
    private final Map<String, Link> nics = new HashMap<>();

    private final Map<String, String> leaves = new HashMap<>();
    private final NetworkGraph network = new NetworkGraph();
    private final Map<Tier, Link> narrowest = new HashMap<>();

    GraphCheck(String file, TopologyFile.Graph graph) {
        this.file = file;
        this.graph = graph;
    }

    Topology topology() {
        for (int i = 0; i < graph.kinds().size(); i++) {
            TopologyFile.Graph.Kind kind = graph.kinds().get(i);
            if (kinds.put(kind.id(), kind.server()) != null) {
                throw bad("kinds[%d].id".formatted(i), kind.id(), "an id that no kind above has");
            }
        }
        for (int i = 0; i < graph.switches().size(); i++) {
            TopologyFile.Graph.Switch node = graph.switches().get(i);
            Tier tier = Tier.valueOf(node.tier().toUpperCase(Locale.ROOT));
            addNode("switches[%d].id".formatted(i), node.id(), tier);
            network.addSwitch(node.id(), tier);
        }
        for (int i = 0; i < graph.servers().size(); i++) {
            TopologyFile.Graph.Server server = graph.servers().get(i);
            addNode("servers[%d].id".formatted(i), server.id(), null);
            if (!kinds.containsKey(server.kind())) {
                throw bad("servers[%d].kind".formatted(i), server.kind(), Nearest.oneOf(server.kind(), kinds.keySet()));
            }
        }
        addLinks();
        addServers();
        return network.build(graph.name(), fabric());
    }

    private void addNode(String place, String id, @Nullable Tier tier) {
        if (nodes.containsKey(id)) {
            throw bad(place, id, "an id that no switch or server above has");
        }
        nodes.put(id, tier);
    }

    private void addLinks() {
        UnionFind<String> parts = new UnionFind<>(nodes.keySet());
        Set<List<String>> pairs = new HashSet<>();
        for (int i = 0; i < graph.links().size(); i++) {
            TopologyFile.Graph.Edge edge = graph.links().get(i);
            String place = "links[%d]".formatted(i);
            checkEnd(place + ".from", edge.from());
            checkEnd(place + ".to", edge.to());
            if (edge.from().equals(edge.to())) {
                throw bad(place + ".to", edge.to(), "an end other than from");
            }
            boolean up = isBelow(edge.from(), edge.to());
            String lower = up ? edge.from() : edge.to();
            String upper = up ? edge.to() : edge.from();
            if (!pairs.add(List.of(lower, upper))) {
                throw bad(place, lower + " to " + upper, "every pair once; count is the number of its links");
            }
            if (graph.shape().equals("tree") && parts.inSameSet(lower, upper)) {
                throw bad(
                        place,
                        lower + " to " + upper,
                        "no cycle, because the shape is tree; a Clos network has the shape clos");
            }
            parts.union(lower, upper);
            addLink(place, lower, upper, edge);
        }
    }

    private void checkEnd(String place, String id) {
        if (!nodes.containsKey(id)) {
            throw bad(
                    place,
                    id,
                    Nearest.oneOf(id, nodes.keySet().stream().limit(20).toList()));
        }
    }

    private boolean isBelow(String a, String b) {
        Tier tierA = nodes.get(a);
        Tier tierB = nodes.get(b);
        return tierA == null || (tierB != null && tierA.compareTo(tierB) < 0);
    }

    private void addLink(String place, String lower, String upper, TopologyFile.Graph.Edge edge) {
        Link link = Link.of(edge.gigabytesPerSecond(), edge.latencyMicros());
        Tier below = nodes.get(lower);
        Tier above = nodes.get(upper);
        boolean allowed = below == null ? above == Tier.LEAF : above == next(below);
        if (!allowed || above == null) {
            throw bad(
                    place,
                    "%s %s to %s %s".formatted(what(below), lower, what(above), upper),
                    "server to leaf, leaf to spine or spine to core");
        }
        if (below == null) {
            Link nic = link.times(edge.count());
            if (nics.put(lower, nic) != null) {
                throw bad(place, lower, "one leaf for every server; count is the number of its network cards");
            }
            leaves.put(lower, upper);
            link = nic;
        } else {
            network.join(lower, upper, link, edge.count());
        }
        narrowest.merge(above, link, (a, b) -> a.bytesPerSecond() <= b.bytesPerSecond() ? a : b);
    }

    private static @Nullable Tier next(Tier tier) {
        return switch (tier) {
            case LEAF -> Tier.SPINE;
            case SPINE -> Tier.CORE;
            case CORE -> null;
        };
    }

    private static String what(@Nullable Tier tier) {
        return tier == null ? "server" : tier.label();
    }

    private void addServers() {
        for (int i = 0; i < graph.servers().size(); i++) {
            TopologyFile.Graph.Server server = graph.servers().get(i);
            String leaf = leaves.get(server.id());
            Link nic = nics.get(server.id());
            ServerFile kind = kinds.get(server.kind());
            if (leaf == null || nic == null || kind == null) {
                throw bad("servers[%d].id".formatted(i), server.id(), "a server with a link to a leaf");
            }
            network.addServer(leaf, server.id(), kind.build(), nic);
        }
    }

    /**
     * The bandwidth of a tier is that of its slowest link; a tier without links has the bandwidth of the tier below.
     */
    private Fabric fabric() {
        Link nic = narrowest.getOrDefault(Tier.LEAF, graph.pcie().build());
        Link tor = narrowest.getOrDefault(Tier.SPINE, nic);
        Link spine = narrowest.getOrDefault(Tier.CORE, tor);
        return new Fabric(graph.nvlink().build(), graph.pcie().build(), nic, tor, spine);
    }

    private InputException bad(String place, Object value, String expected) {
        return InputException.at(
                "%s, %s".formatted(file, place),
                NodeTable.printable(String.valueOf(value)),
                NodeTable.oneLine(expected));
    }
}
