package org.trainyard.experiments.simulation;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.bounds.RelaxedBound;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.MaintenanceWindow;
import org.trainyard.env.simulation.Outages;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.BeliefConfig;
import org.trainyard.experiments.config.PhysicsConfig;
import org.trainyard.experiments.config.RuntimeConfig;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.run.Beliefs;
import org.trainyard.experiments.run.RuntimePredictors;
import org.trainyard.experiments.run.TruthMismatch;

/**
 * The truth of a simulation and the information that its schedulers get.
 *
 * @param truth source of the run times of jobs
 * @param runtime predictor of run times
 * @param physics the truth, or null for the default interference and restarts of 30 s; presets that replay a published
 *     simulator have the truth of that simulator
 */
public record SimulationSetup(
        Truth truth, RuntimeConfig runtime, @Nullable PhysicsConfig physics, World world) {
    /** Source of the run times of jobs: a physics or a log. */
    public enum Truth {
        /** Links and neighbours slow jobs down. */
        TRAINYARD,
        /** The physics of a published simulator. */
        PUBLISHED,
        /** Jobs run as long as their log says, and start as it says. */
        PAST,
        /** Jobs run as long as their log says. */
        AS_LOGGED
    }

    /** The options of a simulation; null where the user said nothing. */
    public record Options(
            @Nullable String runtime,
            @Nullable PhysicsConfig physics,
            @Nullable String belief,
            boolean isAsLogged) {}

    private static SimulationSetup with(
            Truth truth,
            RuntimeConfig runtime,
            @Nullable PhysicsConfig physics,
            InterferenceModel belief,
            Topology topology,
            long seed) {
        Simulator.Options options = physics == null ? Simulator.Options.DEFAULT : physics.options(topology, seed);
        World world = truth != Truth.TRAINYARD
                ? World.rated(topology, options, seed)
                : new World(
                                topology,
                                physics == null
                                        ? new RingPerformance(topology, AnalyticInterference.DEFAULT)
                                        : physics.truth(topology, seed),
                                options)
                        .seeded(seed);
        return new SimulationSetup(
                truth, runtime, physics, world.believing(belief).telling(RuntimePredictors.of(runtime, seed)));
    }

    /**
     * The setup in which {@code advise} and {@code shadow} run: jobs run as long as their log says, whoever runs beside
     * them, and schedulers expect no more.
     */
    public static SimulationSetup asLogged(Topology topology, long seed) {
        return with(Truth.AS_LOGGED, new RuntimeConfig.History(), null, InterferenceModel.NONE, topology, seed);
    }

    /** This setup with the limits of the cluster of its log, where jobs run as logged and the physics has none. */
    public SimulationSetup limited(LoggedCluster cluster) {
        return keepsLoggedLimits() ? new SimulationSetup(truth, runtime, physics, cluster.limited(world)) : this;
    }

    /** Whether jobs run as logged, under the limits of the cluster of their log. */
    boolean keepsLoggedLimits() {
        return truth == Truth.AS_LOGGED && (physics == null || physics.limits() == null);
    }

    /** Returns this setup where schedulers believe in the interference of this name, whatever the jobs do. */
    public SimulationSetup believing(String belief) {
        return new SimulationSetup(truth, runtime, physics, world.believing(Beliefs.named(belief)));
    }

    /** The setup in which {@link LoggedPast} runs: every job runs as long as it did. */
    public static SimulationSetup ofPast(Topology topology, long seed) {
        return with(Truth.PAST, new RuntimeConfig.Oracle(), null, InterferenceModel.NONE, topology, seed);
    }

    /** The setup in which presets replay published simulators. */
    public static SimulationSetup published(Topology topology, long seed) {
        return with(Truth.PUBLISHED, new RuntimeConfig.Oracle(), null, InterferenceModel.NONE, topology, seed);
    }

    /** Whether maintenance is planned in its world. */
    public boolean isMaintained() {
        return !Outages.maintenanceOf(world.options().outages()).isEmpty();
    }

    /** Returns this setup with planned maintenance. */
    public SimulationSetup maintained(List<MaintenanceWindow> windows) {
        return new SimulationSetup(truth, runtime, physics, world.maintained(windows));
    }

    /** Whether every job runs exactly as long as its trace says; otherwise links and neighbours slow jobs down. */
    public boolean rated() {
        return world.isRated();
    }

    /**
     * The setup of these schedulers: that of the published simulators for the presets that replay one, ours for all
     * others.
     *
     * @param jobs the jobs that will run
     * @throws InputException when presets and other schedulers are mixed, or the belief is the truth itself
     */
    public static SimulationSetup of(
            List<SchedulerRegistry.Entry> schedulers,
            Options options,
            Topology topology,
            List<TraceJob> jobs,
            long seed) {
        List<String> replays = names(schedulers, true);
        if (!replays.isEmpty()) {
            requireReplayable(replays.get(0), names(schedulers, false), options);
            return published(topology, seed);
        }
        BeliefConfig usual = options.isAsLogged() ? BeliefConfig.NONE : BeliefConfig.SHIPPED;
        String belief = options.belief() == null ? usual.toString() : options.belief();
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
        return with(
                options.isAsLogged() ? Truth.AS_LOGGED : Truth.TRAINYARD,
                options.runtime() == null
                        ? new RuntimeConfig.History()
                        : RuntimeNames.parse("--runtime", options.runtime()),
                physics,
                believed,
                topology,
                seed);
    }

    private static void requireReplayable(String preset, List<String> others, Options options) {
        if (options.runtime() != null
                && !(RuntimeNames.parse("--runtime", options.runtime()) instanceof RuntimeConfig.Oracle)) {
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
    }

    private static List<String> names(List<SchedulerRegistry.Entry> schedulers, boolean replaysTrace) {
        return schedulers.stream()
                .filter(entry -> entry.replaysTrace() == replaysTrace)
                .map(SchedulerRegistry.Entry::name)
                .toList();
    }

    /**
     * A lower bound on the mean JCT of a workload in a world.
     *
     * @throws IllegalStateException in the world of a preset that replays a published simulator
     */
    public static RelaxedBound bound(World world, Workload workload) {
        if (world.truth().copy() instanceof RingPerformance ring) {
            return RelaxedBound.of(workload, world.topology(), ring);
        }
        throw new IllegalStateException("no lower bound where run times are those of the trace");
    }

    /** Name of the truth in files, a word. */
    public String label() {
        return switch (truth) {
            case PAST -> LoggedPast.NAME;
            case PUBLISHED -> "published";
            case AS_LOGGED -> "as-logged";
            case TRAINYARD -> "trainyard";
        };
    }

    /** A sentence without its full stop. */
    String describe() {
        if (truth == Truth.PAST) {
            return "as the log says: jobs start when they started and run as long as they ran";
        }
        if (truth == Truth.AS_LOGGED) {
            long requeue = world.options().preemption().requeueNanos();
            return "jobs run as long as the log says and end at no limit, a restart costs %s%s, predicted run times are %s"
                    .formatted(
                            physics == null ? "30 s" : "what the physics file says",
                            requeue == 0 ? "" : " and waits %s".formatted(Durations.human(requeue / 1e9)),
                            RuntimeNames.describe(runtime));
        }
        return truth == Truth.PUBLISHED
                ? "as in the published simulator: run times as in the trace and known in advance, restart costs of that simulator"
                : "%s, predicted run times are %s"
                        .formatted(
                                physics == null
                                        ? "links and neighbours slow jobs down, a restart costs 30 s"
                                        : "physics as given, " + physics.preemptionInWords(),
                                RuntimeNames.describe(runtime));
    }
}
