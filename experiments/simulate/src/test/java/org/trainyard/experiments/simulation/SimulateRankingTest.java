package org.trainyard.experiments.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.config.Schedulers;

/** {@code simulate --metric}, its intervals, and what is identical. */
class SimulateRankingTest {
    private static Shell simulate(String schedulers, int jobs, String... more) {
        List<String> args = new ArrayList<>(Shell.words(
                "simulate --trace generated --jobs %s --cluster 2x8 --scheduler %s",
                Integer.toString(jobs), schedulers));
        args.addAll(List.of(more));
        return Shell.run(args);
    }

    @Test
    void the_metric_ranks_and_its_intervals_hold_its_values() throws IOException {
        Shell shell = simulate("fifo,srtf,las", 400, "--metric", "p95-wait", "--json");

        assertThat(shell.code()).as(shell.err()).isZero();
        JsonNode summary = new ObjectMapper().readTree(shell.out());
        JsonNode rows = summary.at("/ranking/schedulers");
        assertThat(summary.at("/ranking/metric").asText()).isEqualTo("p95-wait");
        double last = 0;
        for (JsonNode row : rows) {
            double value = row.get("value").asDouble();
            assertThat(value).isGreaterThanOrEqualTo(last);
            last = value;
            assertThat(row.get("interval").get(0).asDouble()).isLessThanOrEqualTo(value);
            assertThat(row.get("interval").get(1).asDouble()).isGreaterThanOrEqualTo(value);
            assertThat(scheduler(summary, row.get("name").asText())
                            .at("/wait_s/p95")
                            .asDouble())
                    .isEqualTo(value);
        }
        assertThat(rows.get(2).get("name").asText()).isEqualTo("fifo");
        assertThat(rows.get(2).get("too_close_to_call").asBoolean()).isFalse();
    }

    private static JsonNode scheduler(JsonNode summary, String name) {
        for (JsonNode one : summary.get("schedulers")) {
            if (one.get("name").asText().equals(name)) {
                return one;
            }
        }
        throw new AssertionError("no scheduler " + name);
    }

    @Test
    void the_parts_add_up_to_the_mean_jct_in_a_simulation_with_preemption() throws IOException {
        JsonNode srtf = new ObjectMapper()
                .readTree(simulate("srtf", 200, "--json").out())
                .at("/schedulers/0");
        double sum = 0;
        for (JsonNode part : srtf.get("jct_parts_s")) {
            sum += part.asDouble();
        }
        assertThat(sum).isCloseTo(srtf.at("/jct_s/mean").asDouble(), within(1e-6));
        assertThat(srtf.at("/jct_parts_s/restart").asDouble()).isPositive();
        assertThat(srtf.at("/jct_parts_s/interference").asDouble()).isPositive();
    }

    @Test
    void schedulers_with_equal_logs_are_named_and_cannot_be_told_apart() {
        Shell shell = simulate("fifo-backfill,pollux", 60);

        assertThat(shell.out()).contains("Identical here: fifo-backfill and pollux", "too close to call");
    }

    @Test
    void few_jobs_have_no_intervals() {
        assertThat(simulate("fifo,sjf", 30, "--verbose").out()).contains("No intervals: they need at least 40 jobs.");
        assertThat(simulate("fifo", 60, "--verbose").out()).doesNotContain("intervals", "95 %");
    }

    @Test
    void all_runs_every_scheduler_that_can_run_the_jobs(@TempDir Path folder) throws IOException {
        Path trace = Files.writeString(
                folder.resolve("t.csv"), "job,submit_s,gpus,duration_s,gpu_milli\na,0,1,100,500\nb,5,1,50,500\n");
        Shell shell = Shell.command("simulate --trace %s --cluster 1x8 --scheduler all --json", trace);

        assertThat(shell.code()).as(shell.err()).isZero();
        JsonNode schedulers = new ObjectMapper().readTree(shell.out()).get("schedulers");
        List<String> names = new ArrayList<>();
        schedulers.forEach(one -> names.add(one.get("name").asText()));
        assertThat(names)
                .contains("fifo", "srtf")
                .doesNotContain("helios-fifo")
                .hasSizeBetween(10, Schedulers.all().size() - 1);
    }

    @Test
    void replace_takes_the_folder_of_another_run(@TempDir Path folder) {
        String out = folder.resolve("run").toString();
        assertThat(simulate("fifo", 50, "--out", out).code()).isZero();
        Shell refused = simulate("fifo", 60, "--out", out);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("--replace");
        assertThat(simulate("fifo", 60, "--out", out, "--replace").code()).isZero();
        assertThat(folder.resolve("run").resolve("jobs.csv")).content().hasLineCount(61);
    }

    @Test
    void an_unknown_metric_names_the_nearest_first() {
        Shell shell = simulate("fifo", 60, "--metric", "p95-waits");

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).hasLineCount(1).contains("--metric", "p95-wait");
    }
}
