package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.trace.audit.TraceStatistics;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.run.Experiment;

/** The cells of Microsoft's ITP clusters are what their configs say; skipped without the data pack. */
class ItpConfigsTest {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root", ".."));

    @ParameterizedTest
    @ValueSource(strings = {"01", "02", "04", "06", "08"})
    void its_load_is_about_nine_tenths_and_no_test_job_is_seen_twice(String cluster) {
        Path trace = ROOT.resolve("../shared/data/elasticflow_itp/cluster%s.csv.gz".formatted(cluster));
        assumeTrue(Files.exists(trace), () -> "skipped: the data pack has no " + trace);
        Experiment experiment = new Experiment(ConfigReader.read(
                ROOT.resolve("experiments/configs/auction/itp-%s.yaml".formatted(cluster)), List.of()));

        TraceStatistics statistics =
                TraceStatistics.of(TraceReader.read(trace, new TraceReader.Options(null, null, false)));
        assertThat(statistics.fittingLoad(experiment.topology())).isBetween(0.89, 0.93);
        assertThat(experiment.remarks()).noneMatch(remark -> remark.contains("overlap") || remark.contains("instead"));
        Set<String> seen = new HashSet<>();
        for (Workload episode : experiment.test()) {
            for (int job = 0; job < episode.size(); job++) {
                assertThat(seen.add(episode.job(job).name())).isTrue();
            }
        }
        assertThat(experiment.test()).hasSize(5);
    }
}
