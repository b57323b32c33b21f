package org.trainyard.env.gym.registry;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.fragmentation.TargetWorkload;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.topology.Topology;

/**
 * The placement policies by name, which are those compared in Q. Weng et al.: Beware of fragmentation, USENIX ATC 2023,
 * and those of plugins.
 *
 * <p>Two of the names have other meanings elsewhere: as a scheduler, {@code random} is a random order on random
 * servers, and {@code ORDER/best-fit} and {@code ORDER/random} are {@code BestFit} and {@code RandomFit}.
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

    private PlacementPolicies() {}

    /** The policies, in the order in which to list them. */
    public static List<Entry> entries() {
        return SchedulerFamilies.placersOf(SchedulerFamilies.all());
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
