package org.trainyard.experiments.simulation;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.SchedulerRegistry;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.config.PhysicsConfig;
import org.trainyard.experiments.config.RuntimeConfig;
import org.trainyard.experiments.run.RuntimePredictors;

/**
 * What is true in a simulation and what its schedulers are told.
 *
 * @param rated whether every job takes exactly as long as its trace says, wherever it runs; otherwise links and neighbours count
 * @param runtime where schedulers get their guesses of run times from
 * @param physics what a file says is true, or null for interference by default weights and restarts of 30 s; presets that replay a
 *     published simulator keep to what is true there
 */
public record SimulationSetup(
        boolean rated, RuntimeConfig runtime, @Nullable PhysicsConfig physics) {
    private static final long RESTART_NANOS = 30_000_000_000L;

    /** The world these schedulers belong in: that of the published simulators for the presets that replay one, ours for the rest. */
    public static SimulationSetup of(
            List<SchedulerRegistry.Entry> entries, @Nullable RuntimeConfig runtime, @Nullable PhysicsConfig physics) {
        List<String> replays = names(entries, true);
        if (replays.isEmpty()) {
            return new SimulationSetup(false, runtime == null ? new RuntimeConfig.History() : runtime, physics);
        }
        List<String> others = names(entries, false);
        if (!others.isEmpty()) {
            throw InputException.at(
                    "--scheduler",
                    others.get(0),
                    "only presets that replay a published simulator beside %s, for they run in another world and their times do not compare"
                            .formatted(replays.get(0)));
        }
        return new SimulationSetup(true, new RuntimeConfig.Oracle(), null);
    }

    private static List<String> names(List<SchedulerRegistry.Entry> entries, boolean replaysTrace) {
        return entries.stream()
                .filter(entry -> entry.replaysTrace() == replaysTrace)
                .map(SchedulerRegistry.Entry::name)
                .toList();
    }

    /** How fast jobs really run. */
    PerformanceModel truth(Topology topology, long seed) {
        if (rated) {
            return new RatedPerformance();
        }
        return physics == null
                ? new RingPerformance(topology, AnalyticInterference.DEFAULT)
                : physics.truth(topology, seed);
    }

    /** What else the simulator is told. */
    Simulator.Options options(Topology topology, long seed) {
        return physics == null ? new Simulator.Options(RESTART_NANOS, false) : physics.options(topology, seed);
    }

    /** One word, for files. */
    public String label() {
        return rated ? "published" : "trainyard";
    }

    /** A sentence, for people. */
    String name() {
        return rated
                ? "as in the published simulator: run times as in the trace, known in advance; restarts cost what they cost there, most often nothing"
                : "%s, predicted run times are %s"
                        .formatted(
                                physics == null
                                        ? "links and neighbours slow jobs down, a restart costs 30 s"
                                        : "as the physics file says",
                                RuntimePredictors.describe(runtime));
    }
}
