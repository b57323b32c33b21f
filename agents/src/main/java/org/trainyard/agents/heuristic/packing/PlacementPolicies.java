package org.trainyard.agents.heuristic.packing;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.fragmentation.TargetWorkload;
import org.trainyard.env.scheduling.placement.BestFit;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.scheduling.placement.RandomFit;
import org.trainyard.env.scheduling.placement.ScoredFit;
import org.trainyard.env.scheduling.placement.ServerScore;
import org.trainyard.env.topology.Topology;

/**
 * The placement policies compared in Q. Weng et al.: Beware of fragmentation, USENIX ATC 2023, by name.
 *
 * <p>Two of the names have other meanings elsewhere: as a scheduler, {@code random} is a random order on random
 * servers, and {@code ORDER/best-fit} and {@code ORDER/random} are {@link BestFit} and {@link RandomFit}.
 */
public final class PlacementPolicies {
    /** Constructs a policy for one run. */
    @FunctionalInterface
    public interface Factory {
        /**
         * A new policy.
         *
         * @param target the expected jobs, for policies that measure fragmentation; null to count the submitted ones
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
        /** A new policy for one run. */
        public Placer create(Topology topology, @Nullable TargetWorkload target, long seed) {
            return factory.create(topology, target, seed);
        }
    }

    @FunctionalInterface
    private interface ScoreFactory {
        ServerScore create(Topology topology, @Nullable TargetWorkload target, long seed);
    }

    private static final List<Entry> ENTRIES = List.of(
            scored(
                    "fgd",
                    "where fragmentation grows least (FGD)",
                    (on, target, seed) -> new FragmentationGradient(on, target)),
            scored("best-fit", "the server with least CPU and GPUs left", (on, target, seed) -> new LeastLeft(on)),
            scored(
                    "dot-product",
                    "the server whose free CPU and GPUs have the smallest dot product with the demand",
                    (on, target, seed) -> new DotProduct(on)),
            scored(
                    "gpu-packing",
                    "used GPUs, then used servers, then idle ones",
                    (on, target, seed) -> new GpuPacking()),
            scored("gpu-clustering", "beside jobs that want as many GPUs", (on, target, seed) -> new GpuClustering(on)),
            scored("random", "a random server with room", (on, target, seed) -> new RandomServer(seed)));

    /** Those of plugins, replaced as a whole. */
    private static volatile List<Entry> plugged = List.of();

    private PlacementPolicies() {}

    /** Adds the policies of plugins, in place of those added before. */
    public static void plug(List<Entry> policies) {
        plugged = List.copyOf(policies);
    }

    /** Whether a policy of this project has this name. */
    public static boolean isBuiltIn(String name) {
        return ENTRIES.stream().anyMatch(entry -> entry.name().equals(name));
    }

    private static Entry scored(String name, String description, ScoreFactory score) {
        return new Entry(
                name, description, (on, target, seed) -> new ScoredFit(score.create(on, target, seed), on, seed));
    }

    /** The policies, in the order in which to list them. */
    public static List<Entry> entries() {
        List<Entry> entries = new ArrayList<>(ENTRIES);
        entries.addAll(plugged);
        return List.copyOf(entries);
    }

    /** The names of the policies, in the same order. */
    public static List<String> names() {
        return entries().stream().map(Entry::name).toList();
    }

    /** The policy of this name, or null. */
    public static @Nullable Entry named(String name) {
        return entries().stream()
                .filter(entry -> entry.name().equals(name))
                .findFirst()
                .orElse(null);
    }
}
