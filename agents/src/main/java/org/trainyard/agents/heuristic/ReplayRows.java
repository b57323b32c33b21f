package org.trainyard.agents.heuristic;

import static org.trainyard.agents.heuristic.SchedulerCatalog.Trait.PREDICTS;
import static org.trainyard.agents.heuristic.SchedulerCatalog.Trait.PREEMPTIVE;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.trainyard.agents.heuristic.SchedulerCatalog.Trait;
import org.trainyard.agents.heuristic.classic.Fifo;
import org.trainyard.agents.heuristic.reference.FreeCapacity;
import org.trainyard.agents.heuristic.reference.HeliosConsolidate;
import org.trainyard.agents.heuristic.reference.HeliosSjf;
import org.trainyard.agents.heuristic.reference.HeliosSrtf;
import org.trainyard.agents.heuristic.reference.ReferenceSettings;
import org.trainyard.agents.heuristic.reference.SortedReallocation;
import org.trainyard.agents.heuristic.reference.TiresiasDlas;
import org.trainyard.agents.heuristic.reference.YarnCapacity;
import org.trainyard.agents.heuristic.rounds.AlloX;
import org.trainyard.agents.heuristic.rounds.AllocationPolicy;
import org.trainyard.agents.heuristic.rounds.FinishTimeFairness;
import org.trainyard.agents.heuristic.rounds.GavelRounds;
import org.trainyard.agents.heuristic.rounds.MaxMinFairness;
import org.trainyard.agents.heuristic.rounds.MaxSumThroughput;
import org.trainyard.agents.heuristic.rounds.MinTotalDuration;
import org.trainyard.env.scheduling.placement.FirstFit;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.topology.Topology;

/** The rows of the catalogue that replay a published simulator, each in that simulator's world. */
final class ReplayRows {
    private static final SortedReallocation.Key TIME = SortedReallocation.Key.REMAINING_TIME;
    private static final SortedReallocation.Key GPU_TIME = SortedReallocation.Key.REMAINING_GPU_TIME;

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
            String name, String what, ReferenceSettings world, Function<Topology, Scheduler> made, Trait... traits) {
        return new SchedulerCatalog.Entry(name, what, Set.of(traits), world, (on, belief, seed) -> made.apply(on));
    }

    private static List<SchedulerCatalog.Entry> helios() {
        return List.of(
                row(
                        "helios-fifo",
                        "Helios simulator, fifo",
                        ReferenceSettings.HELIOS,
                        on -> new Fifo(false, new HeliosConsolidate(on))),
                row(
                        "helios-sjf",
                        "Helios simulator, sjf",
                        ReferenceSettings.HELIOS,
                        on -> new HeliosSjf(new HeliosConsolidate(on)),
                        PREDICTS),
                row(
                        "helios-srtf",
                        "Helios simulator, srtf",
                        ReferenceSettings.HELIOS_SRTF,
                        on -> new HeliosSrtf(new HeliosConsolidate(on)),
                        PREEMPTIVE,
                        PREDICTS));
    }

    private static List<SchedulerCatalog.Entry> tiresias() {
        ReferenceSettings world = ReferenceSettings.AS_TRACED;
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
                        on -> new SortedReallocation(SortedReallocation.Key.GPUS, new FreeCapacity.Counted()),
                        PREEMPTIVE),
                row(
                        "tiresias-srtf",
                        "Tiresias simulator, shortest, counting GPUs",
                        world,
                        on -> new SortedReallocation(TIME, new FreeCapacity.Counted()),
                        PREEMPTIVE,
                        PREDICTS),
                row(
                        "tiresias-srsf",
                        "Tiresias simulator, shortest-gpu, counting GPUs",
                        world,
                        on -> new SortedReallocation(GPU_TIME, new FreeCapacity.Counted()),
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
        ReferenceSettings world = ReferenceSettings.MURI;
        return List.of(
                row(
                        "muri-srtf",
                        "Muri simulator, shortest, on its servers",
                        world,
                        on -> new SortedReallocation(TIME, new YarnCapacity(on)),
                        PREEMPTIVE,
                        PREDICTS),
                row(
                        "muri-srsf",
                        "Muri simulator, shortest-gpu, on its servers",
                        world,
                        on -> new SortedReallocation(GPU_TIME, new YarnCapacity(on)),
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
    private static List<SchedulerCatalog.Entry> shockwave(
            String policy, String what, Supplier<AllocationPolicy> shares) {
        String name = "shockwave-" + policy;
        String atOnce = "the same; shares are made anew at once, as on its physical cluster";
        return List.of(
                row(
                        name,
                        "Shockwave simulator, " + what,
                        ReferenceSettings.SHOCKWAVE,
                        on -> new GavelRounds(shares.get(), GavelRounds.Renewal.WITH_ACCOUNTS),
                        PREEMPTIVE,
                        PREDICTS),
                row(
                        name + "/at-once",
                        atOnce,
                        ReferenceSettings.SHOCKWAVE,
                        on -> new GavelRounds(shares.get(), GavelRounds.Renewal.AT_ONCE),
                        PREEMPTIVE,
                        PREDICTS));
    }
}
