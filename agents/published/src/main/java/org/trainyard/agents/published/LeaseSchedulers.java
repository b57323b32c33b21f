package org.trainyard.agents.published;

import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.NEEDS_PREDICTIONS;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.NETWORK_AWARE;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.PREEMPTIVE;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.SHARES_GPUS;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Kind.OURS;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Kind.OUR_READING;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.trainyard.agents.heuristic.lease.Dally;
import org.trainyard.agents.heuristic.lease.Gandiva;
import org.trainyard.agents.heuristic.lease.Themis;
import org.trainyard.agents.heuristic.lease.Tiresias;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.OwnFamily;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.gym.registry.SchedulerPrefix;
import org.trainyard.env.gym.registry.SchedulerRegistry.Entry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Origin;

/** Schedulers by leases and turns: Dally, Tiresias, Gandiva and Themis. */
@OwnFamily(module = "agents/published", position = 60)
public final class LeaseSchedulers implements SchedulerPlugin {
    private static final Pattern PROMOTING = Pattern.compile("[a-z-]+:promote=(\\d{1,9}(?:\\.\\d{1,9})?)");

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
        return List.of(
                tiresias("tiresias", Tiresias.Within.SUBMISSION, Tiresias.NO_PROMOTION),
                tiresias("tiresias-gittins", Tiresias.Within.GITTINS, Tiresias.NO_PROMOTION),
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

    private static Entry tiresias(String name, Tiresias.Within within, double promotionRatio) {
        return new Origin("Tiresias (NSDI 2019)", OUR_READING, PREEMPTIVE, NETWORK_AWARE)
                .row(
                        name,
                        within == Tiresias.Within.GITTINS
                                ? "the same; within a queue by Gittins index"
                                : "attained GPU service in queues, skewed models together")
                .by(on -> new Tiresias(on, within, promotionRatio));
    }

    @Override
    public List<SchedulerPrefix> prefixes() {
        return List.of(
                new SchedulerPrefix("tiresias:", name -> promoting(name, Tiresias.Within.SUBMISSION)),
                new SchedulerPrefix("tiresias-gittins:", name -> promoting(name, Tiresias.Within.GITTINS)));
    }

    private static Entry promoting(String name, Tiresias.Within within) {
        Matcher ratio = PROMOTING.matcher(name);
        if (!ratio.matches()) {
            throw InputException.at(
                    "scheduler",
                    name,
                    "promote=R behind the colon: jobs that wait R times their run time are promoted");
        }
        return tiresias(name, within, Double.parseDouble(ratio.group(1)));
    }
}
