package org.trainyard.experiments.training;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.training.UpdateMetric;
import org.trainyard.agents.learned.training.UpdateStatistics;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.report.TrainingCurve;

/** Metrics of every update of a training run, without wall-clock times; saved beside the checkpoint. */
final class TrainingLog {
    /**
     * An update.
     *
     * @param validationGeometricMeanJctSeconds geometric mean over the validation episodes of the mean JCT, or null
     *     without validation
     */
    record Entry(UpdateStatistics statistics, @Nullable Double validationGeometricMeanJctSeconds) {
        /** Number of the update, from 1 on. */
        int update() {
            return (int) statistics.get(UpdateMetric.UPDATE);
        }
    }

    static final String VALIDATION = "validation geometric mean JCT, seconds";
    private static final String VALIDATED = "validationGeometricMeanJctSeconds";
    private static final String UNTRAINED = "untrainedGeometricMeanJctSeconds";

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
                return entry.update();
            }
        }
        return 0;
    }

    /** The metrics of an update by their TensorBoard tags. */
    static Map<String, Double> scalars(UpdateStatistics statistics) {
        Map<String, Double> scalars = new LinkedHashMap<>();
        for (UpdateMetric metric : UpdateMetric.values()) {
            if (metric.tag() != null) {
                scalars.put(metric.tag(), statistics.get(metric));
            }
        }
        scalars.values().removeIf(value -> value.isNaN());
        return scalars;
    }

    /**
     * The metrics over updates; those that the learner does not have, which are no numbers or 0 throughout, are left
     * out.
     */
    List<TrainingCurve> curves() {
        List<TrainingCurve> curves = new ArrayList<>();
        curves.add(validation(VALIDATION));
        for (UpdateMetric metric : UpdateMetric.values()) {
            if (metric.curve() != null) {
                curves.add(curve(metric.curve(), metric));
            }
        }
        curves.removeIf(curve -> curve.points().stream().noneMatch(point -> Math.abs(point.value()) > 0));
        return curves;
    }

    /** Geometric mean JCT on the validation episodes, under a name; update 0 is the untrained policy. */
    TrainingCurve validation(String name) {
        List<TrainingCurve.Point> points = new ArrayList<>(List.of(new TrainingCurve.Point(0, untrainedValidation)));
        entries.stream()
                .filter(entry -> entry.validationGeometricMeanJctSeconds() != null)
                .map(entry -> new TrainingCurve.Point(
                        entry.update(), Objects.requireNonNull(entry.validationGeometricMeanJctSeconds())))
                .forEach(points::add);
        return new TrainingCurve(name, points);
    }

    /** Mean JCT on the training episodes, under a name. */
    TrainingCurve training(String name) {
        return curve(name, UpdateMetric.MEAN_JCT_SECONDS);
    }

    private TrainingCurve curve(String name, UpdateMetric metric) {
        return new TrainingCurve(
                name,
                entries.stream()
                        .map(entry -> new TrainingCurve.Point(
                                entry.update(), entry.statistics().get(metric)))
                        .toList());
    }

    /** Writes the validation of the untrained policy, then every update. */
    void save(Path file) {
        ObjectNode node = JsonNodeFactory.instance.objectNode().put(UNTRAINED, untrainedValidation);
        ArrayNode updates = node.putArray("updates");
        for (Entry entry : entries) {
            ObjectNode update = updates.addObject();
            ObjectNode statistics = update.putObject("statistics");
            for (UpdateMetric metric : UpdateMetric.values()) {
                double value = entry.statistics().get(metric);
                if (metric.isCount()) {
                    statistics.put(metric.title(), (int) value);
                } else {
                    statistics.put(metric.title(), value);
                }
            }
            update.put(VALIDATED, entry.validationGeometricMeanJctSeconds());
        }
        AtomicFiles.write(file, JsonText.compact(node));
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
            JsonNode document = new ObjectMapper().readTree(file.toFile());
            TrainingLog log = new TrainingLog(document.required(UNTRAINED).asDouble());
            for (JsonNode update : document.required("updates")) {
                UpdateStatistics statistics = new UpdateStatistics();
                for (UpdateMetric metric : UpdateMetric.values()) {
                    statistics.with(
                            metric,
                            update.required("statistics")
                                    .required(metric.title())
                                    .asDouble());
                }
                JsonNode jct = update.required(VALIDATED);
                log.add(statistics, jct.isNull() ? null : jct.asDouble());
            }
            return log;
        } catch (IOException | IllegalArgumentException e) {
            throw new InputException(
                    "%s: cannot be read as the log of a training run: expected the file that training wrote"
                            .formatted(file));
        }
    }
}
