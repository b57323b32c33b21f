package org.trainyard.experiments.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.io.JsonText;

/** {@code when} uses the rule that was nearer to the waits of past jobs. */
class ForecastRuleTest {
    @TempDir
    private Path folder;

    /**
     * Jobs on a cluster that is never full wait for reasons that no simulation has: {@code often} seconds, more or
     * less.
     */
    private Path held(int often) throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        List<String> rows = new ArrayList<>(List.of("job,submit_s,gpus,duration_s,start_s,end_s"));
        for (int job = 0; job < 120; job++) {
            int submit = 600 * job;
            int wait = often == 0 ? 0 : often + random.nextInt(often / 5);
            rows.add("j%d,%d,1,300,%d,%d".formatted(job, submit, submit + wait, submit + wait + 300));
        }
        return Files.write(folder.resolve("log.csv"), rows);
    }

    private JsonNode when(Path log) {
        Shell shell = Shell.run(List.of(
                "when",
                log.toString(),
                "--cluster",
                "1x8",
                "--job",
                "1 gpus",
                "--scheduler",
                "fifo",
                "--learn",
                "40",
                "--futures",
                "5",
                "--json"));
        assertThat(shell.code()).as(shell.err()).isZero();
        return JsonText.read(shell.out());
    }

    @Test
    void where_jobs_wait_for_what_no_simulation_has_similar_jobs_tell_more() throws IOException {
        JsonNode answer = when(held(3000));

        assertThat(answer.at("/forecast_by").asText()).endsWith("wait of similar past jobs");
        assertThat(answer.at("/simulated_wait_s/p50").asDouble()).isZero();
        assertThat(answer.at("/wait_s/p50").asDouble()).isBetween(3000.0, 3600.0);
    }

    @Test
    void where_the_simulation_is_exact_it_stays() throws IOException {
        assertThat(when(held(0)).has("forecast_by")).isFalse();
    }

    @Test
    void rests_of_waits_are_those_of_jobs_that_waited_as_long() {
        double[] similar = {10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110};
        Quantiles simulated = new Quantiles(1, 2, 3);

        assertThat(ForecastRule.MEDIAN_OF_SIMILAR.raw(simulated, similar)).isEqualTo(new Quantiles(20, 60, 100));
        assertThat(ForecastRule.SIMULATED.raw(simulated, similar)).isEqualTo(simulated);
        assertThat(ForecastRule.MEAN_OF_SIMILAR.raw(simulated, new double[] {5, 6}))
                .isEqualTo(simulated);
    }
}
