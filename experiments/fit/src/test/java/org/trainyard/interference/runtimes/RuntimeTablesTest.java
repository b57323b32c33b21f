package org.trainyard.interference.runtimes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.factory.Nd4j;
import org.trainyard.interference.runtime.SubmissionFeatures;

class RuntimeTablesTest {
    @Test
    void features_targets_and_predictions_come_back_as_they_went(@TempDir Path folder) throws Exception {
        RuntimeLog log = RuntimeLog.of(Logs.generated(400, 5));
        ReplayedLog replayed = ReplayedLog.of(log, Logs.small(), 1);
        RuntimeComparison comparison = RuntimeComparison.of(replayed);
        Path file = Files.write(folder.resolve(RuntimeTables.NAME), RuntimeTables.npz(replayed, comparison));

        var arrays = Nd4j.createFromNpzFile(file.toFile());

        assertThat(arrays)
                .containsOnlyKeys(
                        "features",
                        "log_seconds",
                        "tried",
                        "oracle",
                        "forest",
                        "mean_of_forest",
                        "smoothed_history",
                        "last_of_group",
                        "user_s_mean",
                        "global_median");
        var features = Objects.requireNonNull(arrays.get("features"));
        assertThat(features.shape()).containsExactly(400, SubmissionFeatures.COUNT);
        assertThat(features.reshape(400L * SubmissionFeatures.COUNT).toFloatVector())
                .containsExactly(replayed.features());
        double[] truth = IntStream.range(0, 400)
                .mapToDouble(job -> Math.log(log.seconds(job)))
                .toArray();
        assertThat(Objects.requireNonNull(arrays.get("log_seconds")).toDoubleVector())
                .containsExactly(truth);
        assertThat(Objects.requireNonNull(arrays.get("tried")).toDoubleVector())
                .containsExactly(IntStream.range(200, 400).asDoubleStream().toArray());
        assertThat(Objects.requireNonNull(arrays.get("oracle")).toDoubleVector())
                .containsExactly(java.util.Arrays.copyOfRange(truth, 200, 400));
        assertThat(Objects.requireNonNull(arrays.get("forest")).toDoubleVector())
                .containsExactly(
                        Objects.requireNonNull(comparison.guesses().logSeconds().get(RuntimeComparison.FOREST)).stream()
                                .mapToDouble(Double::doubleValue)
                                .toArray());
    }
}
