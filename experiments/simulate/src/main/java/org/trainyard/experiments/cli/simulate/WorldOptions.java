package org.trainyard.experiments.cli.simulate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.binding.YamlReader;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.simulation.RestartCost;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.experiments.config.FormerKeys;
import org.trainyard.experiments.config.PhysicsConfig;
import org.trainyard.experiments.config.PreemptionConfig;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.simulation.RuntimeNames;
import org.trainyard.experiments.simulation.SimulationSetup;
import picocli.CommandLine.Option;

/** Options for the truth of a simulation, and for the belief of its schedulers. */
public final class WorldOptions {
    @Option(
            names = "--runtime",
            paramLabel = "KIND",
            description = "Predictor of run times: history (finished jobs of the same group or user), forest, "
                    + "oracle, or lognormal:SIGMA (log-normal error) (default: history; oracle for presets "
                    + "of published simulators).")
    private @Nullable String runtime;

    @Option(
            names = "--physics",
            paramLabel = "FILE",
            description = "YAML file with interference, link contention, restart costs, outages and quotas, as "
                    + "in experiments/physics. Presets of published simulators ignore it.")
    private @Nullable String physics;

    @Option(
            names = "--restart",
            paramLabel = "SECONDS|COST",
            description =
                    "Restart cost after a preemption, in seconds, or as physics.restart of a config: {type: BySize,"
                            + " ...}.")
    private @Nullable String restart;

    @Option(
            names = "--preemption",
            paramLabel = "RULES",
            description = "Rules of preemption, as physics.preemption of a config: {type: Checkpointed, "
                    + "Checkpoints, Lost or Forbidden, ...}.")
    private @Nullable String preemption;

    @Option(
            names = "--interference-model",
            paramLabel = "NAME|DIR",
            description =
                    "Interference model of the schedulers: shipped, none, or a folder of `fit "
                            + "interference` (default: shipped; none with --as-logged). A model equal to the simulator's is refused.")
    private @Nullable String belief;

    /**
     * The physics in the file, with the values of other options; null where no option is given.
     *
     * @param err for notes on rows of measurements that are left out
     */
    public @Nullable PhysicsConfig truth(PrintWriter err) {
        if (physics == null && restart == null && preemption == null) {
            return null;
        }
        PhysicsConfig truth = physics == null ? PhysicsConfig.DEFAULT : PhysicsConfig.read(InputFiles.path(physics));
        truth.remarks().forEach(remark -> err.println("note: " + remark));
        truth = restart == null ? truth : truth.with(cost(restart));
        return preemption == null ? truth : truth.with(bound("--preemption", preemption, PreemptionConfig.class));
    }

    private static RestartCost cost(String text) {
        try {
            double seconds = Double.parseDouble(text);
            InputException.within(0, 86_400, "--restart", seconds);
            return new RestartCost.Fixed(seconds);
        } catch (NumberFormatException e) {
            return bound("--restart", text, RestartCost.class);
        }
    }

    private static <T> T bound(String option, String text, Class<T> type) {
        return FormerKeys.bind(YamlReader.read(option, text), type);
    }

    private static void put(String key, @Nullable String given, ObjectNode config) {
        if (given != null) {
            config.put(key, given);
        }
    }

    /** The world of a simulation, which is put into the configuration of the run. */
    public SimulationSetup setup(
            Topology topology,
            Trace jobTrace,
            List<SchedulerRegistry.Entry> entries,
            @Nullable PhysicsConfig truth,
            ModelOptions models,
            long seed,
            ObjectNode config) {
        SimulationSetup setup = SimulationSetup.of(
                entries,
                new SimulationSetup.Options(runtime, truth, belief, models.isAsLogged()),
                topology,
                jobTrace.jobs(),
                seed);
        config.put("world", setup.label()).put("runtime", RuntimeNames.text(setup.runtime()));
        models.describe(config);
        put("physics", physics, config);
        put("restart", restart, config);
        put("preemption", preemption, config);
        put("belief", belief, config);
        return setup;
    }
}
