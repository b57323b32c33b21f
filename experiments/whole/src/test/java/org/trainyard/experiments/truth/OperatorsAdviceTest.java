package org.trainyard.experiments.truth;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;

/** Advice for an operator's cluster, under its limits and its maintenance. */
class OperatorsAdviceTest {
    @TempDir
    private Path folder;

    /** The weights after a setting that an answer names, {@code slurm (PriorityWeightQOS=0)} or basic priorities. */
    private static OperatorsSettings.Weights after(String setting, OperatorsSettings.Weights now) {
        boolean isBasic = setting.contains("priority/basic");
        return new OperatorsSettings.Weights(
                isBasic || setting.contains("WeightAge=0") ? 0 : now.age(),
                isBasic || setting.contains("WeightFairshare=0") ? 0 : now.fairshare(),
                isBasic || setting.contains("WeightQOS=0") ? 0 : now.qos(),
                isBasic || setting.contains("WeightPartition=0") ? 0 : now.partition());
    }

    @Test
    void it_reproduces_the_past_as_it_was_and_the_settings_that_it_names_are_better_in_truth() throws IOException {
        OperatorsSettings settings = OperatorsSettings.small();
        OperatorsCluster cluster = OperatorsCluster.of(settings);
        Path log = cluster.write(folder);

        Shell shell = Shell.command("advise %s --cluster %s --json", log, folder.resolve("cluster.yaml"));

        assertThat(shell.code()).as(shell.err()).isZero();
        JsonNode answer = new ObjectMapper().readTree(shell.out());
        assertThat(answer.get("trust").asText()).isIn("good", "fair");
        assertThat(answer.get("limits").asText()).isEqualTo("kept");
        assertThat(answer.get("fitted").asBoolean()).isFalse();
        assertThat(answer.get("nearest").asText()).isEqualTo("slurm:" + folder.resolve("slurm.conf"));
        assertThat(answer.get("mean_error_unfitted").asDouble()).isLessThan(0.15);
        String best = answer.get("best_configurable").asText();
        assertThat(best).startsWith("slurm (");
        OperatorsSettings.Weights weights = after(best, settings.weights());
        assertThat(weights).isNotEqualTo(settings.weights());
        long end = cluster.endSeconds();
        assertThat(OperatorsCluster.of(settings.weighed(weights)).meanWaitSeconds(end))
                .isLessThan(cluster.meanWaitSeconds(end));
        Set<String> lines = new TreeSet<>();
        answer.get("schedulers").forEach(one -> one.get("configuration").forEach(line -> lines.add(line.asText())));
        assertThat(lines).isNotEmpty().allMatch(line -> line.startsWith("slurm.conf: "));
    }
}
