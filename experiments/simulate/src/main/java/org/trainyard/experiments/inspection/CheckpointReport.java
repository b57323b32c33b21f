package org.trainyard.experiments.inspection;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.training.Checkpoint;
import org.trainyard.experiments.training.Provenance;
import org.trainyard.gnn.CheckedFile;

/** The contents of a checkpoint: its policy, its experiment and its provenance. */
public final class CheckpointReport {
    private CheckpointReport() {}

    public static Report of(Checkpoint checkpoint) {
        Map<String, Object> facts = new LinkedHashMap<>();
        ExperimentConfig config = ConfigReader.read(checkpoint.config(), List.of());
        BidPolicy policy = checkpoint.policy();
        facts.put("policy", checkpoint.policyFile().toString());
        facts.put("sha256", CheckedFile.sha256(checkpoint.policyFile()));
        facts.putAll(policy.facts());
        facts.put("experiment", config.name());
        facts.put("seed", config.seed());
        facts.put("cluster", config.cluster());
        facts.put("trace", String.valueOf(config.workload().trace()));
        facts.put("jobs per episode", config.episodes().jobs());
        Provenance provenance = checkpoint.provenance();
        facts.put("provenance", provenance == null ? "none recorded" : provenance.facts());
        return new FactsReport(facts);
    }
}
