package org.trainyard.agents.heuristic.kueue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;

/**
 * The servers of the simulator as nodes of flavors and topologies.
 *
 * <p>Simplified: (1) the nodes of a flavor are the servers whose GPU type or name is in a label or in its name; where
 * none is, all servers; (2) the levels of a topology are, from below, server, rack, pod, and the whole; (3) a node has
 * room for any number of pods, and daemons take nothing of it.
 */
final class SimulatedNodes {
    private static final long MIB = 1L << 20;
    private static final int LEVELS = 4;

    final Topology topology;
    private final QuotaTree tree;
    /** By flavor. */
    private final List<BitSet> servers = new ArrayList<>();
    /** By flavor and server, the leaf of its topology; -1 for none. */
    private final int[][] leaves;

    SimulatedNodes(Topology topology, QuotaTree tree) {
        this.topology = topology;
        this.tree = tree;
        leaves = new int[tree.flavors.size()][topology.servers()];
        for (String flavor : tree.flavors) {
            BitSet matching = new BitSet();
            for (int server = 0; server < topology.servers(); server++) {
                matching.set(server, isOf(flavor, server));
            }
            if (matching.isEmpty()) {
                matching.set(0, topology.servers());
            }
            servers.add(matching);
        }
    }

    private boolean isOf(String flavor, int server) {
        List<String> texts = new ArrayList<>();
        texts.add(flavor);
        if (tree.objects.flavors().containsKey(flavor)) {
            Map<String, String> labels = tree.objects.flavors().get(flavor).labels();
            if (labels.containsValue(topology.serverName(server))) {
                return true;
            }
            texts.addAll(labels.values());
        }
        String type = topology.server(server).gpuType().name().toUpperCase(Locale.ROOT);
        return texts.stream()
                .anyMatch(text -> (" " + text.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]+", " ") + " ")
                        .contains(" " + type + " "));
    }

    BitSet servers(int flavor) {
        return servers.get(flavor);
    }

    /** The tree of the servers of a flavor, whose leaves are servers or what is above them. */
    TopologyTree tree(int flavor) {
        List<String> labels = tree.levels(flavor);
        List<List<String>> values = new ArrayList<>();
        List<long[]> has = new ArrayList<>();
        servers.get(flavor).stream().forEach(server -> {
            values.add(values(server, labels));
            has.add(has(server, topology.gpusOn(server)));
        });
        TopologyTree made = new TopologyTree(labels, values, has);
        Map<List<String>, Integer> byValues = new HashMap<>();
        made.leaves.forEach(leaf -> byValues.put(leaf.values, leaf.leaf));
        Arrays.fill(leaves[flavor], -1);
        servers.get(flavor).stream()
                .forEach(server -> leaves[flavor][server] = byValues.getOrDefault(values(server, labels), -1));
        return made;
    }

    /** The values of the labels of a server, from the top; the lowest level is the server if its label is of hosts. */
    private List<String> values(int server, List<String> labels) {
        int rack = topology.rackOf(server);
        List<String> up = List.of(
                topology.serverName(server),
                "rack %05d".formatted(rack),
                "pod %05d".formatted(topology.podOf(rack)),
                "all");
        int first = TopologyTree.hasNodes(labels) ? 0 : 1;
        List<String> values = new ArrayList<>();
        for (int i = 0; i < labels.size(); i++) {
            values.add(0, up.get(Math.min(first + i, LEVELS - 1)));
        }
        return values;
    }

    private long[] has(int server, int gpus) {
        ServerSpec spec = topology.server(server);
        long[] has = new long[tree.resources.size()];
        for (int resource = 0; resource < has.length; resource++) {
            String name = tree.resources.get(resource);
            has[resource] = switch (name) {
                case "cpu" -> spec.cpuMilli();
                case "memory" ->
                    spec.memoryMib() >= ServerSpec.UNLIMITED ? ServerSpec.UNLIMITED : spec.memoryMib() * MIB;
                default -> isGpu(name) ? gpus : ServerSpec.UNLIMITED;
            };
        }
        return has;
    }

    static boolean isGpu(String resource) {
        return resource.toLowerCase(Locale.ROOT).contains("gpu");
    }

    /** Writes into a tree what the servers of its flavor have, without GPUs out of order. */
    void refresh(int flavor, TopologyTree into, Cluster cluster) {
        for (long[] capacity : into.capacity) {
            Arrays.fill(capacity, 0);
        }
        servers.get(flavor).stream().forEach(server -> {
            TopologyTree.add(
                    into.capacity[leaves[flavor][server]],
                    has(server, topology.gpusOn(server) - cluster.downOn(server)));
        });
    }

    /** The leaf of a server in the tree of a flavor, or -1. */
    int leaf(int flavor, int server) {
        return servers.get(flavor).get(server) ? leaves[flavor][server] : -1;
    }

    BitSet serversOf(int flavor, int leaf) {
        BitSet found = new BitSet();
        servers.get(flavor).stream()
                .filter(server -> leaves[flavor][server] == leaf)
                .forEach(found::set);
        return found;
    }

    /** Whether so many pods with so many GPUs each find room on the empty servers of a flavor. */
    boolean hasRoom(int flavor, int pods, int gpusEach) {
        long room = servers.get(flavor).stream()
                .mapToLong(server -> gpusEach == 0 ? pods : topology.gpusOn(server) / gpusEach)
                .sum();
        return room >= pods;
    }
}
