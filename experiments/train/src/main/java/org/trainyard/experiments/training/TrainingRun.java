package org.trainyard.experiments.training;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.training.PolicyTrainer;
import org.trainyard.agents.learned.training.UpdateMetric;
import org.trainyard.agents.learned.training.UpdateStatistics;
import org.trainyard.env.binding.ConfigWriter;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.evaluation.ExperimentEvaluation;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.Progress;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.report.TensorBoardWriter;
import org.trainyard.experiments.report.TrainingCurve;
import org.trainyard.experiments.run.Experiment;

/**
 * Trains a policy and keeps the best one on validation episodes. A run that was killed at any moment and resumed ends
 * with the same bytes.
 *
 * <p>The checkpoint of a run is {@code last/trainer.bin}. {@code last/log.json} and {@code best/} are written before it
 * and so are never older than it; when they are newer, a resumed run writes the same again.
 */
final class TrainingRun implements AutoCloseable {
    static final String TRAINER = "trainer.bin";
    static final String LOG = "log.json";
    private static final String VALIDATION_TAG = "validation/geometric_mean_jct_seconds";

    private final ExperimentConfig config;
    private final RunDirectory directory;
    private final TrainingWorlds worlds;
    private TrainingLog log = new TrainingLog(Double.POSITIVE_INFINITY);
    private double learningSeconds;
    private double validatingSeconds;
    private long decisions;

    TrainingRun(Experiment experiment, RunDirectory directory) {
        this.directory = directory;
        config = experiment.config();
        worlds = new TrainingWorlds(experiment);
        directory.makeCheckpoints();
    }

    /** Makes all remaining updates. */
    void train(boolean resume) {
        try (PolicyTrainer trainer = Trainers.of(worlds)) {
            if (resume) {
                trainer.load(last(TRAINER));
                log = TrainingLog.load(last(LOG), trainer.updates());
            }
            try (TensorBoardWriter board = board(resume, trainer.updates());
                    Progress progress = Progress.start("train", trainer.plannedUpdates())) {
                progress.to(trainer.updates(), "");
                if (!resume) {
                    keepUntrained(trainer.policy(), board);
                }
                while (!trainer.isDone()) {
                    update(trainer, board, progress);
                }
            }
            if (trainer.plannedUpdates() == 0) {
                save(trainer);
            }
            trainer.policy().save(last(Checkpoint.POLICY));
        }
    }

    /**
     * Validates the policy before its first update and keeps it until an update is better. A policy that starts from a
     * checkpoint is untrained as that one was, so that the gain of all trainings before it counts, too.
     */
    private void keepUntrained(BidPolicy policy, TensorBoardWriter board) {
        Provenance.of(config).write(directory.bestCheckpoint());
        Path untrained = directory.bestCheckpoint().resolve(Checkpoint.UNTRAINED);
        List<Checkpoint> before = Trainers.startingCheckpoints(config);
        if (before.size() > 1) {
            BidPolicy mean = BidStarts.untrained(before, config.learner());
            (mean == null ? policy : mean).save(untrained);
        } else if (before.isEmpty() || before.get(0).untrainedFile() == null) {
            policy.save(untrained);
        } else {
            AtomicFiles.copy(before.get(0).untrainedFile(), untrained);
        }
        log = new TrainingLog(validate(policy));
        board.update(0, Map.of(VALIDATION_TAG, log.untrainedValidation()));
        saveBest(policy);
    }

    private TensorBoardWriter board(boolean resume, int updates) {
        return resume
                ? TensorBoardWriter.resume(directory.tensorboard(), updates + 1L)
                : TensorBoardWriter.start(directory.tensorboard());
    }

    private void update(PolicyTrainer trainer, TensorBoardWriter board, Progress progress) {
        long start = System.nanoTime();
        UpdateStatistics statistics = trainer.update();
        double seconds = (System.nanoTime() - start) / 1e9;
        learningSeconds += seconds;
        decisions += (long) statistics.get(UpdateMetric.DECISIONS);
        boolean last = trainer.isDone();
        Double jct = last || trainer.updates() % config.validateEvery() == 0 ? validate(trainer.policy()) : null;
        boolean best = jct != null && jct < log.bestValidation();
        log.add(statistics, jct);
        if (best) {
            saveBest(trainer.policy());
        }
        if (last || trainer.updates() % config.checkpointEvery() == 0) {
            save(trainer);
        }
        double perSecond = statistics.get(UpdateMetric.DECISIONS) / seconds;
        report(board, statistics, jct, perSecond);
        progress.to(trainer.updates(), describe(statistics, perSecond));
    }

