package org.trainyard.agents.heuristic;

import static org.trainyard.agents.heuristic.SchedulerRegistry.Flag.NEEDS_PREDICTIONS;
import static org.trainyard.agents.heuristic.SchedulerRegistry.Flag.PREEMPTIVE;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.SchedulerRegistry.Entry;
import org.trainyard.agents.heuristic.SchedulerRegistry.Flag;
import org.trainyard.agents.heuristic.SchedulerRegistry.Kind;
import org.trainyard.agents.heuristic.SchedulerRegistry.Origin;
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

/** The rows of the registry that replay a published simulator, each under that simulator's assumptions. */
final class ReferenceSchedulers {
    private static final SortedReallocation.Key TIME = SortedReallocation.Key.REMAINING_TIME;
    private static final SortedReallocation.Key GPU_TIME = SortedReallocation.Key.REMAINING_GPU_TIME;

    private static final String NOT_MURI =
            "another policy of Muri's simulator; Muri's own interleaving is not among the schedulers";
    private static final String NOT_SHOCKWAVE =
            "another policy of Shockwave's artifact; Shockwave's own planner is not among the schedulers";

    private static final List<Entry> ALL = Stream.of(helios(), tiresias(), muri(), shockwave())
            .flatMap(List::stream)
            .toList();

    private ReferenceSchedulers() {}

    static List<Entry> all() {
        return ALL;
    }

    /** The row of this name, or null. */
    static @Nullable Entry named(String name) {
        for (Entry entry : ALL) {
            if (entry.name().equals(name)) {
                return entry;
            }
        }
        return null;
    }

    private static Origin origin(String simulator, ReferenceSettings settings, Flag... flags) {
        return new Origin(simulator, Kind.AS_PUBLISHED, settings, Set.of(flags));
    }

    private static List<Entry> helios() {
        String simulator = "Helios simulator";
        return List.of(
                origin(simulator, ReferenceSettings.HELIOS)
                        .row("helios-fifo", "Helios simulator, fifo")
                        .by(on -> new Fifo(false, new HeliosConsolidate(on))),
                origin(simulator, ReferenceSettings.HELIOS, NEEDS_PREDICTIONS)
                        .row("helios-sjf", "Helios simulator, sjf")
                        .by(on -> new HeliosSjf(new HeliosConsolidate(on))),
                origin(simulator, ReferenceSettings.HELIOS_SRTF, PREEMPTIVE, NEEDS_PREDICTIONS)
                        .row("helios-srtf", "Helios simulator, srtf")
                        .by(on -> new HeliosSrtf(new HeliosConsolidate(on))));
    }

    private static List<Entry> tiresias() {
        String simulator = "Tiresias simulator";
        ReferenceSettings settings = ReferenceSettings.AS_TRACED;
        Origin plain = origin(simulator, settings);
        Origin preemptive = origin(simulator, settings, PREEMPTIVE);
        Origin predicting = origin(simulator, settings, PREEMPTIVE, NEEDS_PREDICTIONS);
        return List.of(
                plain.row("tiresias-fifo", "Tiresias simulator, fifo, counting GPUs")
                        .by(on -> new Fifo(false, new FirstFit())),
                plain.row("tiresias-fjf", "Tiresias simulator, fjf, counting GPUs")
                        .by(on -> new Fifo(true, new FirstFit())),
                preemptive
                        .row("tiresias-sjf", "Tiresias simulator, sjf (fewest GPUs), counting GPUs")
                        .by(on -> new SortedReallocation(SortedReallocation.Key.GPUS, new FreeCapacity.Counted())),
                predicting
                        .row("tiresias-srtf", "Tiresias simulator, shortest, counting GPUs")
                        .by(on -> new SortedReallocation(TIME, new FreeCapacity.Counted())),
                predicting
                        .row("tiresias-srsf", "Tiresias simulator, shortest-gpu, counting GPUs")
                        .by(on -> new SortedReallocation(GPU_TIME, new FreeCapacity.Counted())),
                preemptive
                        .row("tiresias-dlas", "Tiresias simulator, dlas-gpu, counting GPUs")
                        .by(on -> new TiresiasDlas(TiresiasDlas.DemotionCheck.TIRESIAS)));
    }

    private static List<Entry> muri() {
        String simulator = "Muri simulator (SIGCOMM 2022)";
        Origin predicting = origin(simulator, ReferenceSettings.MURI, PREEMPTIVE, NEEDS_PREDICTIONS);
        return List.of(
                predicting
                        .row("muri-srtf", "Muri simulator, shortest, on its servers")
                        .but(NOT_MURI)
                        .by(on -> new SortedReallocation(TIME, new YarnCapacity(on))),
                predicting
                        .row("muri-srsf", "Muri simulator, shortest-gpu, on its servers")
                        .but(NOT_MURI)
                        .by(on -> new SortedReallocation(GPU_TIME, new YarnCapacity(on))),
                origin(simulator, ReferenceSettings.MURI, PREEMPTIVE)
                        .row("muri-tiresias", "Muri simulator, dlas-gpu, counting GPUs")
                        .but(NOT_MURI)
                        .by(on -> new TiresiasDlas(TiresiasDlas.DemotionCheck.MURI)));
    }

    private static List<Entry> shockwave() {
        return Stream.of(
                        shockwave(
                                "max-min-fairness",
                                "Gavel (OSDI 2020)",
                                "max-min fairness (Gavel)",
                                MaxMinFairness::new),
                        shockwave(
                                "finish-time-fairness",
                                "Themis (NSDI 2020)",
                                "finish-time fairness (Themis)",
                                FinishTimeFairness::new),
                        shockwave(
                                "min-total-duration",
                                "Gavel (OSDI 2020)",
                                "least makespan (OSSP)",
                                MinTotalDuration::new),
                        shockwave(
                                "max-sum-throughput-perf",
                                "Gavel (OSDI 2020)",
                                "most steps per second (MST)",
                                MaxSumThroughput::new),
                        shockwave("allox", "AlloX (EuroSys 2020)", "AlloX", AlloX::new))
                .flatMap(List::stream)
                .toList();
    }

    /** The policy with shares renewed as in the artifact's simulator, and with shares renewed at the next round. */
    private static List<Entry> shockwave(
            String policy, String paper, String description, Supplier<AllocationPolicy> shares) {
        Origin artifact = origin(
                paper + " in Shockwave's artifact (NSDI 2023)",
                ReferenceSettings.SHOCKWAVE,
                PREEMPTIVE,
                NEEDS_PREDICTIONS);
        String name = "shockwave-" + policy;
        return List.of(
                artifact.row(name, "Shockwave simulator, " + description)
                        .but(NOT_SHOCKWAVE)
                        .by(on -> new GavelRounds(shares.get(), GavelRounds.Renewal.WITH_ACCOUNTS)),
                artifact.row(name + "/at-once", "the same; shares are made anew at once, as on its physical cluster")
                        .but(NOT_SHOCKWAVE)
                        .by(on -> new GavelRounds(shares.get(), GavelRounds.Renewal.AT_ONCE)));
    }
}
