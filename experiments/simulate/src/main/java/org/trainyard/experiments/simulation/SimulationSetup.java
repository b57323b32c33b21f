package org.trainyard.experiments.simulation;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.config.BeliefConfig;
import org.trainyard.experiments.config.PhysicsConfig;
import org.trainyard.experiments.config.RuntimeConfig;
import org.trainyard.experiments.run.Beliefs;
import org.trainyard.experiments.run.RuntimePredictors;
import org.trainyard.experiments.run.TruthMismatch;

/**
 * The truth of a simulation and what its schedulers are told.
 *
 * @param world whose physics decide how long jobs run
 * @param runtime predictor of run times
 * @param physics the truth, or null for the default interference and restarts of 30 s; presets that replay a
 *     published simulator have the truth of that simulator
 * @param belief the interference that schedulers believe in
 */
public record SimulationSetup(
        World world, RuntimeConfig runtime, @Nullable PhysicsConfig physics, InterferenceModel belief) {
    /** Whose physics decide how long jobs run. */
    public enum World {
        /** Links and neighbours slow jobs down. */
        TRAINYARD,
        /** That of a published simulator. */
        PUBLISHED,
        /** Jobs run as long as their log says, and start as it says. */
        PAST,
        /** Jobs run as long as their log says. */
        AS_LOGGED
    }

    private static final long RESTART_NANOS = 30_000_000_000L;

    /** The options of a simulation; null where the user said nothing. */
    public record Options(
            @Nullable String runtime,
            @Nullable PhysicsConfig physics,
            @Nullable String belief,
            boolean isAsLogged) {}

    /** The setup in which {@code advise} and {@code shadow} run: jobs run as long as their log says. */
    public static SimulationSetup asLogged() {
        return new SimulationSetup(World.AS_LOGGED, new RuntimeConfig.History(), null, Beliefs.named(null));
    }

    /** Whether every job runs exactly as long as its trace says; otherwise links and neighbours slow jobs down. */
    public boolean rated() {
        return world != World.TRAINYARD;
    }

    /** The setup in which {@link LoggedPast} runs: every job runs as long as it did. */
    public static SimulationSetup ofPast() {
        return new SimulationSetup(World.PAST, new RuntimeConfig.Oracle(), null, InterferenceModel.NONE);
    }

    /**
     * The setup of these schedulers: that of the published simulators for the presets that replay one, ours for all
     * others.
     *
     * @param jobs the jobs that will run
     * @throws InputException when presets and other schedulers are mixed, or the belief is the truth itself
     */
    public static SimulationSetup of(
            List<SchedulerRegistry.Entry> schedulers, Options options, Topology topology, List<TraceJob> jobs) {
        List<String> replays = names(schedulers, true);
        if (!replays.isEmpty()) {
            return replaying(replays.get(0), names(schedulers, false), options);
        }
        String belief = options.belief() == null ? BeliefConfig.SHIPPED.toString() : options.belief();
        InterferenceModel believed = Beliefs.named(belief);
        PhysicsConfig physics = options.physics();
        // The shipped belief differs from the default law, which a test knows; comparing them takes longer than a short
        // simulation.
        if (options.belief() != null || physics != null) {
            Beliefs.requireNotTruth(
                    "--interference-model",
                    belief,
                    TruthMismatch.between(
                            believed,
                            physics == null
                                    ? AnalyticInterference.DEFAULT
                                    : physics.interference().model(),
                            TruthMismatch.shared(topology, jobs, physics != null && physics.isContended())));
        }
        return new SimulationSetup(
                options.isAsLogged() ? World.AS_LOGGED : World.TRAINYARD,
                options.runtime() == null
                        ? new RuntimeConfig.History()
                        : RuntimePredictors.parse("--runtime", options.runtime()),
                physics,
                believed);
    }

    private static SimulationSetup replaying(String preset, List<String> others, Options options) {
        if (options.runtime() != null
                && !(RuntimePredictors.parse("--runtime", options.runtime()) instanceof RuntimeConfig.Oracle)) {
            throw InputException.at(
                    "--runtime", options.runtime(), "oracle, for a preset that replays a published simulator");
        }
        if (options.belief() != null) {
            throw InputException.at(
                    "--interference-model",
                    options.belief(),
                    "nothing for a preset that replays a published simulator");
        }
        if (!others.isEmpty()) {
            throw InputException.at(
                    "--scheduler",
                    others.get(0),
                    "only presets that replay a published simulator beside %s, because their physics differ from ours and times do not compare"
                            .formatted(preset));
        }
        return new SimulationSetup(World.PUBLISHED, new RuntimeConfig.Oracle(), null, InterferenceModel.NONE);
    }

    private static List<String> names(List<SchedulerRegistry.Entry> schedulers, boolean replaysTrace) {
        return schedulers.stream()
                .filter(entry -> entry.replaysTrace() == replaysTrace)
                .map(SchedulerRegistry.Entry::name)
                .toList();
    }

    /** How fast jobs really run. */
    PerformanceModel truth(Topology topology, long seed) {
        if (rated()) {
            return new RatedPerformance();
        }
        return physics == null
                ? new RingPerformance(topology, AnalyticInterference.DEFAULT)
                : physics.truth(topology, seed);
    }

    /** Restarts, outages and quotas. */
    Simulator.Options options(Topology topology, long seed) {
        return physics == null ? new Simulator.Options(RESTART_NANOS, false) : physics.options(topology, seed);
    }

    /** One word, for files. */
    public String label() {
        return switch (world) {
            case PAST -> LoggedPast.NAME;
            case PUBLISHED -> "published";
            case AS_LOGGED -> "as-logged";
            case TRAINYARD -> "trainyard";
        };
    }

    /** A sentence without its full stop. */
    String describe() {
        if (world == World.PAST) {
            return "as the log says: jobs start when they started and run as long as they ran";
        }
        if (world == World.AS_LOGGED) {
            return "jobs run as long as the log says and end at no limit, a restart costs %s, predicted run times are %s"
                    .formatted(
                            physics == null ? "30 s" : "what the physics file says",
                            RuntimePredictors.describe(runtime));
        }
        return world == World.PUBLISHED
                ? "as in the published simulator: run times as in the trace and known in advance, restart costs of that simulator"
                : "%s, predicted run times are %s"
                        .formatted(
                                physics == null
                                        ? "links and neighbours slow jobs down, a restart costs 30 s"
                                        : "physics as given, " + physics.preemptionInWords(),
                                RuntimePredictors.describe(runtime));
    }
}
