package org.trainyard.experiments.service.target;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.decentralised.DecentralisedAgents;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.config.BeliefConfig;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.PhysicsConfig;
import org.trainyard.experiments.config.RuntimeConfig;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.run.Beliefs;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.experiments.training.Checkpoint;
import org.trainyard.experiments.training.PolicyFit;

/**
 * Target of a service: a scheduler of the registry by name, or the policy in the folder of a checkpoint, a run or an
 * export.
 *
 * @param belief how much jobs slow each other down
 * @param runtime the predictor of run times
 */
public record ServedTarget(ServedScheduler served, InterferenceModel belief, RuntimeConfig runtime) {
    /** The folder in an export that holds the same policy for Java. */
    private static final String EXPORTED = "checkpoint";

    /** Agents that decide apart do so on the threads of the machine. */
    private static final DecentralisedAgents.Workers THREADS =
            (count, work) -> IntStream.range(0, count).parallel().forEach(work);

    /**
     * Opens it.
     *
     * @param place of the name in messages
     * @param belief name of a belief, or null for that of the training, else the shipped one
     * @param seed of heuristics that draw
     */
    public static ServedTarget open(String place, String name, @Nullable String belief, long seed) {
        Path folder = InputFiles.path(name);
        if (Files.isDirectory(folder)) {
            Path exported = folder.resolve(EXPORTED);
            return ofCheckpoint(
                    Checkpoint.open(place, Files.isDirectory(exported) ? exported : folder), folder, belief);
        }
        if (Files.exists(folder)) {
            throw InputException.at(place, name, "the folder of an export or checkpoint, or the name of a scheduler");
        }
        SchedulerRegistry.Entry entry = Schedulers.named(place, name);
        InterferenceModel believed = Beliefs.named(belief);
        return new ServedTarget(ServedScheduler.of(entry, believed, seed), believed, new RuntimeConfig.History());
    }

    /**
     * Opens the target that fits the rules of a cluster: for {@code learned} the policy that ships for them. A policy
     * trained for other rules is remarked on.
     *
     * @param remarks is given a sentence about it
     */
    public static ServedTarget fitting(
            String place,
            String name,
            PhysicsConfig rules,
            @Nullable String belief,
            long seed,
            Consumer<String> remarks) {
        if (!name.equals(PolicyFit.LEARNED) && !Files.isDirectory(InputFiles.path(name))) {
            return open(place, name, belief, seed);
        }
        Checkpoint checkpoint = PolicyFit.open(place, name, rules, null);
        String remark = PolicyFit.note(name, checkpoint, rules);
        if (remark != null) {
            remarks.accept(remark);
        }
        return open(place, name.equals(PolicyFit.LEARNED) ? checkpoint.folder().toString() : name, belief, seed);
    }

    /** The belief of a training; one of its own cluster is measured there once more. */
    private static InterferenceModel believed(ExperimentConfig config) {
        if (config.expected() instanceof BeliefConfig.Named named) {
            return Beliefs.named(named.name());
        }
        try (Experiment experiment = new Experiment(config)) {
            return experiment.belief();
        }
    }

    private static ServedTarget ofCheckpoint(Checkpoint checkpoint, Path folder, @Nullable String belief) {
        ExperimentConfig config = ConfigReader.read(checkpoint.config(), List.of());
        InterferenceModel believed = belief == null ? believed(config) : Beliefs.named(belief);
        BidPolicy policy = checkpoint.policy();
        String name = folder.toAbsolutePath().normalize().getFileName().toString();
        ServedScheduler.Maker maker =
                (topology, listener) -> policy.scheduler(deployment(config, topology, believed), listener);
        boolean isOpen = config.runtime() instanceof RuntimeConfig.Forest;
        return new ServedTarget(
                new ServedScheduler(name, maker, demand -> demand.notFixedGpus() == null),
                believed,
                isOpen ? config.runtime() : new RuntimeConfig.History());
    }

    private static Deployment deployment(ExperimentConfig config, Topology topology, InterferenceModel belief) {
        return Experiment.deployment(config, topology, belief)
                .apart(config.environment().apart(), THREADS);
    }
}
