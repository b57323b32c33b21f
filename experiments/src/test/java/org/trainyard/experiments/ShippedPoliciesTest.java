package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.learned.policy.PolicyNetwork;

/** The policies in {@code checkpoints/} are whole, are those of their cards, and are worth having. */
class ShippedPoliciesTest {
    private static final Path CHECKPOINTS = Path.of("..", "checkpoints");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"default", "no-preemption"})
    void the_card_names_the_file_that_is_there(String name) throws Exception {
        Path policy = CHECKPOINTS.resolve(name).resolve("policy.bin");
        assertThat(Files.size(policy)).isLessThan(5_000_000);
        assertThat(Files.readString(CHECKPOINTS.resolve(name).resolve("README.md")))
                .contains(PolicyNetwork.sha256(policy));
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "no-preemption"})
    void it_is_far_ahead_of_shortest_job_first_on_a_cluster_it_was_not_trained_on(String name) {
        Shell shell = Shell.run(
                "evaluate",
                "--checkpoint",
                CHECKPOINTS.resolve(name).toString(),
                "--schedulers",
                "sjf",
                "--set",
                "cluster=8x2x8",
                "--set",
                "episodes.test=5",
                "--set",
                "episodes.jobs=800",
                "--out",
                folder.toString());
        assertThat(shell.err()).isEmpty();
        assertThat(shell.out()).containsPattern("learned +sjf +-[2-9][0-9]\\.[0-9] %.*better");
    }
}
