package org.trainyard.env.topology;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jgrapht.Graph;
import org.jgrapht.alg.util.UnionFind;
import org.jgrapht.graph.SimpleWeightedGraph;
import org.trainyard.env.Invalid;
import org.trainyard.env.Labelled;

/**
 * The switches of a data centre and the cables between them: every rack has a leaf, leaves are joined by spines, spines
 * by cores.
 *
 * <p>Switch {@code i} is the leaf of rack {@code i} for every rack; spines and cores have the indices after. A pod is a
 * set of leaves and spines connected without cores, so the leaves of a tree's spine are one pod, and so are all leaves
 * of a leaf-spine fabric. The leaves of a pod are neighbours.
 */
public final class SwitchGraph {
    /** The tiers of switches, from the servers up. */
    public enum Tier implements Labelled {
        LEAF,
        SPINE,
        CORE;

        /** Whether {@code upper} is the next tier above this one. */
        boolean isNextBelow(Tier upper) {
            return (this == LEAF && upper == SPINE) || (this == SPINE && upper == CORE);
        }
    }

    /**
     * Equal parallel links between two switches.
     *
     * @param lower the switch nearer to the servers, or in {@link Topology#graph} a server
     * @param upper a switch of the next tier
     * @param count number of links, at least one
     */
    public record Cable(int lower, int upper, Link link, int count) {
        /** Total bandwidth of the links, in each direction. */
        public double bytesPerSecond() {
            return count * link.bytesPerSecond();
        }
    }

    private final List<Tier> tiers;
    private final List<String> names;
    private final List<Cable> cables;
    private final int[] podOf;
    private final int pods;

    private SwitchGraph(Builder builder) {
        tiers = List.copyOf(builder.tiers);
        names = List.copyOf(builder.names);
        cables = List.copyOf(builder.cables);
        Invalid.when(count(Tier.LEAF) == 0, "there is no leaf switch");
        checkConnected();
        podOf = new int[tiers.size()];
        pods = findPods();
    }

    private UnionFind<Integer> joined(Tier highest) {
        UnionFind<Integer> parts =
                new UnionFind<>(IntStream.range(0, tiers.size()).boxed().collect(Collectors.toSet()));
        for (Cable cable : cables) {
            if (tiers.get(cable.upper).compareTo(highest) <= 0) {
                parts.union(cable.lower, cable.upper);
            }
        }
        return parts;
    }

    private void checkConnected() {
        UnionFind<Integer> parts = joined(Tier.CORE);
        for (int other = 1; other < tiers.size(); other++) {
            if (!parts.inSameSet(0, other)) {
                throw new IllegalArgumentException(
                        "switch (%s) cannot be reached from switch (%s)".formatted(names.get(other), names.get(0)));
            }
        }
    }

    private int findPods() {
        UnionFind<Integer> parts = joined(Tier.SPINE);
        int[] podOfPart = new int[tiers.size()];
        int found = 0;
        for (int i = 0; i < tiers.size(); i++) {
            int part = parts.find(i);
            if (podOfPart[part] == 0 && tiers.get(i) == Tier.LEAF) {
                podOfPart[part] = ++found;
            } else if (tiers.get(i) == Tier.LEAF && podOfPart[part] != found) {
                throw new IllegalArgumentException(
                        "leaf (%s) is apart from the other leaves of its pod".formatted(names.get(i)));
            }
            podOf[i] = podOfPart[part] - 1;
        }
        return found;
    }

    public int switches() {
        return tiers.size();
    }

    public Tier tier(int node) {
        return tiers.get(node);
    }

    /** The name of the switch. */
    public String name(int node) {
        return names.get(node);
    }

    public List<Cable> cables() {
        return cables;
    }

    /** The switches and cables as a graph of the caller's own, weighted by latency; O(switches + cables). */
    Graph<Integer, Cable> graph() {
        Graph<Integer, Cable> graph = new SimpleWeightedGraph<>(null, null);
        for (int i = 0; i < tiers.size(); i++) {
            graph.addVertex(i);
        }
        cables.forEach(cable -> {
            graph.addEdge(cable.lower(), cable.upper(), cable);
            graph.setEdgeWeight(cable, cable.link().latencyNanos() + 1.0);
        });
        return graph;
    }

    public int count(Tier tier) {
        return (int) tiers.stream().filter(tier::equals).count();
    }

    public int pods() {
        return pods;
    }

    /** The pod of a leaf or spine; -1 for a core, or a spine without leaves. */
    public int podOf(int node) {
        return podOf[node];
    }

    /** Collects switches, all leaves first, and cables. Refuses graphs that are not connected. */
    public static final class Builder {
        private static final int MAX_COUNT = 1_000_000;

        private final List<Tier> tiers = new ArrayList<>();
        private final List<String> names = new ArrayList<>();
        private final List<Cable> cables = new ArrayList<>();
        private final LongOpenHashSet joined = new LongOpenHashSet();

        /** Adds a switch and returns its index. */
        public int add(Tier tier, String name) {
            if (tier == Tier.LEAF && !tiers.isEmpty() && tiers.get(tiers.size() - 1) != Tier.LEAF) {
                throw new IllegalArgumentException("leaf (%s) comes after switches of other tiers".formatted(name));
            }
            tiers.add(tier);
            names.add(name);
            return tiers.size() - 1;
        }

        /** Joins two switches of neighbouring tiers by {@code count} links. */
        public Builder join(int lower, int upper, Link link, int count) {
            if (!tiers.get(lower).isNextBelow(tiers.get(upper))) {
                throw new IllegalArgumentException(
                        "a cable joins a leaf to a spine or a spine to a core, not %s (%s) to %s (%s)"
                                .formatted(tiers.get(lower), names.get(lower), tiers.get(upper), names.get(upper)));
            }
            if (count < 1 || count > MAX_COUNT) {
                throw new IllegalArgumentException("links (%d) from %s to %s must be 1 to %d"
                        .formatted(count, names.get(lower), names.get(upper), MAX_COUNT));
            }
            if (!joined.add((long) lower << 32 | upper)) {
                throw new IllegalArgumentException("%s and %s are joined twice; say how many links there are instead"
                        .formatted(names.get(lower), names.get(upper)));
            }
            cables.add(new Cable(lower, upper, link, count));
            return this;
        }

        public SwitchGraph build() {
            return new SwitchGraph(this);
        }
    }
}
