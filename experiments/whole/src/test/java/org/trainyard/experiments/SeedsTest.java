package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.agents.learned.auction.BidPolicy;

/** Several seeds in one command. */
class SeedsTest {
    @TempDir
    static Path folder;

    private static Shell train(String... more) {
        return TinyTraining.run(List.of("auction/small.yaml"), folder.resolve("run"), more);
    }

    @BeforeAll
    static void train_two_seeds() {
        Shell shell = train("--seeds", "3,4");
        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out()).containsPattern("(?m)^learned/3 ").doesNotContain("One seed says little");
    }

    private static JsonNode summary(String run) throws Exception {
        return new ObjectMapper().readTree(Files.readString(folder.resolve(run).resolve("summary.json")));
    }

    @Test
    void each_seed_has_a_run_of_its_own_and_all_have_one_together() throws Exception {
        assertThat(summary("run-seed3").get("seed").asInt()).isEqualTo(3);
        assertThat(summary("run-seed4").get("config").get("name").asText()).isEqualTo("small-seed4");
        JsonNode together = summary("run");
        assertThat(together.get("pool").get("seeds")).hasSize(2);
        assertThat(together.get("schedulers").get(0).get("name").asText()).isEqualTo("learned (mean of 2)");
        assertThat(together.get("duels"))
                .hasSize(2)
                .allSatisfy(duel -> assertThat(duel.get("name").asText()).isEqualTo("learned (mean of 2)"));
        assertThat(Files.readString(folder.resolve("run/report.html")))
                .contains("\"pool\"", "\"seed_curves\":[{\"name\"");
    }

    @Test
    void finished_seeds_are_left_alone_and_the_table_is_the_same() throws Exception {
        byte[] before = Files.readAllBytes(folder.resolve("run/summary.json"));
        Shell shell = train("--seeds", "3,4");

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out()).contains("run-seed3 is finished", "run-seed4 is finished");
        assertThat(shell.err()).doesNotContain("train 2/2");
        assertThat(Files.readAllBytes(folder.resolve("run/summary.json"))).isEqualTo(before);
    }

    @Test
    void the_mean_of_their_scores_is_one_policy_that_is_trained_no_further() throws Exception {
        Path both = folder.resolve("both");
        Shell shell = TinyTraining.run(List.of("auction/small.yaml"), both, "--seeds", "3,4", "--mean");

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out()).contains("no update was asked for");
        assertThat(both.resolve("checkpoints/best/config.yaml"))
                .content()
                .contains(
                        "type: Ensemble",
                        folder.resolve("both-seed4/checkpoints/best").toString(),
                        "updates: 0");
        BidPolicy mean = BidPolicy.load(both.resolve("checkpoints/best/policy.bin"));
        assertThat(both.resolve("checkpoints/last/policy.bin"))
                .hasBinaryContent(Files.readAllBytes(both.resolve("checkpoints/best/policy.bin")));
        assertThat(mean.network().layout().hidden())
                .isEqualTo(2
                        * BidPolicy.load(folder.resolve("both-seed3/checkpoints/best/policy.bin"))
                                .network()
                                .layout()
                                .hidden());
        assertThat(summary("both").get("schedulers").get(0).get("name").asText())
                .isEqualTo("learned");
    }

    @Test
    void a_mean_of_one_policy_is_refused() {
        Shell shell = train("--seeds", "3", "--mean");

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("--mean", "two seeds or more").hasLineCount(1);
    }

    @Test
    void an_unfinished_seed_is_refused_before_anything_is_trained() throws Exception {
        Path unfinished = Files.createDirectories(folder.resolve("run-seed5/checkpoints/last"));
        String config = Files.readString(folder.resolve("run-seed4/config.yaml"));
        Files.writeString(
                folder.resolve("run-seed5/config.yaml"),
                config.replace("small-seed4", "small-seed5").replace("seed: 4", "seed: 5"));
        Files.writeString(unfinished.resolve("trainer.bin"), "begun");
        Shell shell = train("--seeds", "6,5");

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("run-seed5", "--resume or --replace").hasLineCount(1);
        assertThat(folder.resolve("run-seed6/summary.json")).doesNotExist();
    }

    @Test
    void the_same_seeds_are_evaluated_from_their_checkpoints_elsewhere() {
        String both = folder.resolve("run-seed3") + "," + folder.resolve("run-seed4");
        Shell shell = Shell.command(
                "evaluate --checkpoint %s --schedulers fifo --set cluster=4x2x4 --timing --verbose", both);

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out())
                .contains("4x2x4")
                .containsPattern("(?m)^learned \\(mean of 2\\) +fifo ")
                .containsPattern("(?m)^learned/4 +[0-9.]+ s")
                .containsPattern("(?m)^Column learned: the mean JCT of learned \\(mean of 2\\) against")
                .doesNotContain("not seeds of one training");
    }

    @Test
    void policies_that_differ_in_more_than_the_seed_are_rows_of_their_own_compared_pairwise() {
        Path other = folder.resolve("other");
        Shell trained = TinyTraining.run(
                List.of("auction/small.yaml"), other, "--set", "seed=3", "--set", "environment.reward={type: Jct}");
        assertThat(trained.code()).as(trained.err()).isZero();
        Shell shell = Shell.command(
                "evaluate --checkpoint %s --schedulers fifo --metric mean-slowdown --verbose",
                folder.resolve("run-seed3") + "," + other);

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out())
                .contains("not seeds of one training", "--metric changes the order alone")
                .containsPattern("(?m)^Result: the mean JCT of learned/run-seed3 ")
                .containsPattern("(?m)^Result: the mean JCT of learned/other ")
                .containsPattern("(?m)^learned/run-seed3 +learned/other +[-+0-9.]+ %")
                .containsPattern("(?m)^learned/other +learned/run-seed3 +[-+0-9.]+ %")
                .doesNotContain("mean of 2");
    }

    @Test
    void a_policy_named_twice_is_refused() {
        String same = folder.resolve("run-seed3").toString();
        Shell shell =
                Shell.command("evaluate --checkpoint %s --checkpoint %s --out %s", same, same, folder.resolve("none"));

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("--checkpoint", "each checkpoint once").hasLineCount(1);
        assertThat(folder.resolve("none")).doesNotExist();
        Shell twice = train("--seeds", "3,3");
        assertThat(twice.code()).isEqualTo(2);
        assertThat(twice.err()).contains("--seeds", "each seed once").hasLineCount(1);
    }
}
