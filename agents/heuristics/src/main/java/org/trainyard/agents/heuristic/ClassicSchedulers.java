package org.trainyard.agents.heuristic;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.classic.Fifo;
import org.trainyard.agents.heuristic.classic.Las;
import org.trainyard.agents.heuristic.classic.Sjf;
import org.trainyard.agents.heuristic.classic.Srtf;
import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.agents.heuristic.placing.FirstFit;
import org.trainyard.agents.heuristic.placing.RandomFit;
import org.trainyard.env.gym.registry.OwnFamily;
import org.trainyard.env.gym.registry.PlacementPolicies;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Entry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Flag;
import org.trainyard.env.gym.registry.SchedulerRegistry.Kind;
import org.trainyard.env.gym.registry.SchedulerRegistry.Origin;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.Scheduler;

/** The textbook orders over jobs, with every placement policy: {@code sjf}, {@code sjf/first-fit}, {@code las/fgd}. */
@OwnFamily(module = "agents/heuristics", position = 10)
public final class ClassicSchedulers implements SchedulerPlugin {
    /** An order over jobs that takes any placer. */
    private record Order(String name, String description, Function<Placer, Scheduler> constructor, Origin origin) {
        /** The rows of the order: on {@link BestFit} under its own name, on the first and on random servers. */
        List<Entry> rows() {
            Set<Flag> flags = EnumSet.of(Flag.NETWORK_AWARE, Flag.VARIANTS);
            flags.addAll(withSegments());
            return List.of(
                    new Origin(origin.source(), origin.kind(), null, flags)
                            .row(name, description + "; best fit")
                            .by(on -> constructor.apply(new BestFit())),
                    new Origin(origin.source(), origin.kind(), null, withSegments())
                            .row(name + "/first-fit", description + "; first fit")
                            .by(on -> constructor.apply(new FirstFit())),
                    origin.row(name + "/random", description + "; random servers")
                            .by((on, belief, seed) -> constructor.apply(new RandomFit(on, seed))));
        }

        private Set<Flag> withSegments() {
            Set<Flag> flags = EnumSet.of(Flag.KEEPS_SEGMENTS);
            flags.addAll(origin.flags());
            return flags;
        }

        Entry on(PlacementPolicies.Entry policy) {
            return origin.row(name + "/" + policy.name(), description + "; " + policy.description())
                    .by((on, belief, seed) -> constructor.apply(policy.create(on, null, seed)));
        }
    }

    private static final List<Order> ORDERS = List.of(
            new Order(
                    "fifo",
                    "first in, first out; the head blocks",
                    placer -> new Fifo(false, placer),
                    new Origin("YARN-CS, as in Tiresias (NSDI 2019)", Kind.UNRECORDED)),
            new Order(
                    "fifo-backfill",
                    "first in, first out; backfill without reservations",
                    placer -> new Fifo(true, placer),
                    new Origin("WCS-SubTime of Luo et al. (INFOCOM 2025)", Kind.UNRECORDED)),
            new Order(
                    "sjf",
                    "shortest predicted run time first; every job that fits may start",
                    Sjf::new,
                    new Origin(
                            "Smith 1956; Helios (SC 2021); WCS-Duration of Luo et al.",
                            Kind.UNRECORDED,
                            Flag.NEEDS_PREDICTIONS)),
            new Order(
                    "srtf",
                    "shortest predicted remaining time first",
                    Srtf::new,
                    new Origin("Schrage 1968; Tiresias", Kind.UNRECORDED, Flag.PREEMPTIVE, Flag.NEEDS_PREDICTIONS)),
            new Order(
                    "las",
                    "least attained GPU service first, in queues (Tiresias)",
                    Las::new,
                    new Origin("Tiresias (2D-LAS, discretised)", Kind.UNRECORDED, Flag.PREEMPTIVE)));

    @Override
    public List<Entry> schedulers() {
        List<Entry> rows = new ArrayList<>();
        ORDERS.forEach(order -> rows.addAll(order.rows()));
        return rows;
    }

    @Override
    public Map<String, String> aliases() {
        return Map.of("wcs-subtime", "fifo-backfill", "wcs-duration", "sjf");
    }

    /** An order with one of {@link PlacementPolicies}; {@code best-fit} is the {@link BestFit} of its row. */
    @Override
    public @Nullable Entry unlisted(String name) {
        int slash = name.indexOf('/');
        for (Order order : ORDERS) {
            if (slash > 0 && order.name().equals(name.substring(0, slash))) {
                String placer = name.substring(slash + 1);
                PlacementPolicies.Entry policy = PlacementPolicies.named(placer);
                if (placer.equals("best-fit")) {
                    return SchedulerRegistry.named(order.name());
                }
                return policy == null ? null : order.on(policy);
            }
        }
        return null;
    }
}
