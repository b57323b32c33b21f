package org.trainyard.agents.published;

import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.NEEDS_PREDICTIONS;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.PREEMPTIVE;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.trainyard.agents.heuristic.rounds.AlloX;
import org.trainyard.agents.heuristic.rounds.AllocationPolicy;
import org.trainyard.agents.heuristic.rounds.FinishTimeFairness;
import org.trainyard.agents.heuristic.rounds.GavelRounds;
import org.trainyard.agents.heuristic.rounds.MaxMinFairness;
import org.trainyard.agents.heuristic.rounds.MaxSumThroughput;
import org.trainyard.agents.heuristic.rounds.MinTotalDuration;
import org.trainyard.env.gym.registry.OwnFamily;
import org.trainyard.env.gym.registry.ReferenceSettings;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.gym.registry.SchedulerRegistry.Entry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Flag;
import org.trainyard.env.gym.registry.SchedulerRegistry.Kind;
import org.trainyard.env.gym.registry.SchedulerRegistry.Origin;
import org.trainyard.env.simulation.RestartCost;

/** Presets that replay the policies in the artifact of Shockwave (NSDI 2023), under its assumptions. */
@OwnFamily(module = "agents/published", position = 140)
public final class ShockwaveSchedulers implements SchedulerPlugin {
    private static final String NOT_SHOCKWAVE =
            "another policy of Shockwave's artifact; Shockwave's own planner is not among the schedulers";

    private static final long START_NANOS = Math.round(GavelRounds.SHOCKWAVE_START_SECONDS * 1e9);

    /**
     * A job that did not run in the round before spends 20 s on start-up, at first as after a preemption. Our
     * deviation: (1) so does the very first job, and one that ends in that round.
     */
    private static final ReferenceSettings SETTINGS = new ReferenceSettings(
            (format, nanos) -> nanos + START_NANOS,
            RestartCost.ofNanos(START_NANOS),
            false,
            "a job that did not run in the round before starts up for 20 s; rounds of 120 s",
            "20 s longer than in the trace, and restarts cost 20 s, as in Shockwave's simulator");

    @Override
    public List<Entry> schedulers() {
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

    private static Origin origin(String simulator, ReferenceSettings settings, Flag... flags) {
        return new Origin(simulator, Kind.AS_PUBLISHED, settings, Set.of(flags));
    }

    /** The policy with shares renewed as in the artifact's simulator, and with shares renewed at the next round. */
    private static List<Entry> shockwave(
            String policy, String paper, String description, Supplier<AllocationPolicy> shares) {
        Origin artifact =
                origin(paper + " in Shockwave's artifact (NSDI 2023)", SETTINGS, PREEMPTIVE, NEEDS_PREDICTIONS);
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
