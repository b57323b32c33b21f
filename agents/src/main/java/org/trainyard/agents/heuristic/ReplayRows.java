package org.trainyard.agents.heuristic;

import static org.trainyard.agents.heuristic.SchedulerCatalog.Trait.PREDICTS;
import static org.trainyard.agents.heuristic.SchedulerCatalog.Trait.PREEMPTIVE;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.trainyard.agents.heuristic.SchedulerCatalog.Trait;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.topology.Topology;

/** The rows of the catalogue that replay a published simulator, each in that simulator's world. */
final class ReplayRows {
    private static final SortedDeal.Key TIME = SortedDeal.Key.REMAINING_TIME;
    private static final SortedDeal.Key GPU_TIME = SortedDeal.Key.REMAINING_GPU_TIME;

    private ReplayRows() {}

    static List<SchedulerCatalog.Entry> all() {
        List<SchedulerCatalog.Entry> rows = new ArrayList<>();
        rows.addAll(helios());
        rows.addAll(tiresias());
        rows.addAll(muri());
        rows.addAll(shockwave());
        return rows;
    }

    private static SchedulerCatalog.Entry row(
            String name, String what, ReplayWorld world, Function<Topology, Scheduler> made, Trait... traits) {
        return new SchedulerCatalog.Entry(name, what, Set.of(traits), world, (on, belief, seed) -> made.apply(on));
    }

    private static List<SchedulerCatalog.Entry> helios() {
        return List.of(
                row(
                        "helios-fifo",
                        "Helios simulator, fifo",
                        ReplayWorld.HELIOS,
                        on -> new Fifo(false, new HeliosConsolidate(on))),
                row(
                        "helios-sjf",
                        "Helios simulator, sjf",
                        ReplayWorld.HELIOS,
                        on -> new HeliosSjf(new HeliosConsolidate(on)),
                        PREDICTS),
                row(
                        "helios-srtf",
                        "Helios simulator, srtf",
                        ReplayWorld.HELIOS_SRTF,
                        on -> new HeliosSrtf(new HeliosConsolidate(on)),
                        PREEMPTIVE,
                        PREDICTS));
    }

    private static List<SchedulerCatalog.Entry> tiresias() {
        ReplayWorld world = ReplayWorld.AS_TRACED;
        return List.of(
                row(
                        "tiresias-fifo",
                        "Tiresias simulator, fifo, counting GPUs",
                        world,
                        on -> new Fifo(false, new FirstFit())),
                row(
                        "tiresias-fjf",
                        "Tiresias simulator, fjf, counting GPUs",
                        world,
                        on -> new Fifo(true, new FirstFit())),
                row(
                        "tiresias-sjf",
                        "Tiresias simulator, sjf (fewest GPUs), counting GPUs",
                        world,
                        on -> new SortedDeal(SortedDeal.Key.GPUS, new Room.Counted()),
                        PREEMPTIVE),
                row(
                        "tiresias-srtf",
                        "Tiresias simulator, shortest, counting GPUs",
                        world,
                        on -> new SortedDeal(TIME, new Room.Counted()),
                        PREEMPTIVE,
                        PREDICTS),
                row(
                        "tiresias-srsf",
                        "Tiresias simulator, shortest-gpu, counting GPUs",
                        world,
                        on -> new SortedDeal(GPU_TIME, new Room.Counted()),
                        PREEMPTIVE,
                        PREDICTS),
                row(
                        "tiresias-dlas",
                        "Tiresias simulator, dlas-gpu, counting GPUs",
                        world,
                        on -> new TiresiasDlas(TiresiasDlas.Foresight.TIRESIAS),
                        PREEMPTIVE));
    }

    private static List<SchedulerCatalog.Entry> muri() {
        ReplayWorld world = ReplayWorld.MURI;
        return List.of(
                row(
                        "muri-srtf",
                        "Muri simulator, shortest, on its servers",
                        world,
                        on -> new SortedDeal(TIME, new MuriRoom(on)),
                        PREEMPTIVE,
                        PREDICTS),
                row(
                        "muri-srsf",
                        "Muri simulator, shortest-gpu, on its servers",
                        world,
                        on -> new SortedDeal(GPU_TIME, new MuriRoom(on)),
                        PREEMPTIVE,
                        PREDICTS),
                row(
                        "muri-tiresias",
                        "Muri simulator, dlas-gpu, counting GPUs",
                        world,
                        on -> new TiresiasDlas(TiresiasDlas.Foresight.MURI),
                        PREEMPTIVE));
    }

    private static List<SchedulerCatalog.Entry> shockwave() {
        List<SchedulerCatalog.Entry> rows = new ArrayList<>();
        rows.addAll(shockwave("max-min-fairness", "max-min fairness (Gavel)", MaxMinFairness::new));
        rows.addAll(shockwave("finish-time-fairness", "finish-time fairness (Themis)", FinishTimeFairness::new));
        rows.addAll(shockwave("min-total-duration", "least makespan (OSSP)", MinTotalDuration::new));
        rows.addAll(shockwave("max-sum-throughput-perf", "most steps per second (MST)", MaxSumThroughput::new));
        rows.addAll(shockwave("allox", "AlloX", AlloX::new));
        return rows;
    }

    /** In its simulator's way, and with shares that are made anew at once. */
    private static List<SchedulerCatalog.Entry> shockwave(String policy, String what, Supplier<Shares> shares) {
        String name = "shockwave-" + policy;
        String atOnce = "the same; shares are made anew at once, as on its physical cluster";
        return List.of(
                row(
                        name,
                        "Shockwave simulator, " + what,
                        ReplayWorld.SHOCKWAVE,
                        on -> new GavelRounds(shares.get(), GavelRounds.Renewal.WITH_ACCOUNTS),
                        PREEMPTIVE,
                        PREDICTS),
                row(
                        name + "/at-once",
                        atOnce,
                        ReplayWorld.SHOCKWAVE,
                        on -> new GavelRounds(shares.get(), GavelRounds.Renewal.AT_ONCE),
                        PREEMPTIVE,
                        PREDICTS));
    }
}
