package org.trainyard.experiments.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.slurm.SlurmCommands;

/** A Slurm that is followed in the nights in which clocks are put forward and back in Berlin. */
class ShadowNightTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @TempDir
    private Path folder;

    private static String row(String id, String state, String submit, String start, String end) {
        String tres = "gres/gpu=2";
        String held = start.equals("Unknown") ? "" : tres;
        return String.join(
                "|",
                List.of(
                        id,
                        id,
                        "train",
                        "u1",
                        "a",
                        "gpu",
                        "normal",
                        state,
                        submit,
                        submit,
                        start,
                        end,
                        "02:00:00",
                        held,
                        tres,
                        "1",
                        "n1",
                        "",
                        "1"));
    }

    private SlurmCommands slurm(String... rows) throws IOException {
        List<String> lines = new ArrayList<>(List.of(SlurmCommands.COLUMNS.replace(',', '|')));
        lines.addAll(List.of(rows));
        Path table = Files.write(folder.resolve("sacct.txt"), lines);
        Path script = folder.resolve("slurm.sh");
        Files.writeString(script, "#!/bin/sh\n[ \"$1\" = sacct ] || exit 1\nexec cat '%s'\n".formatted(table));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new SlurmCommands("shadow", List.of(script.toString()), 60);
    }

    private static long secondsOf(TraceJob job) {
        LoggedRun run = Objects.requireNonNull(job.past());
        return (run.endNanos() - run.startNanos()) / 1_000_000_000L;
    }

    /** One job ran until the poll, one of the same start runs, one waits; in the last case the end is shown twice. */
    @ParameterizedTest
    @CsvSource({
        "2026-10-25T00:30:00, 2026-10-25T12:00:00, 2026-10-25T11:00:00Z, 12.5",
        "2026-03-29T00:30:00, 2026-03-29T12:00:00, 2026-03-29T10:00:00Z, 10.5",
        "2026-06-01T00:30:00, 2026-06-01T12:00:00, 2026-06-01T10:00:00Z, 11.5",
        "2026-10-25T01:30:00, 2026-10-25T02:30:00, 2026-10-25T00:30:00Z, 1",
    })
    void hours_are_counted_as_they_passed(String start, String end, Instant poll, double hours) throws IOException {
        SlurmCommands commands = slurm(
                row("1", "COMPLETED", start, start, end),
                row("2", "RUNNING", start, start, "Unknown"),
                row("3", "PENDING", start, "Unknown", "Unknown"));

        FollowedState state = ShadowFollower.once(commands, Clock.fixed(poll, BERLIN), 1);

        assertThat(state.openSeconds()).isEqualTo(Map.of("2", 3600 * hours, "3", 0.0));
        assertThat(state.log().jobs())
                .extracting(ShadowNightTest::secondsOf)
                .containsExactly(Math.round(3600 * hours), Math.max(7200, Math.round(3600 * hours) + 1), 7200L);
        assertThat(Objects.requireNonNull(state.log().jobs().get(2).past()).startNanos())
                .isEqualTo(Math.round(3600e9 * hours));
    }

    /**
     * In the second of the two hours, a job waits since the first: its start is that of the poll, also after a restart.
     */
    @Test
    void a_poll_in_the_hour_that_clocks_show_twice_is_the_one_that_it_was() throws IOException {
        SlurmCommands commands = slurm(row("3", "PENDING", "2026-10-25T02:10:00", "Unknown", "Unknown"));
        Path log = folder.resolve("observations.log");
        Instant second = Instant.parse("2026-10-25T01:20:00Z");
        try (FollowedSlurm followed = new FollowedSlurm(log, BERLIN)) {
            followed.poll(commands, second, second.minus(Duration.ofDays(1)));
        }

        try (FollowedSlurm followed = new FollowedSlurm(log, BERLIN)) {
            assertThat(followed.closed().text()).contains("|2026-10-25T02:20:00+01:00|2026-10-25T04:20:00|");
        }
        assertThat(Files.readString(log)).contains("\"poll\":\"2026-10-25T02:20:00+01:00\"");
    }
}
