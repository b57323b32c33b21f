package org.trainyard.agents.heuristic.packing;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.placement.BestFit;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.scheduling.placement.RandomFit;
import org.trainyard.env.scheduling.placement.ScoredFit;
import org.trainyard.env.topology.Topology;

/**
 * The placement policies compared in Q. Weng et al.: Beware of fragmentation, USENIX ATC 2023, by name.
 *
 * <p>Two of the names mean something else elsewhere: as a scheduler, {@code random} is a random order on random servers, and
 * {@code ORDER/best-fit} and {@code ORDER/random} are {@link BestFit} and {@link RandomFit}.
 */
public final class PlacementPolicies {
    /** Makes a policy for one run. */
    @FunctionalInterface
    public interface Factory {
        /**
         * @param target the jobs that are expected, for who measures fragmentation; null to learn them
         * @param seed root of its random draws
         */
        Placer create(Topology topology, @Nullable TargetWorkload target, long seed);
    }

    /**
     * A policy by name.
     *
     * @param description one line
     */
    public record Entry(String name, String description, Factory factory) {
        /** A fresh policy for one run. */
        public Placer create(Topology topology, @Nullable TargetWorkload target, long seed) {
            return factory.create(topology, target, seed);
        }
    }

    private static final List<Entry> ENTRIES = List.of(
            new Entry(
                    "fgd",
                    "where fragmentation grows least (FGD)",
                    (on, target, seed) -> new ScoredFit(new FragmentationGradient(on, target), on, seed)),
            new Entry(
                    "best-fit",
                    "the server with least CPU and GPUs left",
                    (on, target, seed) -> new ScoredFit(new LeastLeft(on), on, seed)),
            new Entry(
                    "dot-product",
                    "the server whose free CPU and GPUs have the smallest dot product with the demand",
                    (on, target, seed) -> new ScoredFit(new DotProduct(on), on, seed)),
            new Entry(
                    "gpu-packing",
                    "used GPUs, then used servers, then idle ones",
                    (on, target, seed) -> new ScoredFit(new GpuPacking(), on, seed)),
            new Entry(
                    "gpu-clustering",
                    "beside jobs that want as many GPUs",
                    (on, target, seed) -> new ScoredFit(new GpuClustering(on), on, seed)),
            new Entry(
                    "random",
                    "a random server with room",
                    (on, target, seed) -> new ScoredFit(new RandomServer(seed), on, seed)));

    private PlacementPolicies() {}

    /** All of them, in the order in which to list them. */
    public static List<Entry> entries() {
        return ENTRIES;
    }

    /** Their names, in the same order. */
    public static List<String> names() {
        return ENTRIES.stream().map(Entry::name).toList();
    }

    /** The policy of this name, or null. */
    public static @Nullable Entry named(String name) {
        return ENTRIES.stream()
                .filter(entry -> entry.name().equals(name))
                .findFirst()
                .orElse(null);
    }
}
