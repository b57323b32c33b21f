package org.trainyard.experiments.shadow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.forecast.ClusterMoment;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.simulation.LoggedServers;
import org.trainyard.experiments.slurm.SlurmCommands;
import org.trainyard.experiments.slurm.UnansweredException;

/**
 * {@code when --live} on commands that answer as a Slurm did, of which jobs 19 to 21 ran on 14 GPUs, n08 was drained,
 * and others waited: 22 (32 GPUs), 23, 24 and 26 (1 GPU), 25 held, 27 dependent.
 */
class LiveSlurmTest {
    private static final Path RECORDED =
            Path.of(System.getProperty("trainyard.root", ".."), "experiments/operators/src/test/resources/slurm");
    private static final LocalDateTime MIDNIGHT = LocalDateTime.of(2026, 1, 1, 0, 0);
    private static final int ENDED = 40;

    @TempDir
    private Path folder;

    private Path script = Path.of("");

    private static String row(String id, String state, long submit, long start, long end, int gpus, String nodes) {
        String tres = "gres/gpu=" + gpus;
        return String.join(
                "|",
                List.of(
                        id,
                        id,
                        "train",
                        "u1",
                        "a",
                        "gpu",
                        id.equals("26") ? "high" : "normal",
                        state,
                        time(submit),
                        time(submit),
                        nodes.isEmpty() ? "Unknown" : time(start),
                        end == 0 ? "Unknown" : time(end),
                        "00:02:00",
                        nodes.isEmpty() ? "" : tres,
                        tres,
                        "1",
                        nodes,
                        "",
                        "1"));
    }

    private static String time(long seconds) {
        LocalDateTime time = MIDNIGHT.plusSeconds(seconds);
        return time + (time.getSecond() == 0 ? ":00" : "");
    }

    @BeforeEach
    void write_what_accounting_says() throws IOException {
        List<String> rows = new ArrayList<>(List.of(SlurmCommands.COLUMNS.replace(',', '|')));
        for (int job = 0; job < ENDED; job++) {
            long submit = 60L * (job - ENDED - 10);
            rows.add(row("9" + job, "COMPLETED", submit, submit, submit + 100, 2, "n0" + (1 + job % 4)));
        }
        rows.add(row("19", "RUNNING", 0, 1, 0, 6, "n[01-02]"));
        rows.add(row("20", "RUNNING", 1, 1, 0, 6, "n[03-04]"));
        rows.add(row("21", "RUNNING", 1, 1, 0, 2, "n02"));
        rows.add(row("22", "PENDING", 1, -1, 0, 32, ""));
        for (String id : List.of("23", "24", "25", "26", "27")) {
            rows.add(row(id, "PENDING", 1, -1, 0, 1, ""));
        }
        Files.write(folder.resolve("sacct.txt"), rows);
        answering("0.0.38");
    }

