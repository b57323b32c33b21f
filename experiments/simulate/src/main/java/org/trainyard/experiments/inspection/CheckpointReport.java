package org.trainyard.experiments.inspection;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.report.TrainingCurve;
import org.trainyard.experiments.training.Checkpoint;
import org.trainyard.experiments.training.Provenance;
import org.trainyard.gnn.CheckedFile;

/** The contents of a checkpoint: its policy, its experiment and its provenance; and the curves of its training. */
public record CheckpointReport(Checkpoint checkpoint) implements Report {
    @Override
    public @Nullable AnswerTable<?> curve() {
        List<TrainingCurve> curves = checkpoint.curves();
        if (curves.isEmpty()) {
            return null;
        }
        SortedSet<Long> updates = new TreeSet<>();
        curves.forEach(curve -> curve.points().forEach(point -> updates.add(point.update())));
        AnswerTable<Long> table = AnswerTable.of(updates).text("update", String::valueOf);
        for (TrainingCurve curve : curves) {
            Map<Long, Double> values = new HashMap<>();
            curve.points().forEach(point -> values.put(point.update(), point.value()));
            table.text(curve.name(), update -> {
                double value = values.getOrDefault(update, Double.NaN);
                return Double.isFinite(value) ? Double.toString(value) : "";
            });
        }
        return table;
    }

    @Override
    public Answer answer() {
        return new FactsReport(json()).answer();
    }

    @Override
    public Map<String, Object> json() {
        Map<String, Object> facts = new LinkedHashMap<>();
        BidPolicy policy = checkpoint.policy();
        facts.put("policy", checkpoint.policyFile().toString());
        facts.put("sha256", CheckedFile.sha256(checkpoint.policyFile()));
        facts.putAll(policy.facts());
        facts.putAll(RunFiles.facts(ConfigReader.read(checkpoint.config(), List.of())));
        Provenance provenance = checkpoint.provenance();
        facts.put("provenance", provenance == null ? "none recorded" : provenance.facts());
        return facts;
    }
}
