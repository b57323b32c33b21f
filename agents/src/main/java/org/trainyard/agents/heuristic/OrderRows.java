package org.trainyard.agents.heuristic;

import static org.trainyard.agents.heuristic.SchedulerCatalog.Trait.NETWORK;
import static org.trainyard.agents.heuristic.SchedulerCatalog.Trait.PREDICTS;
import static org.trainyard.agents.heuristic.SchedulerCatalog.Trait.PREEMPTIVE;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.trainyard.agents.heuristic.SchedulerCatalog.Trait;
import org.trainyard.agents.heuristic.classic.Fifo;
import org.trainyard.agents.heuristic.classic.Las;
import org.trainyard.agents.heuristic.classic.RandomOrder;
import org.trainyard.agents.heuristic.classic.Sjf;
import org.trainyard.agents.heuristic.classic.Srtf;
import org.trainyard.agents.heuristic.packing.PlacementPolicies;
import org.trainyard.env.scheduling.placement.BestFit;
import org.trainyard.env.scheduling.placement.FirstFit;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.scheduling.placement.RandomFit;
import org.trainyard.env.simulation.Scheduler;

/** The rows of the catalogue that are an order of jobs with a placer. */
final class OrderRows {
    private record Order(String name, String description, Set<Trait> traits, Function<Placer, Scheduler> made) {
        Scheduler with(Placer placer) {
            return made.apply(placer);
        }
    }

    private static final List<Order> ORDERS = List.of(
            new Order("fifo", "first in, first out; the head blocks", Set.of(), p -> new Fifo(false, p)),
            new Order("fifo-backfill", "first in, first out; who fits may pass", Set.of(), p -> new Fifo(true, p)),
            new Order("sjf", "shortest predicted run time first", Set.of(PREDICTS), Sjf::new),
            new Order("srtf", "shortest predicted remaining time first", Set.of(PREEMPTIVE, PREDICTS), Srtf::new),
            new Order("las", "least attained GPU service first, in queues (Tiresias)", Set.of(PREEMPTIVE), Las::new));

    private OrderRows() {}

    /** Every order with the placers that are listed, and random order on random servers. */
    static List<SchedulerCatalog.Entry> listed() {
        List<SchedulerCatalog.Entry> rows = new ArrayList<>();
        for (Order order : ORDERS) {
            Set<Trait> onNetwork = EnumSet.of(NETWORK);
            onNetwork.addAll(order.traits());
            rows.add(row(order, "", "best fit", onNetwork, (on, belief, seed) -> order.with(new BestFit())));
            rows.add(row(order, "/first-fit", "first fit", order.traits(), (on, belief, seed) -> {
                return order.with(new FirstFit());
            }));
            rows.add(row(order, "/random", "random servers", order.traits(), (on, belief, seed) -> {
                return order.with(new RandomFit(on, seed));
            }));
        }
        rows.add(new SchedulerCatalog.Entry(
                "random",
                "random order on random servers: the floor",
                Set.of(),
                null,
                (on, belief, seed) -> new RandomOrder(new RandomFit(on, seed), seed)));
        return rows;
    }

    /** Every order with every placement policy. */
    static List<SchedulerCatalog.Entry> unlisted() {
        List<SchedulerCatalog.Entry> rows = new ArrayList<>();
        for (Order order : ORDERS) {
            for (PlacementPolicies.Entry policy : PlacementPolicies.entries()) {
                rows.add(row(order, "/" + policy.name(), policy.description(), order.traits(), (on, belief, seed) -> {
                    return order.with(policy.create(on, null, seed));
                }));
            }
        }
        return rows;
    }

    private static SchedulerCatalog.Entry row(
            Order order, String suffix, String where, Set<Trait> traits, SchedulerCatalog.Factory factory) {
        return new SchedulerCatalog.Entry(
                order.name() + suffix, order.description() + "; " + where, traits, null, factory);
    }
}
