package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several configs in one command: the stages of a curriculum. */
class StagesTest {
    @TempDir
    Path folder;

    private Shell train(String... more) {
        return TinyTraining.run(List.of("auction/small.yaml", "auction/scratch.yaml"), folder.resolve("run"), more);
    }

    @Test
    void each_stage_starts_from_the_best_policy_of_the_one_before_on_its_own_cluster() throws Exception {
        Shell shell = train();

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out()).containsSubsequence("on small", "on medium");
        assertThat(Files.readString(folder.resolve("run/config.yaml")))
                .contains("cluster: medium", "from: " + folder.resolve("run-stage1/checkpoints/best"));
        assertThat(Files.readString(folder.resolve("run-stage1/config.yaml")))
                .contains("cluster: small", "type: Scratch");

        Shell again = train();
        assertThat(again.code()).as(again.err()).isZero();
        assertThat(again.out()).contains("run-stage1 is finished", "run is finished");
        assertThat(again.err()).doesNotContain("train 2/2");
    }

    @Test
    void stages_and_seeds_go_together() throws Exception {
        Shell shell = train("--seeds", "3,4");

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out()).containsPattern("(?m)^learned/3 ").containsPattern("(?m)^learned/4 ");
        assertThat(Files.readString(folder.resolve("run-seed4/config.yaml")))
                .contains("seed: 4", "from: " + folder.resolve("run-stage1-seed4/checkpoints/best"));
    }

    @Test
    void a_learner_that_starts_from_nothing_cannot_be_a_later_stage() {
        Shell shell = train("--set", "learner={type: Dqn}");

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).hasLineCount(1);
        assertThat(folder).isEmptyDirectory();
    }
}
