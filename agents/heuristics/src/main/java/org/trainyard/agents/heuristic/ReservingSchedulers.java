package org.trainyard.agents.heuristic;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.trainyard.agents.heuristic.composed.ComposedScheduler;
import org.trainyard.agents.heuristic.composed.ComposedSettings;
import org.trainyard.agents.heuristic.composed.Knob;
import org.trainyard.env.gym.registry.OwnFamily;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.gym.registry.SchedulerPrefix;
import org.trainyard.env.gym.registry.SchedulerRegistry.Entry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Flag;
import org.trainyard.env.gym.registry.SchedulerRegistry.Kind;
import org.trainyard.env.gym.registry.SchedulerRegistry.Origin;

/** Backfill with reservations, by any order of the tuned family: {@code easy}, {@code conservative:sjf}. */
@OwnFamily(module = "agents/heuristics", position = 20)
public final class ReservingSchedulers implements SchedulerPlugin {
    @Override
    public List<Entry> schedulers() {
        return List.of(row("easy", "fifo", 1), row("conservative", "fifo", Double.POSITIVE_INFINITY));
    }

    @Override
    public List<SchedulerPrefix> prefixes() {
        return List.of(prefix("easy:", 1), prefix("conservative:", Double.POSITIVE_INFINITY));
    }

    private static SchedulerPrefix prefix(String text, double reservations) {
        return new SchedulerPrefix(text, name -> row(name, name.substring(text.length()), reservations));
    }

    /** Backfill with reservations for the first jobs of an order of the tuned family. */
    private static Entry row(String name, String order, double reservations) {
        ComposedSettings settings = ComposedSettings.parse(ComposedSettings.PREFIX + order + "+best-fit")
                .with(Knob.RESERVATIONS, reservations);
        Set<Flag> flags = EnumSet.of(Flag.NETWORK_AWARE, Flag.NEEDS_PREDICTIONS);
        if (settings.order().isPreemptive()) {
            flags.add(Flag.PREEMPTIVE);
        }
        boolean isEasy = reservations == 1;
        return new Origin(
                        isEasy ? "EASY (Lifka, JSSPP 1995)" : "Mu'alem, Feitelson (TPDS 2001)",
                        Kind.OUR_READING,
                        null,
                        flags)
                .row(
                        name,
                        (isEasy ? "a reservation for the first job, by " : "a reservation for every job, by ")
                                + order
                                + "; backfill that delays no reservation")
                .but("uses time limits, else predicted run times; reserves servers, not numbers of GPUs")
                .by((on, belief, seed) -> new ComposedScheduler(settings, on, belief));
    }
}