    private void answering(String version) throws IOException {
        script = folder.resolve("slurm.sh");
        Files.writeString(script, """
                #!/bin/sh
                [ "$1" = sacct ] && exec cat '%s/sacct.txt'
                exec cat '%s'/$1-%s.json
                """.formatted(folder, RECORDED.toAbsolutePath(), version));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.38", "0.0.40"})
    void the_state_is_that_of_the_queue_in_the_data_of_two_versions(String version) throws IOException {
        answering(version);
        Instant minute = MIDNIGHT.plusMinutes(1).toInstant(ZoneOffset.UTC);

        FollowedState state = ShadowFollower.once(
                new SlurmCommands("when", List.of(script.toString()), 60), Clock.fixed(minute, ZoneOffset.UTC), 1);

        Topology topology = Clusters.resolve("--cluster", "8x4:A100");
        List<TraceJob> jobs = state.log().jobs();
        LoggedServers servers = new LoggedServers(topology, jobs, state.nodes().keySet());
        ClusterMoment moment = state.moment(jobs, servers);
        // The first submission is 50 minutes before midnight.
        assertThat(moment.nowNanos()).isEqualTo(51 * 60_000_000_000L - 1);
        assertThat(moment.ended()).hasSize(ENDED);
        assertThat(moment.running()).extracting(one -> one.job().id()).containsExactly("19", "20", "21");
        assertThat(moment.running().get(0).servers()).containsExactly(0, 1);
        assertThat(moment.waiting()).extracting(TraceJob::id).containsExactly("22", "23", "24", "26");
        assertThat(moment.down()).containsExactly(7);
        assertThat(moment.gpusFree(topology)).isEqualTo(32 - 14 - 4);
        assertThat(state.remarks(moment))
                .containsExactly("1 server out of order", "2 jobs held or dependent on others; left out");
    }

    private Shell when(String more) {
        return Shell.run(
                ("when --live --cluster 8x4:A100 --scheduler fifo-backfill --learn 0 --futures 5 --exec-prefix "
                                + script + " " + more)
                        .split(" "));
    }

    @Test
    void a_job_of_the_queue_is_forecast_and_one_for_all_nodes_waits_for_the_drained_one() throws IOException {
        JsonNode small = JsonText.read(when("--id 24 --json").out());
        JsonNode wide = JsonText.read(when("--id 22 --json").out());

        assertThat(small.get("wait_s").get("p90").asDouble()).isZero();
        assertThat(small.get("cluster").get("running").asInt()).isEqualTo(3);
        assertThat(small.get("cluster").get("waiting").asInt()).isEqualTo(4);
        assertThat(wide.get("wait_s").get("p10").isNull()).isTrue();
    }

    /** Accounting answers, and the controller does not: without its queue nobody knows which jobs are held. */
    @Test
    void a_state_without_the_controller_is_none() throws IOException {
        String down = "{\"errors\": [{\"source\": \"slurm_load_jobs\", \"description\": \"Failed\"}], \"jobs\": []}";
        Files.writeString(
                script, "#!/bin/sh\n[ $1 = sacct ] && exec cat '%s/sacct.txt'\necho '%s'\n".formatted(folder, down));

        Shell shell = when("--id 24");

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err().lines())
                .last()
                .isEqualTo("trainyard: Slurm does not answer squeue --json (slurm_load_jobs: Failed)");
        try (ShadowFollower follower = new ShadowFollower(
                Files.createDirectory(folder.resolve("shadow")),
                new SlurmCommands("shadow", List.of(script.toString()), 60),
                Clock.fixed(MIDNIGHT.toInstant(ZoneOffset.UTC), ZoneOffset.UTC),
                1)) {
            assertThatThrownBy(follower::poll).isInstanceOf(UnansweredException.class);
            assertThat(follower.polls()).isZero();
        }
        assertThat(folder.resolve("shadow/observations.log")).isEmptyFile();
    }

    /** The first forecast may take longer than the poll waits for it; then the next poll has it. */
    @Test
    void a_shadow_writes_why_jobs_wait_and_how_long_a_new_one_would() throws IOException {
        String metrics = "";
        for (int tries = 0; tries < 10 && !metrics.contains("forecast_wait"); tries++) {
            Shell shell = Shell.run(("shadow slurm --cluster 8x4:A100 --scheduler fifo-backfill --max-polls 1 --out "
                            + folder.resolve("out") + " --exec-prefix " + script)
                    .split(" "));
            assertThat(shell.code()).as(shell.err()).isZero();
            metrics = Files.readString(folder.resolve("out/metrics.prom"));
        }

        assertThat(metrics)
                .contains(
                        "trainyard_shadow_reason_jobs{reason=\"JobHeldUser\"} 1",
                        "trainyard_shadow_reason_jobs{reason=\"Dependency\"} 1",
                        "trainyard_shadow_forecast_wait_seconds{gpus=\"1\",quantile=\"0.5\"} 0.0",
                        "trainyard_shadow_forecast_wait_seconds{gpus=\"4\",quantile=\"0.9\"}",
                        "trainyard_shadow_forecasts_total{outcome=\"made\"} 1");
    }

    @ParameterizedTest
    @CsvSource({
        "--id 25, a job that waits",
        "--id 24 --at 5, nothing with --live",
        "--id 24 --shards 4, --shards: '4' is not valid: expected a log rather than --live beside it",
        "--id 24 --squeue queue.txt, --squeue: 'queue.txt' is not valid: expected a log rather than --live beside it"
    })
    void a_question_that_has_no_answer_is_refused_in_a_line(String more, String says) {
        Shell shell = when(more);

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err().lines().filter(line -> !line.startsWith("note: ")))
                .hasSize(1)
                .allSatisfy(line -> assertThat(line).contains(says));
    }
}