    private void save(PolicyTrainer trainer) {
        log.save(last(LOG));
        trainer.save(last(TRAINER));
    }

    private double validate(BidPolicy policy) {
        long start = System.nanoTime();
        double jct = worlds.geometricMeanJctSeconds(policy);
        validatingSeconds += (System.nanoTime() - start) / 1e9;
        return jct;
    }

    private void saveBest(BidPolicy policy) {
        AtomicFiles.write(directory.bestCheckpoint().resolve(Checkpoint.CONFIG), ConfigWriter.yaml(config));
        policy.save(directory.bestCheckpoint().resolve(Checkpoint.POLICY));
    }

    private static void report(
            TensorBoardWriter board, UpdateStatistics statistics, @Nullable Double jct, double perSecond) {
        Map<String, Double> scalars = TrainingLog.scalars(statistics);
        if (jct != null) {
            scalars.put(VALIDATION_TAG, jct);
        }
        scalars.put("speed/decisions_per_second", perSecond);
        board.update((long) statistics.get(UpdateMetric.UPDATE), scalars);
    }

    private String describe(UpdateStatistics statistics, double perSecond) {
        String best = Double.isInfinite(log.bestValidation()) ? "none yet" : Durations.human(log.bestValidation());
        String jct = Durations.human(statistics.get(UpdateMetric.MEAN_JCT_SECONDS));
        if (statistics.get(UpdateMetric.DECISIONS) == 0) {
            return "%,.0f episodes, geometric mean JCT %s, best on validation %s"
                    .formatted(statistics.get(UpdateMetric.EPISODES), jct, best);
        }
        double nats = statistics.get(UpdateMetric.ENTROPY);
        String entropy = Double.isNaN(nats) ? "" : ", entropy %.2f".formatted(nats);
        return "%,.0f decisions/s, mean JCT %s%s, best geometric mean JCT on validation %s"
                .formatted(perSecond, jct, entropy, best);
    }

    private Path last(String file) {
        return directory.lastCheckpoint().resolve(file);
    }

    @Override
    public void close() {
        worlds.close();
    }

    /** The policy kept. */
    Checkpoint best() {
        return new Checkpoint(directory.bestCheckpoint());
    }

    /** Geometric mean JCT of the policy kept on the validation episodes, seconds. */
    double bestValidation() {
        return log.bestValidation();
    }

    /** The result of training, in a sentence. */
    String summary() {
        String best = Durations.human(log.bestValidation());
        if (log.size() == 0) {
            return "no update was asked for: the first policy is kept, with a geometric mean JCT of %s on the validation episodes"
                    .formatted(best);
        }
        String first =
                Trainers.startingCheckpoints(config).isEmpty() ? "the untrained policy" : "the policy it started from";
        return log.bestUpdate() == 0
                ? "no update of %d was better than %s on the validation episodes (geometric mean JCT %s): that policy is kept"
                        .formatted(log.size(), first, best)
                : "the policy kept is that of update %d of %d, with a geometric mean JCT of %s on the validation episodes, where %s has %s"
                        .formatted(
                                log.bestUpdate(), log.size(), best, first, Durations.human(log.untrainedValidation()));
    }

    /** Metrics over updates. */
    List<TrainingCurve> curves() {
        return log.curves();
    }

    /** Wall-clock times of this session, and those of the evaluation after it. */
    record Timing(
            double learningSeconds,
            double validatingSeconds,
            long decisions,
            double decisionsPerSecond,
            @JsonUnwrapped ExperimentEvaluation.Timing tested) {}

    Timing timing(ExperimentEvaluation.Timing tested) {
        double perSecond = learningSeconds > 0 ? decisions / learningSeconds : 0;
        return new Timing(learningSeconds, validatingSeconds, decisions, perSecond, tested);
    }
}
