package org.trainyard.agents.published;

import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.ELASTIC;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.NEEDS_PREDICTIONS;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.NETWORK_AWARE;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.PREEMPTIVE;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Kind.OUR_READING;

import java.util.List;
import org.trainyard.agents.heuristic.gadget.Gadget;
import org.trainyard.agents.heuristic.pdors.PdOrs;
import org.trainyard.agents.heuristic.slots.DominantShares;
import org.trainyard.agents.heuristic.slots.SlotRounds;
import org.trainyard.agents.heuristic.smd.Smd;
import org.trainyard.env.gym.registry.OwnFamily;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.gym.registry.SchedulerRegistry.Entry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Origin;

/** Schedulers of elastic jobs in slots, by utilities or shares: GADGET, SMD, PD-ORS, OASiS and DRF. */
@OwnFamily(module = "agents/published", position = 110)
public final class UtilitySchedulers implements SchedulerPlugin {
    @Override
    public List<Entry> schedulers() {
        long slot = SlotRounds.SLOT_SECONDS;
        String server = "simplified: servers are placed on host CPU and memory alone; ";
        return List.of(
                utility("GADGET (INFOCOM 2022)")
                        .row(
                                "gadget",
                                "elastic: slots of 600 s; greedy ring embedding by gain of utility and bandwidth")
                        .but("simplified: a utility of time counts as proportional fairness; embeds anew in each slot")
                        .by(on -> new SlotRounds(new Gadget(on, slot))),
                utility("SMD (INFOCOM 2021)")
                        .row("smd", "elastic: intervals of 600 s; workers and servers by job, then jobs as a knapsack")
                        .but("simplified: parameter servers run beside the workers, on host CPU and memory")
                        .by(on -> new SlotRounds(new Smd(on, Smd.Servers.BEST))),
                utility("SMD's baseline")
                        .row("esw", "the same with as many servers as workers")
                        .but("simplified: parameter servers run beside the workers, on host CPU and memory")
                        .by(on -> new SlotRounds(new Smd(on, Smd.Servers.EQUAL))),
                utility("PD-ORS (2021)")
                        .row(
                                "pd-ors",
                                "elastic: admits by exponential prices, schedules ahead in slots of 600 s, rejects")
                        .but(server
                                + "prices are bounded by the jobs seen so far; jobs without utilities get the remaining "
                                + "GPUs")
                        .by((on, belief, seed) -> new SlotRounds(new PdOrs(on, slot, PdOrs.Locality.KNOWN, seed))),
                utility("OASiS (INFOCOM 2018), as PD-ORS's baseline")
                        .row("oasis", "the same, with half of the machines for workers and half for their servers")
                        .but(
                                "PD-ORS's programme; the halves are inferred; where hosts are limited servers stand by their workers")
                        .by((on, belief, seed) -> new SlotRounds(new PdOrs(on, slot, PdOrs.Locality.APART, seed))),
                new Origin("DRF (NSDI 2011), Dorm (ICDCS 2017)", OUR_READING, PREEMPTIVE, NETWORK_AWARE, ELASTIC)
                        .row("drf", "elastic: equal shares of GPUs in slots of 600 s")
                        .but("simplified: GPUs are the one resource; no limit on changes")
                        .by(on -> new SlotRounds(new DominantShares())));
    }

    private static Origin utility(String source) {
        return new Origin(source, OUR_READING, PREEMPTIVE, NEEDS_PREDICTIONS, NETWORK_AWARE, ELASTIC);
    }
}
