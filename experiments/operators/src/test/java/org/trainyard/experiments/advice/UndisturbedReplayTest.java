package org.trainyard.experiments.advice;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;

/**
 * Replays in which every job runs as long as its log says, whoever runs beside it. On two servers of eight GPUs, forty
 * times over, two jobs of one GPU come and then a job of eight, which starts at once where the two share a server.
 */
class UndisturbedReplayTest {
    private static final int ROUNDS = 40;

    @TempDir
    private Path folder;

    private Path log;

    @BeforeEach
    void write() throws IOException {
        List<String> rows = new ArrayList<>(List.of("JobID|State|Submit|Start|End|Timelimit|AllocTRES|ReqTRES|User"));
        for (int round = 0; round < ROUNDS; round++) {
            row(rows, 10_000 * round, 1);
            row(rows, 10_000 * round + 60, 1);
            row(rows, 10_000 * round + 120, 8);
        }
        log = Files.write(folder.resolve("log.txt"), rows);
    }

    private static void row(List<String> rows, int submit, int gpus) {
        LocalDateTime begin = LocalDateTime.of(2026, 1, 7, 0, 0).plusSeconds(submit);
        DateTimeFormatter time = DateTimeFormatter.ISO_LOCAL_DATE_TIME;
        rows.add("%d|COMPLETED|%s|%s|%s|03:00:00|gres/gpu=%d|gres/gpu=%d|u"
                .formatted(
                        rows.size(),
                        time.format(begin),
                        time.format(begin),
                        time.format(begin.plusHours(2)),
                        gpus,
                        gpus));
    }

    @Test
    void schedulers_in_advise_pay_nothing_for_the_absence_of_neighbours() throws IOException {
        Shell shell = Shell.command("advise %s --cluster 2x8:A100 --json", log);

        assertThat(shell.code()).as(shell.err()).isZero();
        for (JsonNode row : new ObjectMapper().readTree(shell.out()).get("schedulers")) {
            if (row.get("name").asText().startsWith("patient")) {
                assertThat(row.get("wait_s").get("max").asDouble())
                        .as(row.toString())
                        .isZero();
                assertThat(row.get("preemptions").asInt()).as(row.toString()).isZero();
            }
        }
    }

    private List<String> simulated(String... more) {
        List<String> words = new ArrayList<>(List.of(
                "simulate",
                "--trace",
                log.toString(),
                "--cluster",
                "2x8:A100",
                "--as-logged",
                "--scheduler",
                "patient"));
        words.addAll(List.of(more));
        Shell shell = Shell.run(words);
        assertThat(shell.code()).as(shell.err()).isZero();
        return shell.out().lines().filter(line -> line.startsWith("patient ")).toList();
    }

    @Test
    void simulations_as_logged_expect_no_interference_unless_they_are_told_to() {
        assertThat(simulated()).hasSize(1).isEqualTo(simulated("--interference-model", "none"));
        assertThat(simulated("--interference-model", "shipped")).hasSize(1).isNotEqualTo(simulated());
    }
}
