package org.trainyard.experiments.config.topology;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jgrapht.alg.util.UnionFind;
import org.trainyard.env.Invalid;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.SwitchGraph;
import org.trainyard.env.topology.SwitchGraph.Tier;
import org.trainyard.env.topology.Topology;

/**
 * Servers and switches by name, sorted into the order that {@link Topology} requires: leaves in insertion order,
 * grouped by pod; servers in insertion order, grouped by rack.
 */
final class NetworkGraph {
    /** A link between two switches by name. */
    private record Cable(String lower, String upper, Link link, int count) {}

    /** The servers of a leaf. */
    private static final class Rack {
        final List<String> names = new ArrayList<>();
        final List<ServerSpec> servers = new ArrayList<>();
        final List<Link> nics = new ArrayList<>();
    }

    private final Map<String, Tier> tiers = new LinkedHashMap<>();
    private final Map<String, Rack> racks = new LinkedHashMap<>();
    private final List<Cable> cables = new ArrayList<>();

    void addSwitch(String name, Tier tier) {
        tiers.put(name, tier);
        if (tier == Tier.LEAF) {
            racks.put(name, new Rack());
        }
    }

    void addServer(String leaf, String name, ServerSpec server, Link nic) {
        Rack rack = racks.get(leaf);
        if (rack == null) {
            throw new IllegalArgumentException("server (%s) is not on a leaf (%s)".formatted(name, leaf));
        }
        rack.names.add(name);
        rack.servers.add(server);
        rack.nics.add(nic);
    }

    void join(String lower, String upper, Link link, int count) {
        cables.add(new Cable(lower, upper, link, count));
    }

    Topology build(String name, Fabric fabric) {
        SwitchGraph.Builder wiring = new SwitchGraph.Builder();
        Topology.Builder topology = new Topology.Builder(name, fabric);
        Map<String, Integer> indices = new LinkedHashMap<>();
        List<String> names = new ArrayList<>();
        for (String leaf : leavesByPod()) {
            indices.put(leaf, wiring.add(Tier.LEAF, leaf));
            Rack rack = racks.getOrDefault(leaf, new Rack());
            Invalid.when(rack.servers.isEmpty(), "leaf (%s) has no server", leaf);
            topology.rack(rack.servers, rack.nics, 1);
            names.addAll(rack.names);
        }
        for (Tier tier : List.of(Tier.SPINE, Tier.CORE)) {
            tiers.forEach((node, its) -> {
                if (its == tier) {
                    indices.put(node, wiring.add(tier, node));
                }
            });
        }
        for (Cable cable : cables) {
            wiring.join(index(indices, cable.lower), index(indices, cable.upper), cable.link, cable.count);
        }
        return topology.serverNames(names).wiring(wiring.build()).build();
    }

    private static int index(Map<String, Integer> indices, String node) {
        Integer index = indices.get(node);
        if (index == null) {
            throw new IllegalArgumentException("switch (%s) is unknown".formatted(node));
        }
        return index;
    }

    private List<String> leavesByPod() {
        UnionFind<String> parts = new UnionFind<>(tiers.keySet());
        for (Cable cable : cables) {
            if (tiers.get(cable.upper) == Tier.SPINE) {
                parts.union(cable.lower, cable.upper);
            }
        }
        Map<String, List<String>> pods = new LinkedHashMap<>();
        for (String leaf : racks.keySet()) {
            pods.computeIfAbsent(parts.find(leaf), pod -> new ArrayList<>()).add(leaf);
        }
        return pods.values().stream().flatMap(List::stream).toList();
    }
}
