package org.trainyard.experiments.truth;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;

/** Replays of an operator's log know the maintenance that made its jobs wait. */
class OperatorsMaintenanceTest {
    private static final double NEAR = 0.15;

    @TempDir
    private Path folder;

    private Path log = Path.of("");

    @BeforeEach
    void write() throws IOException {
        log = OperatorsCluster.of(OperatorsSettings.ordinary()).write(folder);
    }

    private JsonNode shadow(String more) throws IOException {
        Shell shell = Shell.command(
                "shadow %s --cluster %s --scheduler %s --json" + more,
                log,
                folder.resolve("cluster.yaml"),
                "slurm:" + folder.resolve("slurm.conf"));
        assertThat(shell.code()).as(shell.err()).isZero();
        return new ObjectMapper().readTree(shell.out());
    }

    private static double error(JsonNode shadow) {
        JsonNode whole = shadow.get("whole");
        return whole.at("/shadow/wait_s/mean").asDouble()
                        / whole.at("/past/wait_s/mean").asDouble()
                - 1;
    }

    @Test
    void a_shadow_with_the_maintenance_of_the_log_has_its_mean_wait_and_without_it_has_not() throws IOException {
        JsonNode with = shadow("");

        assertThat(error(with)).isBetween(-NEAR, NEAR);
        assertThat(with.get("maintenance").toString()).contains("3 windows");
        assertThat(error(shadow(" --maintenance none"))).isLessThan(-0.4);
    }
}
