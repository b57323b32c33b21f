package org.trainyard.experiments.training;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.decentralised.DecentralisedSettings;
import org.trainyard.env.simulation.PreemptionRules;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.PhysicsConfig;
import org.trainyard.experiments.config.PreemptionDraws;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.run.Experiment;

/**
 * Which policies were trained for the restart costs, the rules of preemption and the insides of servers of a cluster.
 */
public final class PolicyFit {
    /** A word in place of a checkpoint: the policy among those that ship which was trained for the cluster. */
    public static final String LEARNED = "learned";

    /** The first policy that ships, from the root of the project. */
    public static final String DEFAULT = "checkpoints/default";

    private static final String FIRST = "default";
    private static final Logger LOG = LoggerFactory.getLogger(PolicyFit.class);

    private PolicyFit() {}

    /**
     * The checkpoint in a folder, or for {@link #LEARNED} the first of those that ship that fits, {@code default} when
     * none does. Where the links inside servers differ, a policy that was trained for that comes first.
     *
     * @param cluster null when it is not known yet
     */
    public static Checkpoint open(String place, String name, PhysicsConfig world, @Nullable Topology cluster) {
        return open(place, name, world, cluster, shipped());
    }

    /**
     * Opens a policy for the setting of a config: where agents decide apart and preempt no job, one that was trained
     * so, by jobs that are owned or shared alike.
     */
    public static Checkpoint open(String place, String name, ExperimentConfig config, @Nullable Topology cluster) {
        boolean preempts = config.environment().preemption()
                && config.physics().preemptionRules().allowsAny();
        DecentralisedSettings apart = config.environment().apart();
        if (apart != null && !preempts && isChosen(name) && Files.isDirectory(shipped())) {
            for (Shipped policy : readable(place, shipped())) {
                DecentralisedSettings own = policy.apart();
                if (own != null && own.ownJobs() == apart.ownJobs()) {
                    return policy.checkpoint();
                }
            }
        }
        return open(place, name, config.physics(), cluster);
    }

    private static Path shipped() {
        return Path.of(System.getProperty("trainyard.root", "."), "checkpoints");
    }

    /** Whether the name is {@link #LEARNED}, and no folder. */
    private static boolean isChosen(String name) {
        return name.equals(LEARNED) && !Files.isDirectory(InputFiles.path(name));
    }

    /** A policy and the config of its training. */
    private record Shipped(Checkpoint checkpoint, ExperimentConfig config) {
        static Shipped of(Checkpoint checkpoint) {
            return new Shipped(checkpoint, ConfigReader.read(checkpoint.config(), List.of()));
        }

        @Nullable DecentralisedSettings apart() {
            return config.environment().apart();
        }

        /** Whether it was trained where the links inside servers differ, by a belief about their bandwidths. */
        boolean isOfInsides() {
            return config.environment().bandwidths() != null;
        }

        String training() {
            if (apart() != null) {
                return "with agents that decide apart";
            }
            return isOfInsides()
                    ? "where the links inside servers differ"
                    : "for such restarts and rules of preemption";
        }
    }

    /** The policies that ship and whose worlds need no module that is absent, the first before the others. */
    private static List<Shipped> readable(String place, Path shipped) {
        List<Shipped> readable = new ArrayList<>();
        for (Path folder : folders(shipped)) {
            Checkpoint checkpoint = Checkpoint.open(place, folder);
            try {
                readable.add(Shipped.of(checkpoint));
            } catch (InputException e) {
                LOG.warn("{} is passed over: {}", folder, e.getMessage());
            }
        }
        return readable;
    }

    static Checkpoint open(String place, String name, PhysicsConfig world, @Nullable Topology cluster, Path shipped) {
        if (!isChosen(name)) {
            return Checkpoint.open(place, InputFiles.path(name));
        }
        if (!Files.isDirectory(shipped)) {
            throw InputException.at(place, name, "the folder of a checkpoint, for %s is not here".formatted(shipped));
        }
        List<Shipped> fitting = readable(place, shipped).stream()
                .filter(policy -> fits(policy.config(), world) && policy.apart() == null)
                .toList();
        boolean differ = cluster != null && !cluster.truth().inside().arePlain();
        return fitting.stream()
                .filter(policy -> policy.isOfInsides() == differ)
                .findFirst()
                .or(() ->
                        fitting.stream().filter(policy -> !policy.isOfInsides()).findFirst())
                .map(Shipped::checkpoint)
                .orElseGet(() -> Checkpoint.open(place, shipped.resolve(FIRST)));
    }

