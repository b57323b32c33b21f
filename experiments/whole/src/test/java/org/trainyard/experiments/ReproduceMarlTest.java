package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReproduceMarlTest {
    private static final List<String> TINY = List.of(
            "episodes.jobs=12",
            "episodes.test=2",
            "episodes.validation=1",
            "learner.updates=1",
            "learner.plays_per_episode=2",
            "learner.episodes_per_update=1");

    @TempDir
    private Path folder;

    private Shell reproduce(String... more) {
        List<String> args = new ArrayList<>(List.of("reproduce", "marl", "--quick", "--out", folder.toString()));
        TINY.forEach(override -> args.addAll(List.of("--set", override)));
        args.addAll(List.of(more));
        return Shell.run(args);
    }

    @Test
    void every_claim_has_a_row_and_a_study_that_was_stopped_goes_on() throws IOException {
        Shell first = reproduce("--json");
        assertThat(first.code()).isZero();
        JsonNode rows = new ObjectMapper().readTree(first.out());

        assertThat(rows).hasSize(43);
        HashSet<String> claims = new HashSet<>();
        rows.forEach(row -> claims.add(row.get("claim").asText()));
        assertThat(claims)
                .hasSize(43)
                .contains("mean JCT below slurm", "mean JCT below LIF without a belief")
                .anyMatch(claim -> claim.contains("no forwarding"))
                .anyMatch(claim -> claim.contains("scale: 16 agents on 8,192 GPUs, mean JCT below fifo-backfill"))
                .anyMatch(claim -> claim.contains("failure: the only agent silent"))
                .anyMatch(claim -> claim.contains("latency: 16 agents on 2 threads, 99th percentile"));
        rows.forEach(row -> assertThat(row.get("command").asText()).isEqualTo("./trainyard reproduce marl --quick"));

        Files.delete(folder.resolve("no_forwarding-1-events.txt"));
        Shell again = reproduce("--json");
        assertThat(again.out()).isEqualTo(first.out());
    }

    @Test
    void figures_of_another_config_are_not_mixed_in() throws IOException {
        Files.writeString(folder.resolve("config.yaml"), "name: other\n");
        Shell shell = reproduce();

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("another config").contains("--out names another folder");
    }
}
