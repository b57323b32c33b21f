package org.trainyard.agents.published;

import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.NEEDS_PREDICTIONS;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.NETWORK_AWARE;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.PREEMPTIVE;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.SHARES_GPUS;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Kind.OURS;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Kind.OUR_READING;

import java.util.List;
import java.util.stream.Stream;
import org.trainyard.agents.heuristic.lease.Dally;
import org.trainyard.agents.heuristic.lease.Gandiva;
import org.trainyard.agents.heuristic.lease.Themis;
import org.trainyard.agents.heuristic.lease.Tiresias;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.gym.registry.SchedulerRegistry.Entry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Origin;

/** Schedulers by leases and turns: Dally, Tiresias, Gandiva and Themis. */
public final class LeaseSchedulers implements SchedulerPlugin {
    @Override
    public int position() {
        return 60;
    }

    @Override
    public String home() {
        return "agents/published";
    }

    @Override
    public List<Entry> schedulers() {
        return Stream.of(dally(), baselinesOfDally()).flatMap(List::stream).toList();
    }

    private static List<Entry> dally() {
        Origin paper = new Origin("Dally (A. Sharma et al., 2024)", OUR_READING, PREEMPTIVE, NETWORK_AWARE);
        Origin ours = new Origin("", OURS, PREEMPTIVE, NETWORK_AWARE);
        Dally.Settings published = Dally.Settings.PUBLISHED;
        return List.of(
                paper.row("dally", "leases, network sensitivity, tuned delay timers")
                        .by(on -> new Dally(on, published)),
                ours.row("dally-renew", "Dally; leases are renewed while no job waits for their GPUs")
                        .by(on -> new Dally(on, published.renewingLeases())),
                paper.row("dally-no-wait", "Dally; takes any offer")
                        .by(on -> new Dally(on, published.with(Dally.FixedTimers.NO_WAIT))),
                paper.row("dally-manual", "Dally; timers of 12 and 24 leases")
                        .by(on -> new Dally(on, published.with(Dally.FixedTimers.MANUAL))),
                paper.row("dally-fully-consolidated", "Dally; waits for the best level")
                        .by(on -> new Dally(on, published.with(Dally.FixedTimers.FULLY_CONSOLIDATED))));
    }

    private static List<Entry> baselinesOfDally() {
        Origin tiresias = new Origin("Tiresias (NSDI 2019)", OUR_READING, PREEMPTIVE, NETWORK_AWARE);
        return List.of(
                tiresias.row("tiresias", "attained GPU service in queues, promotion, skewed models together")
                        .by(on -> new Tiresias(on, Tiresias.Within.SUBMISSION)),
                tiresias.row("tiresias-gittins", "the same; within a queue by Gittins index")
                        .by(on -> new Tiresias(on, Tiresias.Within.GITTINS)),
                new Origin("Gandiva (OSDI 2018)", OUR_READING, PREEMPTIVE, SHARES_GPUS)
                        .row("gandiva", "turns of 30 min, migration, packing of parts of GPUs")
                        .but("simplified: known second-hand; slices of 30 min instead of 1 or 2; packs parts of"
                                + " GPUs only; no growing or shrinking")
                        .by((on, belief, seed) -> new Gandiva(on, seed)),
                new Origin("Themis (NSDI 2020)", OUR_READING, PREEMPTIVE, NEEDS_PREDICTIONS, NETWORK_AWARE)
                        .row("themis", "leases of 20 min to the jobs with the worst finish-time fairness")
                        .but("simplified: known second-hand; a greedy auction of whole gangs without hidden"
                                + " payments; truthful bids, blind to placement")
                        .by(on -> new Themis()));
    }
}
