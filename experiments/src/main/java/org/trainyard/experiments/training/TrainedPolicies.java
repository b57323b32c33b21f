package org.trainyard.experiments.training;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.PhysicsConfig;
import org.trainyard.experiments.config.yaml.ConfigWriter;
import org.trainyard.experiments.evaluation.ExperimentEvaluation;
import org.trainyard.experiments.report.SeedCurves;
import org.trainyard.experiments.report.TrainingCurve;

/**
 * The checkpoints of an evaluation: one, or several that differ in the seeds of their training. One of several is
 * marked as the policy that ships when its file equals that of a folder in {@code checkpoints/}, seen from the
 * working directory.
 */
public final class TrainedPolicies {
    private static final Path SHIPPED = Path.of("checkpoints");

    private final Map<String, Checkpoint> byName = new LinkedHashMap<>();
    private @Nullable String shipped;

    /** @throws InputException when two of several checkpoints have the same seed */
    public TrainedPolicies(List<Checkpoint> checkpoints) {
        this(checkpoints, SHIPPED);
    }

    /**
     * The checkpoints of an evaluation, compared with the policies of a folder.
     *
     * @param ships whose folders hold the policies that ship; none ships when it does not exist
     */
    TrainedPolicies(List<Checkpoint> checkpoints, Path ships) {
        Map<Long, Checkpoint> bySeed = new LinkedHashMap<>();
        for (Checkpoint checkpoint : checkpoints) {
            long seed = config(checkpoint).seed();
            Checkpoint before = bySeed.putIfAbsent(seed, checkpoint);
            if (before != null) {
                throw InputException.at(
                        "--checkpoint",
                        checkpoint.folder(),
                        "a policy of another seed than %d, which is that of %s".formatted(seed, before.folder()));
            }
        }
        if (checkpoints.size() == 1) {
            byName.put(ExperimentEvaluation.LEARNED, checkpoints.get(0));
            return;
        }
        bySeed.forEach((seed, checkpoint) -> {
            boolean isShipped = shipped == null && checkpoint.isIn(ships);
            String name = "%s/%d%s".formatted(ExperimentEvaluation.LEARNED, seed, isShipped ? " (shipped)" : "");
            shipped = isShipped ? name : shipped;
            byName.put(name, checkpoint);
        });
    }

    private static ExperimentConfig config(Checkpoint checkpoint) {
        return ConfigReader.read(checkpoint.config(), List.of());
    }

    /** The name of that one of several policies that ships with the project, or null. */
    public @Nullable String shipped() {
        return shipped;
    }

    /**
     * The policies by name: {@code learned}, or {@code learned/SEED} when there are several; with their untrained
     * starts.
     */
    public Map<String, ExperimentEvaluation.Trained> networks() {
        Map<String, ExperimentEvaluation.Trained> networks = new LinkedHashMap<>();
        byName.forEach((name, checkpoint) -> networks.put(name, checkpoint.trained()));
        return networks;
    }

    /**
     * Warnings: of configurations that differ in more than name and seed, and of checkpoints without their
     * untrained start.
     */
    public List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        long kinds = byName.values().stream()
                .map(checkpoint -> withoutSeed(config(checkpoint)))
                .distinct()
                .count();
        if (kinds > 1) {
            remarks.add("the trained policies differ in more than the seeds of their training:"
                    + " their mean is not that of one way to train");
        }
        for (Checkpoint checkpoint : byName.values()) {
            if (checkpoint.trained().untrained() == null) {
                remarks.add("%s holds no %s, the policy before its first update: what training gained is unknown"
                        .formatted(checkpoint.folder(), Checkpoint.UNTRAINED));
            }
        }
        return remarks;
    }

    /** Warnings of policies that were trained for other rules of preemption than those of a world. */
    public List<String> preemptionRemarks(PhysicsConfig world) {
        return byName.values().stream()
                .map(checkpoint -> PolicyFit.remark(checkpoint, world))
                .filter(Objects::nonNull)
                .toList();
    }

    private static List<String> withoutSeed(ExperimentConfig config) {
        return ConfigWriter.yaml(config)
                .lines()
                .filter(line -> !line.startsWith("seed:") && !line.startsWith("name:"))
                .toList();
    }

    /** The curves of several trainings whose checkpoints lie in the folders of their runs; none otherwise. */
    public List<SeedCurves> curves() {
        List<TrainingCurve> validation = new ArrayList<>();
        List<TrainingCurve> training = new ArrayList<>();
        for (Map.Entry<String, Checkpoint> seed : byName.entrySet()) {
            Path file = byName.size() > 1 ? seed.getValue().log() : null;
            if (file != null) {
                TrainingLog log = TrainingLog.load(file);
                validation.add(log.validation(seed.getKey()));
                training.add(log.training(seed.getKey()));
            }
        }
        return validation.isEmpty()
                ? List.of()
                : List.of(
                        new SeedCurves(TrainingLog.VALIDATION, validation),
                        new SeedCurves(TrainingLog.TRAINING, training));
    }
}
