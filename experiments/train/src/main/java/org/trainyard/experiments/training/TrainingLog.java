package org.trainyard.experiments.training;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.training.UpdateStatistics;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.report.TrainingCurve;

/** Metrics of every update of a training run, without wall-clock times; saved beside the checkpoint. */
final class TrainingLog {
    /**
     * One update.
     *
     * @param validationGeometricMeanJctSeconds geometric mean over the validation episodes of the mean JCT, or null
     *     without validation
     */
    record Entry(UpdateStatistics statistics, @Nullable Double validationGeometricMeanJctSeconds) {}

    static final String TRAINING = "training mean JCT, seconds";
    static final String VALIDATION = "validation geometric mean JCT, seconds";
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The file: the validation of the untrained policy, then every update. */
    private record Document(double untrainedGeometricMeanJctSeconds, List<Entry> updates) {}

    static {
        // Logs of older runs have a metric that updates have no more.
        JSON.configOverride(UpdateStatistics.class)
                .setIgnorals(JsonIgnoreProperties.Value.forIgnoredProperties("teacherKl"));
    }

    private final List<Entry> entries = new ArrayList<>();
    private final double untrainedValidation;

    /** @param untrainedValidation geometric mean JCT on the validation episodes before the first update, seconds */
    TrainingLog(double untrainedValidation) {
        this.untrainedValidation = untrainedValidation;
    }

    /** Geometric mean JCT on the validation episodes before the first update, seconds. */
    double untrainedValidation() {
        return untrainedValidation;
    }

    void add(UpdateStatistics statistics, @Nullable Double validationGeometricMeanJctSeconds) {
        entries.add(new Entry(statistics, validationGeometricMeanJctSeconds));
    }

    int size() {
        return entries.size();
    }

    /** The least geometric mean JCT on validation so far, seconds. */
    double bestValidation() {
        double best = untrainedValidation;
        for (Entry entry : entries) {
            if (entry.validationGeometricMeanJctSeconds() != null) {
                best = Math.min(best, entry.validationGeometricMeanJctSeconds());
            }
        }
        return best;
    }

    /** The update with {@link #bestValidation}, counted from 1; 0 for the untrained policy. */
    int bestUpdate() {
        double best = bestValidation();
        if (best == untrainedValidation) {
            return 0;
        }
        for (Entry entry : entries) {
            Double jct = entry.validationGeometricMeanJctSeconds();
            if (jct != null && jct == best) {
                return entry.statistics().update();
            }
        }
        return 0;
    }

    /** The metrics of an update by their TensorBoard tags. */
    static Map<String, Double> scalars(UpdateStatistics statistics) {
        Map<String, Double> scalars = new LinkedHashMap<>();
        scalars.put("train/mean_jct_seconds", statistics.meanJctSeconds());
        scalars.put("loss/policy", statistics.policyLoss());
        scalars.put("loss/value", statistics.valueLoss());
        scalars.put("loss/entropy", statistics.entropy());
        scalars.put("loss/kl", statistics.kl());
        scalars.put("loss/clip_fraction", statistics.clipFraction());
        scalars.put("loss/explained_variance", statistics.explainedVariance());
        scalars.put("loss/gradient_norm", statistics.gradientNorm());
        scalars.put("advantage/return_spread", statistics.returnSpread());
        scalars.put("advantage/baseline_spread", statistics.baselineSpread());
        scalars.put("advantage/advantage_spread", statistics.advantageSpread());
        scalars.put("train/wait_share", statistics.waitShare());
        scalars.put("train/decisions", (double) statistics.decisions());
        scalars.put("loss/gradient_steps", (double) statistics.minibatches());
        scalars.values().removeIf(value -> value.isNaN());
        return scalars;
    }

    /**
     * The metrics over updates; those that the learner does not have, which are no numbers or 0 throughout, are
     * left out.
     */
    List<TrainingCurve> curves() {
        List<TrainingCurve> curves = new ArrayList<>();
        curves.add(validation(VALIDATION));
        curves.add(training(TRAINING));
        curves.add(curve("entropy, nats", UpdateStatistics::entropy));
        curves.add(curve("divergence (KL), nats", UpdateStatistics::kl));
        curves.add(curve("explained variance of returns", UpdateStatistics::explainedVariance));
        curves.add(curve("decisions", UpdateStatistics::decisions));
        curves.add(curve("gradient steps", UpdateStatistics::minibatches));
        curves.add(curve("clip fraction", UpdateStatistics::clipFraction));
        curves.add(curve("spread of returns", UpdateStatistics::returnSpread));
        curves.add(curve("spread of returns less the group's mean", UpdateStatistics::baselineSpread));
        curves.add(curve("spread of advantages", UpdateStatistics::advantageSpread));
        curves.add(curve("share of auctions won by the bid to wait", UpdateStatistics::waitShare));
        curves.removeIf(curve -> curve.points().stream().noneMatch(point -> Math.abs(point.value()) > 0));
        return curves;
    }

    /** Geometric mean JCT on the validation episodes, under a name; update 0 is the untrained policy. */
    TrainingCurve validation(String name) {
        List<TrainingCurve.Point> points = new ArrayList<>(List.of(new TrainingCurve.Point(0, untrainedValidation)));
        entries.stream()
                .filter(entry -> entry.validationGeometricMeanJctSeconds() != null)
                .map(entry -> new TrainingCurve.Point(
                        entry.statistics().update(), Objects.requireNonNull(entry.validationGeometricMeanJctSeconds())))
                .forEach(points::add);
        return new TrainingCurve(name, points);
    }

    /** Mean JCT on the training episodes, under a name. */
    TrainingCurve training(String name) {
        return curve(name, UpdateStatistics::meanJctSeconds);
    }

    private TrainingCurve curve(String name, ToDoubleFunction<UpdateStatistics> figure) {
        return new TrainingCurve(
                name,
                entries.stream()
                        .map(entry -> new TrainingCurve.Point(
                                entry.statistics().update(), figure.applyAsDouble(entry.statistics())))
                        .toList());
    }

    void save(Path file) {
        try {
            AtomicFiles.write(file, JSON.writeValueAsString(new Document(untrainedValidation, entries)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("metrics can always be written", e);
        }
    }

    /**
     * The log of the first {@code updates} updates; the file has more when a run was killed before it wrote its
     * checkpoint.
     */
    static TrainingLog load(Path file, int updates) {
        TrainingLog log = load(file);
        if (log.size() < updates) {
            throw InputException.at(file.toString(), log.size() + " updates", "at least " + updates);
        }
        log.entries.subList(updates, log.size()).clear();
        return log;
    }

    static TrainingLog load(Path file) {
        try {
            Document document = JSON.readValue(Files.readAllBytes(file), Document.class);
            TrainingLog log = new TrainingLog(document.untrainedGeometricMeanJctSeconds());
            log.entries.addAll(document.updates());
            return log;
        } catch (IOException e) {
            throw new InputException(
                    "%s: cannot be read as the log of a training run: expected the file that training wrote"
                            .formatted(file));
        }
    }
}
