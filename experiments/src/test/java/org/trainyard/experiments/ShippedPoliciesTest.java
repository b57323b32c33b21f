package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.learned.policy.PolicyNetwork;

/** The policies in {@code checkpoints/} are whole, are those of their cards, and are no worse than their untrained start. */
class ShippedPoliciesTest {
    private static final Path CHECKPOINTS = Path.of("..", "checkpoints");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"default", "rule", "no-preemption"})
    void the_card_names_the_file_that_is_there(String name) throws Exception {
        Path policy = CHECKPOINTS.resolve(name).resolve("policy.bin");
        assertThat(Files.size(policy)).isLessThan(5_000_000);
        assertThat(Files.readString(CHECKPOINTS.resolve(name).resolve("README.md")))
                .contains(PolicyNetwork.sha256(policy));
    }

    /** On the cluster of its training; on others the card says what is known. */
    @ParameterizedTest
    @CsvSource({"rule, patient", "no-preemption, patient-no-preemption"})
    void it_started_as_patient_and_is_not_worse(String name, String patient) throws Exception {
        Shell shell = Shell.run(
                "evaluate",
                "--checkpoint",
                CHECKPOINTS.resolve(name).toString(),
                "--schedulers",
                patient,
                "--set",
                "episodes.test=6",
                "--set",
                "episodes.jobs=800",
                "--out",
                folder.toString());
        assertThat(shell.err()).isEmpty();
        JsonNode summary =
                new ObjectMapper().readTree(folder.resolve("summary.json").toFile());
        assertThat(hash(summary, "untrained")).isEqualTo(hash(summary, patient));
        JsonNode gain = summary.at("/training_gain/0");
        assertThat(gain.get("verdict").asText()).isNotEqualTo("worse");
        assertThat(gain.get("percent").asDouble()).isGreaterThan(-2);
    }

    @Test
    void what_is_called_learned_is_better_than_before_its_training_and_than_the_literature() throws Exception {
        Shell shell = Shell.run(
                "evaluate",
                "--checkpoint",
                CHECKPOINTS.resolve("default").toString(),
                "--schedulers",
                "patient,dally,tiresias",
                "--set",
                "episodes.test=6",
                "--out",
                folder.toString());
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

    private static String hash(JsonNode summary, String scheduler) {
        for (JsonNode score : summary.get("schedulers")) {
            if (score.get("name").asText().equals(scheduler)) {
                return score.get("event_log_sha256").asText();
            }
        }
        throw new AssertionError("no row " + scheduler);
    }
}