    /** The folders of the policies that ship: the first, then the others by name. */
    private static List<Path> folders(Path shipped) {
        try (Stream<Path> all = Files.list(shipped)) {
            List<Path> others = all.filter(Files::isDirectory)
                    .filter(folder -> !folder.endsWith(FIRST))
                    .sorted()
                    .toList();
            return Stream.concat(Stream.of(shipped.resolve(FIRST)), others.stream())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A sentence that a policy was trained for other rules than those of a cluster; null when it was for these. */
    public static @Nullable String remark(Checkpoint checkpoint, PhysicsConfig world) {
        ExperimentConfig trained = ConfigReader.read(checkpoint.config(), List.of());
        if (fits(trained, world)) {
            return null;
        }
        return "%s was not trained for these rules of preemption: there %s, here %s"
                .formatted(
                        checkpoint.folder(),
                        trained.environment().preemption()
                                ? trained.physics().preemptionInWords()
                                : "no job was preempted",
                        world.preemptionInWords());
    }

    /**
     * A sentence that a policy was trained with another number of racks or agents, or on other types of GPUs, than
     * those of a config; null when these are equal, and for a policy of several worlds.
     */
    public static @Nullable String elsewhere(Checkpoint checkpoint, ExperimentConfig config) {
        ExperimentConfig trained = ConfigReader.read(checkpoint.config(), List.of());
        List<String> worlds = trained.worlds();
        if (worlds != null && !worlds.isEmpty()) {
            return null;
        }
        String there = world(trained);
        String here = world(config);
        return there.equals(here)
                ? null
                : "%s was trained for another world: there %s, here %s".formatted(checkpoint.folder(), there, here);
    }

    /** The jobs and clusters of the training of a policy, to follow "trained on". */
    public static String training(Checkpoint checkpoint) {
        ExperimentConfig trained = ConfigReader.read(checkpoint.config(), List.of());
        Topology cluster = Clusters.resolve("cluster", trained.cluster());
        List<String> worlds = trained.worlds();
        int more = worlds == null ? 0 : worlds.size();
        return Counted.say(
                "%s of %,d jobs on %,d GPUs%s",
                trained.workload().trace() == null ? "generated episodes" : "episodes of a log",
                trained.episodes().jobs(),
                cluster.gpus(),
                more == 0 ? "" : Counted.say(" and on %,d other worlds", more));
    }

    private static String world(ExperimentConfig config) {
        Topology cluster = Clusters.resolve("cluster", config.cluster());
        String types = IntStream.range(0, cluster.servers())
                .mapToObj(server -> cluster.server(server).gpuType().name())
                .distinct()
                .sorted()
                .collect(Collectors.joining(" and "));
        return Counted.say(
                "%d racks, %d agents, GPUs %s",
                cluster.racks(), Experiment.domains(config, cluster).count(), types);
    }

    /**
     * A sentence on which of the policies that ship was chosen, where the name was {@link #LEARNED} and it is not the
     * first; else the remark on it, or null.
     */
    public static @Nullable String note(@Nullable String name, Checkpoint checkpoint, PhysicsConfig world) {
        Shipped policy = Shipped.of(checkpoint);
        boolean isLearned = LEARNED.equals(name);
        String remark = isLearned && policy.apart() != null ? null : remark(checkpoint, world);
        boolean isOther = isLearned && !checkpoint.folder().endsWith(FIRST);
        return remark == null && isOther
                ? "%s is %s, which was trained %s".formatted(LEARNED, checkpoint.folder(), policy.training())
                : remark;
    }

    static boolean fits(ExperimentConfig trained, PhysicsConfig world) {
        PreemptionRules rules = world.preemptionRules();
        PreemptionRules own = trained.physics().preemptionRules();
        PreemptionDraws draws = trained.domainRandomisation();
        boolean preempts = trained.environment().preemption() && own.allowsAny();
        if (!rules.allowsAny()) {
            return !preempts || (draws != null && draws.forbidden() > 0);
        }
        boolean isLimited = rules.leastRunNanos() > 0 || rules.mostPerJob() < PreemptionRules.NO_LIMIT;
        boolean hasSeenLimits = draws == null ? rules.equals(own) : draws.limited() > 0;
        boolean hasSeenCosts = draws != null
                || (rules.savedEveryNanos() == own.savedEveryNanos()
                        && trained.physics().hasDearRestarts() == world.hasDearRestarts());
        return preempts && hasSeenCosts && (!isLimited || hasSeenLimits) && rules.requeueNanos() == own.requeueNanos();
    }
}
