package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.gnn.CheckedFile;

/**
 * The policies in {@code checkpoints/} are whole, are those of their cards, and are no worse than their untrained
 * start.
 */
class ShippedPoliciesTest {
    private static final Path CHECKPOINTS = Path.of("..", "checkpoints");

    @TempDir
    private Path folder;

    @Test
    void the_card_names_the_file_that_is_there() throws Exception {
        Path policy = CHECKPOINTS.resolve("default").resolve("policy.bin");
        assertThat(Files.size(policy)).isLessThan(5_000_000);
        assertThat(Files.readString(CHECKPOINTS.resolve("default").resolve("README.md")))
                .contains(CheckedFile.sha256(policy));
    }

    @Test
    void what_is_called_learned_is_better_than_before_its_training_and_than_the_literature() throws Exception {
        Shell shell = Shell.command(
                "evaluate --checkpoint %s --schedulers patient,dally,tiresias --set episodes.test=6 " + "--out %s",
                CHECKPOINTS.resolve("default"), folder);
        assertThat(shell.err()).isEmpty();
        JsonNode summary =
                new ObjectMapper().readTree(folder.resolve("summary.json").toFile());
        assertThat(summary.at("/training_gain/0/verdict").asText()).isEqualTo("better");
        assertThat(summary.at("/training_gain/0/percent").asDouble()).isGreaterThan(4);
        for (JsonNode duel : summary.get("duels")) {
            double most = duel.get("against").asText().equals("patient") ? 5 : -4;
            assertThat(duel.get("jct_difference_percent").asDouble())
                    .as(duel.get("against").asText())
                    .isLessThan(most);
        }
    }
}
