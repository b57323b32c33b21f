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
import org.trainyard.experiments.Shell;

/** Forecasts of starts on an operator's cluster. */
class OperatorsForecastTest {
    private static final long HOUR = 3600;

    @TempDir
    private Path folder;

    private Path log = Path.of("");

    /** Ten hours before the first maintenance. */
    private long at;

    @BeforeEach
    void write() throws IOException {
        OperatorsSettings settings = OperatorsSettings.small();
        log = OperatorsCluster.of(settings).write(folder);
        at = settings.windows().get(0).startSeconds() - 10 * HOUR;
    }

    /** The simulated wait of a job whose limit crosses the maintenance, seconds. */
    private JsonNode simulated(String more) throws IOException {
        Shell shell = Shell.command(
                "when %s --cluster %s --at %s --job %s --scheduler %s --futures 4 --learn 0 --json" + more,
                log,
                folder.resolve("cluster.yaml"),
                at,
                "1 gpus, 12 h, user user01, account vision, qos high, partition gpu",
                "slurm:" + folder.resolve("slurm.conf"));
        assertThat(shell.code()).as(shell.err()).isZero();
        return new ObjectMapper().readTree(shell.out()).get("simulated_wait_s");
    }

    @Test
    void it_knows_announced_maintenance_and_none_that_only_a_later_gap_shows() throws IOException {
        JsonNode announced = simulated("");
        Files.delete(folder.resolve("reservations.txt"));
        JsonNode found = simulated("");

        assertThat(announced.get("p10").asDouble()).isGreaterThanOrEqualTo(18 * HOUR);
        assertThat(found).isEqualTo(simulated(" --maintenance none"));
        assertThat(found.get("p50").asDouble()).isLessThan(10 * HOUR);
    }
}
