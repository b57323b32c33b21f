package org.trainyard.experiments.training;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.training.UpdateMetric;
import org.trainyard.env.InputException;
import org.trainyard.env.binding.ConfigWriter;
import org.trainyard.experiments.config.BeliefConfig;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.PhysicsConfig;
import org.trainyard.experiments.config.RuntimeConfig;
import org.trainyard.experiments.evaluation.ExperimentEvaluation;
import org.trainyard.experiments.report.SeedCurves;
import org.trainyard.experiments.report.TrainingCurve;

/**
 * The checkpoints of an evaluation: one, or several. Several that differ in the seeds of their training alone are
 * pooled, and one of them is marked as the policy that ships when its file equals that of a folder in
 * {@code checkpoints/}, seen from the working directory. Others are rivals, each in a row of its own.
 */
public final class TrainedPolicies {
    private static final Path SHIPPED = Path.of("checkpoints");

    private final Map<String, Checkpoint> byName = new LinkedHashMap<>();
    private final boolean isPooled;
    private @Nullable String shipped;

    /** @throws InputException when a checkpoint is named twice */
    public TrainedPolicies(List<Checkpoint> checkpoints) {
        this(checkpoints, SHIPPED);
    }

    /**
     * The checkpoints of an evaluation, compared with the policies of a folder.
     *
     * @param ships whose folders hold the policies that ship; none ships when it does not exist
     */
    TrainedPolicies(List<Checkpoint> checkpoints, Path ships) {
        for (Checkpoint checkpoint : checkpoints) {
            if (Collections.frequency(checkpoints, checkpoint) > 1) {
                throw InputException.at("--checkpoint", checkpoint.folder(), "each checkpoint once");
            }
        }
        Set<Long> seeds = new HashSet<>();
        checkpoints.forEach(checkpoint -> seeds.add(config(checkpoint).seed()));
        isPooled = checkpoints.size() > 1
                && seeds.size() == checkpoints.size()
                && checkpoints.stream()
                                .map(TrainedPolicies::withoutSeed)
                                .distinct()
                                .count()
                        == 1;
        if (checkpoints.size() == 1) {
            byName.put(ExperimentEvaluation.LEARNED, checkpoints.get(0));
        } else if (isPooled) {
            checkpoints.forEach(checkpoint -> addSeed(checkpoint, ships));
        } else {
            checkpoints.forEach(this::addRival);
        }
    }

    private void addSeed(Checkpoint checkpoint, Path ships) {
        boolean isShipped = shipped == null && checkpoint.isIn(ships);
        String name = "%s/%d%s"
                .formatted(ExperimentEvaluation.LEARNED, config(checkpoint).seed(), isShipped ? " (shipped)" : "");
        shipped = isShipped ? name : shipped;
        byName.put(name, checkpoint);
    }

    private void addRival(Checkpoint checkpoint) {
        String name = "%s/%s".formatted(ExperimentEvaluation.LEARNED, checkpoint.known());
        String free = name;
        for (int number = 2; byName.containsKey(free); number++) {
            free = name + "-" + number;
        }
        byName.put(free, checkpoint);
    }

    private static ExperimentConfig config(Checkpoint checkpoint) {
        return ConfigReader.read(checkpoint.config(), List.of());
    }

    /** Whether there are several, which differ in the seeds of their training alone. */
    public boolean isPooled() {
        return isPooled;
    }

    /** The name of that one of several policies that ships with the project, or null. */
    public @Nullable String shipped() {
        return shipped;
    }

    /**
     * The policies by name: {@code learned}, or {@code learned/SEED} of several that are pooled, or
     * {@code learned/FOLDER} of rivals; with their untrained starts.
     */
    public Map<String, ExperimentEvaluation.Trained> networks() {
        Map<String, ExperimentEvaluation.Trained> networks = new LinkedHashMap<>();
        byName.forEach((name, checkpoint) -> networks.put(name, checkpoint.trained()));
        return networks;
    }

    /** Notes: of policies that are no seeds of one training, and of checkpoints without their untrained start. */
    public List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        if (byName.size() > 1 && !isPooled) {
            remarks.add("the policies are not seeds of one training, so each is a row of its own:"
                    + " the table compares with the first of them, --verbose each with all");
        }
        for (Checkpoint checkpoint : byName.values()) {
            if (checkpoint.trained().untrained() == null) {
                remarks.add("%s holds no %s, the policy before its first update: what training gained is unknown"
                        .formatted(checkpoint.folder(), Checkpoint.UNTRAINED));
            }
        }
        return remarks;
    }

    /**
     * A note on policies that are judged in the world of another seed than that of their training; null without one.
     */
    public @Nullable String worldRemark(ExperimentConfig world) {
        List<String> drawn = new ArrayList<>();
        if (isPooled) {
            drawn.add("test episodes");
        }
        if (world.belief() instanceof BeliefConfig.Samples) {
            drawn.add("belief");
        }
        if (world.runtime() instanceof RuntimeConfig.Forest) {
            drawn.add("run-time forest");
        } else if (world.runtime() instanceof RuntimeConfig.Lognormal) {
            drawn.add("run-time errors");
        }
        List<String> others = byName.entrySet().stream()
                .filter(policy -> config(policy.getValue()).seed() != world.seed())
                .map(Map.Entry::getKey)
                .toList();
        return drawn.isEmpty() || others.isEmpty()
                ? null
                : "every row is judged in the world of seed %d (%s); %s, trained with other seeds, may do otherwise in runs of their own"
                        .formatted(world.seed(), String.join(", ", drawn), String.join(", ", others));
    }

    /** Warnings of policies that were trained for other rules of preemption than those of a world. */
    public List<String> preemptionRemarks(PhysicsConfig world) {
        return byName.values().stream()
                .map(checkpoint -> PolicyFit.remark(checkpoint, world))
                .filter(Objects::nonNull)
                .toList();
    }

    /** The config without its seed, and without those of the runs from which a stage starts. */
    private static List<String> withoutSeed(Checkpoint checkpoint) {
        return ConfigWriter.yaml(config(checkpoint))
                .lines()
                .filter(line -> !line.startsWith("seed:") && !line.startsWith("name:"))
                .map(line -> line.replaceAll("-seed-?\\d+", ""))
                .toList();
    }

    /** The curves of several trainings whose checkpoints lie in the folders of their runs; none otherwise. */
    public List<SeedCurves> curves() {
        List<TrainingCurve> validation = new ArrayList<>();
        List<TrainingCurve> training = new ArrayList<>();
        for (Map.Entry<String, Checkpoint> seed : byName.entrySet()) {
            Path file = isPooled ? seed.getValue().log() : null;
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
                        new SeedCurves(Objects.requireNonNull(UpdateMetric.MEAN_JCT_SECONDS.curve()), training));
    }
}
