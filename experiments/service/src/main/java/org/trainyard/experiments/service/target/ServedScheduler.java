package org.trainyard.experiments.service.target;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.AuctionScheduler;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * A scheduler that a service offers: a heuristic of the registry, or a trained policy.
 *
 * @param serves the demands it can place
 */
public record ServedScheduler(String name, Maker maker, Predicate<Demand> serves) {
    /** Makes schedulers, each for one cluster. */
    @FunctionalInterface
    public interface Maker {
        /**
         * A new scheduler.
         *
         * @param listener to its auctions, if it decides by auctions; null for none
         */
        Scheduler scheduler(Topology topology, AuctionScheduler.@Nullable Listener listener);
    }

    /** A heuristic of the registry. */
    public static ServedScheduler of(SchedulerRegistry.Entry entry, InterferenceModel belief, long seed) {
        return new ServedScheduler(
                entry.name(), (topology, listener) -> entry.create(topology, belief, seed), entry::serves);
    }
}
