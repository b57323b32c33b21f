package org.trainyard.experiments.training;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.env.InputException;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.evaluation.ExperimentEvaluation;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.report.TrainingCurve;

/**
 * A folder with a trained policy, the same policy before its first update ({@value #UNTRAINED}), and the config of its
 * training.
 *
 * @param folder where {@value #POLICY} and {@value #CONFIG} are
 */
public record Checkpoint(Path folder) {
    static final String POLICY = "policy.bin";
    static final String UNTRAINED = "untrained.bin";
    static final String CONFIG = "config.yaml";

    /**
     * The checkpoint in this folder, in the folder of a run its best checkpoint, in an export the one it was made of.
     */
    public static Checkpoint open(String place, Path folder) {
        for (Path candidate :
                List.of(folder, folder.resolve("checkpoints").resolve("best"), folder.resolve("checkpoint"))) {
            if (Files.isRegularFile(candidate.resolve(POLICY)) && Files.isRegularFile(candidate.resolve(CONFIG))) {
                return new Checkpoint(candidate);
            }
        }
        throw InputException.at(place, folder, "a folder with %s and %s in it".formatted(POLICY, CONFIG));
    }

    /** The config of its training. */
    public Path config() {
        return folder.resolve(CONFIG);
    }

    /** The log of the run that it is part of, or null outside a run. */
    @Nullable Path log() {
        Path checkpoints = folder.toAbsolutePath().normalize().getParent();
        Path log = checkpoints == null
                ? null
                : checkpoints.resolve(RunDirectory.LAST).resolve(TrainingRun.LOG);
        return log != null && Files.isRegularFile(log) ? log : null;
    }

    /** The summary of the run whose best policy it is, or null for any other and before the run ends. */
    public @Nullable Path summary() {
        Path best = folder.toAbsolutePath().normalize();
        Path summary = best.resolve("../../summary.json").normalize();
        return best.endsWith(Path.of("checkpoints", "best")) && Files.isRegularFile(summary) ? summary : null;
    }

    /** The curves of the run that it is part of, of all metrics that its learner has; none outside a run. */
    public List<TrainingCurve> curves() {
        Path log = log();
        return log == null ? List.of() : TrainingLog.load(log).curves();
    }

    /** The folder by which it is known among others: of a run its own, otherwise that of the policy. */
    String known() {
        Path known = folder.toAbsolutePath().normalize();
        if (known.endsWith(Path.of("checkpoints", "best")) || known.endsWith(Path.of("checkpoints", "last"))) {
            known = known.resolve("../..").normalize();
        } else if (known.endsWith("checkpoint")) {
            known = known.resolve("..").normalize();
        }
        return String.valueOf(known.getFileName()).replace(' ', '_');
    }

    public Path policyFile() {
        return folder.resolve(POLICY);
    }

    /** Whether a folder in this folder holds the same policy, byte by byte. */
    boolean isIn(Path folders) {
        if (!Files.isDirectory(folders)) {
            return false;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folders)) {
            for (Path one : files) {
                Path policy = one.resolve(POLICY);
                if (Files.isRegularFile(policy) && Files.mismatch(policy, policyFile()) < 0) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Provenance of the policy: code, configuration, data and seed of its training; null when not recorded. */
    public @Nullable Provenance provenance() {
        return Provenance.read(folder);
    }

    public BidPolicy policy() {
        return load(policyFile());
    }

    /** The policy in a file of this folder; agents trained without preemption are told the rules of their training. */
    private BidPolicy load(Path file) {
        BidPolicy policy = BidPolicy.load(file);
        ExperimentConfig trained = ConfigReader.read(config(), List.of());
        boolean isTold = !trained.environment().preemption() && trained.domainRandomisation() == null;
        return isTold ? policy.told(trained.physics().preemptionRules()) : policy;
    }

    /** The policy with its untrained start, for an evaluation. */
    ExperimentEvaluation.Trained trained() {
        Path untrained = untrainedFile();
        return new ExperimentEvaluation.Trained(this::policy, untrained == null ? null : () -> load(untrained));
    }

    /** The policy before its first update, or null in a folder without it. */
    public @Nullable BidPolicy untrained() {
        Path file = untrainedFile();
        return file == null ? null : load(file);
    }

    /** The file of the policy before its first update, or null in a folder without it. */
    @Nullable Path untrainedFile() {
        Path file = folder.resolve(UNTRAINED);
        return Files.isRegularFile(file) ? file : null;
    }
}
