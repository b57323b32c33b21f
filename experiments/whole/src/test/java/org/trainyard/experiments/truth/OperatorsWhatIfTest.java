package org.trainyard.experiments.truth;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.experiments.Shell;

/** Answers to what operators ask, beside simulations in which the change is made by hand. */
class OperatorsWhatIfTest {
    private static final String MIXED = "4x8:A100+2x8:H100";

    @TempDir
    private Path folder;

    private Path log = Path.of("");

    @BeforeEach
    void write() throws IOException {
        log = OperatorsCluster.of(OperatorsSettings.small()).write(folder.resolve("hall"));
    }

    /** The log without the files beside it. */
    private Path alone() throws IOException {
        return Files.copy(log, Files.createDirectories(folder.resolve("alone")).resolve("sacct.txt"));
    }

    private static Shell whatIf(Path of, String cluster, String scheduler, String change, String maintenance) {
        return Shell.command(
                "advise %s --cluster %s --scheduler %s --what-if %s --json --maintenance %s",
                of, cluster, scheduler, change, maintenance);
    }

    private static JsonNode changed(Shell shell) throws IOException {
        assertThat(shell.code()).as(shell.err()).isZero();
        return new ObjectMapper().readTree(shell.out()).at("/what_if/1");
    }

    private static double shadowed(Path of, String cluster, String scheduler, String maintenance) throws IOException {
        Shell shell = Shell.command(
                "shadow %s --cluster %s --scheduler %s --maintenance %s --json", of, cluster, scheduler, maintenance);
        assertThat(shell.code()).as(shell.err()).isZero();
        return new ObjectMapper()
                .readTree(shell.out())
                .at("/whole/shadow/wait_s/mean")
                .asDouble();
    }

    @Test
    void a_window_is_as_beside_the_reservation() throws IOException {
        JsonNode row =
                changed(whatIf(alone(), MIXED, "fifo-backfill", "window=2026-01-08T12:00..2026-01-08T20:00", "none"));
        Path listing = Files.writeString(
                folder.resolve("listing.txt"),
                "ReservationName=new StartTime=2026-01-08T12:00:00 EndTime=2026-01-08T20:00:00\n"
                        + "   Nodes=ALL Flags=MAINT,ALL_NODES\n");
        // The gap of the log's own Saturday, which the listing does not have, counts in neither.
        Path cut = folder.resolve("alone/sacct.txt");

        double direct = shadowed(cut, MIXED, "fifo-backfill", listing.toString());
        double both = changed(whatIf(
                        cut, MIXED, "fifo-backfill", "arrivals=1, window=2026-01-08T12:00..2026-01-08T20:00", "none"))
                .at("/wait_s/mean")
                .asDouble();
        assertThat(row.at("/wait_s/mean").asDouble()).isEqualTo(both);
        assertThat(row.at("/wait_s/mean").asDouble())
                .isGreaterThan(shadowed(cut, MIXED, "fifo-backfill", "none"))
                .isLessThanOrEqualTo(direct);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "servers=+4 of B200|a type of GPU that the cluster has: A100, H100",
                "servers=+4|servers=+4 of one of A100, H100",
                "racks=+1|servers=+N of TYPE alone",
                "limit=24|a span of time such as 24h",
                "limit nope=24h|a partition of the log: debug, gpu, h100",
                "share nobody=5|an account of assoc.txt: bio, nlp, robots, root, vision",
                "window=8h..4h|an end after the begin",
                "window=8h|begin and end such as 120h..128h"
            })
    void what_cannot_be_asked_is_refused_before_any_replay(String change, String says) {
        Shell shell = whatIf(
                log,
                folder.resolve("hall/cluster.yaml").toString(),
                "slurm:" + folder.resolve("hall/slurm.conf"),
                change,
                "none");

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("--what-if", says).doesNotContain("replays");
    }
}
