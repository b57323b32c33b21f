package org.trainyard.experiments.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.experiments.Shell;

/** A user of eight free GPUs whose QOS allows two runs four jobs of two GPUs and an hour one after the other. */
class LimitsOfEverybodyTest {
    private static final double MEAN_WAIT = 1.5 * 3600;

    @TempDir
    Path folder;

    private Path log;

    @BeforeEach
    void write() throws IOException {
        List<String> rows = new ArrayList<>(
                List.of("JobID|User|Account|QOS|State|Submit|Start|End|Timelimit|ReqTRES|AllocTRES|Partition"));
        for (int job = 0; job < 4; job++) {
            rows.add(row(job, "normal", job, job + 1));
        }
        log = Files.write(folder.resolve("sacct.txt"), rows);
        Files.write(
                folder.resolve("slurm.conf"),
                List.of(
                        "AccountingStorageEnforce=associations,limits,qos",
                        "SchedulerType=sched/backfill",
                        "PriorityType=priority/basic"));
        Files.write(
                folder.resolve("qos.txt"),
                List.of("Name|Priority|MaxTRESPU|MaxWall", "normal|0|gres/gpu=2|", "short|0||00:30:00"));
        Files.write(
                folder.resolve("assoc.txt"),
                List.of("Account|ParentName|User|Share", "root|||1", "a|root||1", "a||u|1"));
    }

    private static String row(int id, String qos, int from, int until) {
        return "%d|u|a|%s|COMPLETED|2026-01-07T00:00:00|2026-01-07T%02d:00:00|2026-01-07T%02d:00:00|02:00:00|%3$s|%3$s|all"
                .replace("%3$s", "cpu=2,gres/gpu=2,node=1")
                .formatted(id + 1, qos, from, until);
    }

    private static JsonNode json(String command, Object... values) throws IOException {
        Shell shell = Shell.command(command, values);
        assertThat(shell.code()).as(shell.err()).isZero();
        return new ObjectMapper().readTree(shell.out());
    }

    @Test
    void no_scheduler_of_advice_is_faster_than_the_limit_allows_and_trust_says_that_all_keep_it() throws IOException {
        JsonNode answer = json("advise %s --cluster 1x8 --json", log);

        assertThat(answer.get("limits").asText()).isEqualTo("kept");
        assertThat(answer.get("schedulers").size()).isGreaterThan(30);
        for (JsonNode one : answer.get("schedulers")) {
            assertThat(one.at("/wait_s/mean").asDouble())
                    .as(one.get("name").asText())
                    .isGreaterThanOrEqualTo(MEAN_WAIT - 120);
        }
        assertThat(Shell.command("advise %s --cluster 1x8", log).out())
                .containsPattern("Trust: .*every scheduler keeps the limits of QOS and accounts in slurm.conf");
    }

    @Test
    void where_no_file_says_the_limits_trust_says_so() throws IOException {
        Path alone =
                Files.copy(log, Files.createDirectory(folder.resolve("alone")).resolve("sacct.txt"));

        assertThat(json("advise %s --cluster 1x8 --json", alone).get("limits").asText())
                .isEqualTo("unknown");
        assertThat(Shell.command("advise %s --cluster 1x8", alone).out())
                .containsPattern("Trust: .*not known are the limits of QOS and accounts");
        assertThat(Shell.command("shadow %s --cluster 1x8 --scheduler easy", alone)
                        .out())
                .contains("Not known: the limits of QOS and accounts");
        assertThat(Shell.command("simulate --trace %s --cluster 1x8 --scheduler easy --as-logged", alone)
                        .out())
                .contains("Not known: the limits of QOS and accounts");
    }

    @ParameterizedTest
    @ValueSource(strings = {"easy", "fifo-backfill", "srtf", "slurm"})
    void shadow_what_if_and_replays_as_logged_keep_them_too(String scheduler) throws IOException {
        JsonNode shadow = json("shadow %s --cluster 1x8 --scheduler %s --json", log, scheduler);
        JsonNode asLogged = json("simulate --trace %s --cluster 1x8 --scheduler %s --as-logged --json", log, scheduler);
        JsonNode whatIf = json(
                "advise %s --cluster 1x8 --what-if servers=+1 --scheduler %s --json",
                log, scheduler.equals("srtf") ? "easy" : scheduler);

        assertThat(shadow.get("limits").asText()).isEqualTo("kept");
        assertThat(shadow.at("/whole/shadow/wait_s/mean").asDouble()).isCloseTo(MEAN_WAIT, within(120.0));
        assertThat(asLogged.at("/schedulers/0/wait_s/mean").asDouble()).isCloseTo(MEAN_WAIT, within(120.0));
        assertThat(whatIf.at("/what_if/0/wait_s/mean").asDouble()).isCloseTo(MEAN_WAIT, within(120.0));
        assertThat(whatIf.at("/what_if/1/wait_s/mean").asDouble()).isCloseTo(MEAN_WAIT, within(120.0));
    }

    @Test
    void a_job_that_its_qos_never_starts_is_left_out_of_all_replays_by_its_reason() throws IOException {
        Files.writeString(log, Files.readString(log) + row(4, "short", 4, 5) + "\n");

        assertThat(Shell.command("simulate --trace %s --cluster 1x8 --scheduler easy --as-logged", log)
                        .out())
                .contains("1 job can never start: QOSMaxWallDurationPerJobLimit (partition all); left out");
        assertThat(Shell.command("shadow %s --cluster 1x8 --scheduler easy --partial", log)
                        .out())
                .contains("Left out: 1 job can never start: QOSMaxWallDurationPerJobLimit (partition all)");
        assertThat(Shell.command("advise %s --cluster 1x8 --what-if servers=+1 --scheduler easy --partial", log)
                        .out())
                .contains("Left out: 1 job can never start: QOSMaxWallDurationPerJobLimit (partition all)");
    }
}
