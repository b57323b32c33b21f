package org.trainyard.experiments.truth;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.cli.operator.LogHistory;
import org.trainyard.experiments.forecast.Quantiles;
import org.trainyard.experiments.forecast.WaitingForecasts;

/** Jobs that wait when a log ends start within their intervals. */
class OperatorsCoverageTest {
    /** Of logs that the rule of the intervals was not chosen by. */
    private static final long[] SEEDS = {21, 22, 23};

    @TempDir
    private Path folder;

    @Test
    void seven_of_ten_jobs_that_wait_at_the_end_start_between_p10_and_p90() throws IOException {
        int asked = 0;
        int within = 0;
        for (long seed : SEEDS) {
            OperatorsCluster cluster =
                    OperatorsCluster.of(OperatorsSettings.small().seeded(seed));
            Path of = folder.resolve("seed" + seed);
            cluster.write(of);
            LogHistory log = LogHistory.read(of, "--futures", "16");
            Map<String, Quantiles> forecasts =
                    WaitingForecasts.of(log.forecaster(), log.jobs(), log.servers(), log.now(), 60);
            for (TrueJob job : cluster.waiting()) {
                if (job.start != TrueJob.NEVER) {
                    Quantiles forecast = Objects.requireNonNull(forecasts.get(job.id));
                    double wait = job.start - cluster.endSeconds();
                    asked++;
                    within += forecast.p10() - 1 <= wait && wait <= forecast.p90() + 1 ? 1 : 0;
                }
            }
        }

        assertThat(asked).isGreaterThanOrEqualTo(35);
        assertThat(within / (double) asked).isGreaterThanOrEqualTo(0.7);
    }
}
