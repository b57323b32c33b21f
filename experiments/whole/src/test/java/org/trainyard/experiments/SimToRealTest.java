package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.TraceReader;

/**
 * Shockwave's 120 jobs on 32 GPUs, beside their run on a physical cluster and in its authors' simulator; skipped
 * without the data pack.
 *
 * <p>The bounds are what was measured, rounded outwards: see {@code docs/science/sim-to-real.md}.
 */
class SimToRealTest {
    private static final Path DATA = Path.of(System.getProperty("trainyard.root", "."), "..", "shared", "data");
    private static final Path TRACE =
            DATA.resolve("shockwave/120_0.2_5_100_40_25_0,0.5,0.5_0.6,0.3,0.09,0.01_multigpu_dynamic.trace.gz");
    private static final Path KNOWN = DATA.resolve("known_answers/shockwave_tacc32_results.json");

    @TempDir
    private Path directory;

    @BeforeEach
    void skip_without_the_data_pack() {
        assumeTrue(Files.exists(TRACE) && Files.exists(KNOWN), () -> "skipped: the data pack has no " + TRACE);
    }

    private static Shell simulate(String schedulers, String... more) {
        List<String> args = new ArrayList<>(
                List.of("simulate", "--trace", TRACE.toString(), "--cluster", "8x4", "--scheduler", schedulers));
        args.addAll(List.of(more));
        return Shell.run(args);
    }

    private static JsonNode score(String scheduler) throws IOException {
        Shell shell = simulate(scheduler, "--json");
        assertThat(shell.code()).as(shell.err()).isZero();
        return new ObjectMapper().readTree(shell.out()).path("schedulers").get(0);
    }

    private static JsonNode known(String policy, String kind, String folder) throws IOException {
        for (JsonNode run : new ObjectMapper().readTree(KNOWN.toFile())) {
            if (run.path("policy").asText().equals(policy)
                    && run.path("kind").asText().equals(kind)
                    && run.path("pickle").asText().contains(folder)) {
                return run;
            }
        }
        throw new AssertionError("no %s of %s in %s".formatted(kind, policy, folder));
    }

    private static double percentOff(double value, JsonNode run, String key) {
        return 100 * (value / run.path(key).asDouble() - 1);
    }

    /** The artifact's own simulator, in the version whose rules these are. */
    @ParameterizedTest
    @CsvSource({
        "allox, 0.4, 0.1",
        "max-min-fairness, 0.3, 0.1",
        "max-sum-throughput-perf, 0.5, 0.5",
        "finish-time-fairness, 0.6, 1.7",
        "min-total-duration, 0.9, 2.3"
    })
    void presets_come_close_to_the_simulator_they_replay(String name, double makespanPercent, double jctPercent)
            throws IOException {
        JsonNode ours = score("shockwave-" + name);
        JsonNode theirs = known(name.replace('-', '_'), "simulation", "/tacc_32gpus/");
        assertThat(percentOff(ours.path("makespan_s").asDouble(), theirs, "makespan"))
                .isCloseTo(0, within(makespanPercent));
        assertThat(percentOff(ours.path("jct_s").path("mean").asDouble(), theirs, "avg_jct"))
                .isCloseTo(0, within(jctPercent));
    }

    @ParameterizedTest
    @CsvSource({
        "allox, 1.2, 3.2",
        "allox/at-once, 0.7, -2.6",
        "finish-time-fairness, 15.3, 5.1",
        "finish-time-fairness/at-once, 11.9, -1.3",
        "max-min-fairness, -4.4, -6.9",
        "max-min-fairness/at-once, -6.1, -10.7",
        "max-sum-throughput-perf, -7.7, -0.1",
        "max-sum-throughput-perf/at-once, -9.5, -6.1",
        "min-total-duration, -4.5, 13.6",
        "min-total-duration/at-once, -5.4, 11.5"
    })
    void errors_against_the_physical_cluster_are_those_reported(String name, double makespanPercent, double jctPercent)
            throws IOException {
        JsonNode ours = score("shockwave-" + name);
        JsonNode physical = known(name.replaceFirst("/.*", "").replace('-', '_'), "physical", "comparison");
        assertThat(percentOff(ours.path("makespan_s").asDouble(), physical, "makespan"))
                .isCloseTo(makespanPercent, within(0.06));
        assertThat(percentOff(ours.path("jct_s").path("mean").asDouble(), physical, "avg_jct"))
                .isCloseTo(jctPercent, within(0.06));
    }

    /** So the lists are in the order of the trace; and one makespan is not that of its own run. */
    @ParameterizedTest
    @CsvSource({
        "allox, 0.1",
        "finish_time_fairness, -11.4",
        "max_min_fairness, 0.2",
        "max_sum_throughput_perf, 0.2",
        "min_total_duration, 0.2",
        "shockwave, 0.2"
    })
    void physical_makespans_are_those_of_their_jobs_but_for_one(String policy, double percentOff) throws IOException {
        JsonNode run = known(policy, "physical", "comparison");
        List<TraceJob> jobs =
                TraceReader.read(TRACE, TraceReader.Options.DEFAULT).jobs();
        double last = 0;
        for (int i = 0; i < jobs.size(); i++) {
            last = Math.max(
                    last,
                    jobs.get(i).submitNanos() / 1e9
                            + run.path("jct_list").get(i).asDouble());
        }
        assertThat(100 * (run.path("makespan").asDouble() / last - 1)).isCloseTo(percentOff, within(0.1));
    }

    @Test
    void the_command_sets_our_errors_beside_those_of_the_authors_simulator() {
        Shell shell =
                simulate("shockwave-allox,shockwave-max-min-fairness/at-once", "--validate-against", KNOWN.toString());
        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out().lines().filter(line -> line.matches("shockwave-\\S+ +[0-9,]+ +[+-].*")))
                .hasSize(2)
                .anySatisfy(line -> assertThat(line.split(" {2,}"))
                        .startsWith("shockwave-allox", "31,971")
                        .contains("9,611"));
    }

    @Test
    void runs_that_do_not_belong_to_the_trace_are_refused_in_one_line() throws IOException {
        refuses("shockwave-allox", "[]", "policy", "'allox'", "a physical run");
        refuses("shockwave-allox", "{}", "is no array", "kind physical");
        refuses("shockwave-allox", "[", "is not valid JSON");
        refuses("muri-srtf", Files.readString(KNOWN), "'muri_srtf'", "allox, finish_time_fairness");
        String run = "[{\"policy\":\"allox\",\"kind\":\"physical\",\"makespan\":%s,\"jct_list\":[%s]}]";
        refuses("shockwave-allox", run.formatted("9", "1,2"), "'2 jobs'", "120 jobs");
        String jct = "1,".repeat(119);
        refuses("shockwave-allox", run.formatted("9", jct + "\"x\""), "jct_list", "a makespan");
        refuses("shockwave-allox", run.formatted("\"x\"", jct + "1"), "jct_list", "a makespan");
    }

    private void refuses(String scheduler, String json, String... fragments) throws IOException {
        Path file = Files.writeString(directory.resolve("runs.json"), json);
        Shell shell = simulate(scheduler, "--validate-against", file.toString());
        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err().lines()).hasSize(1);
        assertThat(shell.err()).contains("runs.json").contains(fragments);
        assertThat(shell.out()).isEmpty();
    }
}
