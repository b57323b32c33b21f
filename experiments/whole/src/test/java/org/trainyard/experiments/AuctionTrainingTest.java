package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The learner of bids through the command line, small: train, resume, diverge, continue, inspect and evaluate. */
class AuctionTrainingTest {
    private static final Path CONFIGS = Path.of(System.getProperty("trainyard.root", ".."), "experiments", "configs");

    @TempDir
    static Path folder;

    private static Path straight = Path.of("");

    private static List<String> train(Path out, String... values) {
        List<String> args = new ArrayList<>(List.of(
                "train", CONFIGS.resolve("auction/scratch-preemption.yaml").toString(), "--out", out.toString()));
        Stream.concat(
                        Stream.of(
                                "cluster=small",
                                "learner.updates=4",
                                "learner.episodes_per_update=2",
                                "learner.plays_per_episode=3",
                                "learner.minibatch=32",
                                "episodes.jobs=30",
                                "episodes.validation=2",
                                "episodes.test=5",
                                "validate_every=1",
                                "checkpoint_every=1",
                                "schedulers=[fifo, sjf]"),
                        Stream.of(values))
                .forEach(value -> args.addAll(List.of("--set", value)));
        return args;
    }

    @BeforeAll
    static void train_straight_through() {
        straight = folder.resolve("straight");
        Shell shell = Shell.run(train(straight));
        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out()).contains("learned", "untrained", "fifo", "95 % interval");
    }

    @Test
    void the_log_tensorboard_and_the_report_have_the_figures_of_every_update() throws Exception {
        JsonNode updates = new ObjectMapper()
                .readTree(Files.readString(straight.resolve("checkpoints/last/log.json")))
                .get("updates");

        assertThat(updates).hasSize(4);
        for (JsonNode update : updates) {
            JsonNode figures = update.get("statistics");
            assertThat(figures.get("decisions").asInt()).isPositive();
            assertThat(figures.get("minibatches").asInt()).isPositive();
            assertThat(figures.get("entropy").asDouble()).isPositive();
            assertThat(figures.get("kl").asDouble()).isPositive();
            assertThat(figures.get("returnSpread").asDouble()).isPositive();
            assertThat(figures.get("advantageSpread").asDouble())
                    .isPositive()
                    .isLessThanOrEqualTo(figures.get("baselineSpread").asDouble());
            assertThat(figures.get("explainedVariance").asDouble()).isBetween(0.0, 1.0);
            assertThat(figures.get("waitShare").asDouble()).isBetween(0.0, 1.0);
        }
        try (Stream<Path> files = Files.list(straight.resolve("tensorboard"))) {
            assertThat(files)
                    .singleElement()
                    .satisfies(file -> assertThat(file)
                            .content(StandardCharsets.ISO_8859_1)
                            .contains("advantage/baseline_spread", "loss/gradient_steps", "train/wait_share"));
        }
        assertThat(Files.readString(straight.resolve("report.html")))
                .contains("spread of advantages", "share of auctions won by the bid to wait")
                .doesNotContain("reward per simulated hour");
    }

    @Test
    void a_run_that_diverges_names_the_update_and_keeps_the_untrained_policy() throws Exception {
        Path diverged = folder.resolve("diverged");
        Shell shell = Shell.run(train(diverged, "learner.learning_rate=1e30", "learner.epochs=1"));

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("update 1: ", "expected a finite number");
        assertThat(diverged.resolve("checkpoints/best/policy.bin"))
                .hasBinaryContent(Files.readAllBytes(diverged.resolve("checkpoints/best/untrained.bin")));
    }

    @Test
    void training_continues_another_policy_that_bids_and_refuses_any_other() {
        Shell shell = Shell.run(train(
                folder.resolve("continued"),
                "learner.start={type: Checkpoint, from: %s}".formatted(straight),
                "learner.updates=1"));
        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out()).contains("the policy it started from").doesNotContain("the untrained policy");
        assertThat(folder.resolve("continued/checkpoints/best/provenance.json"))
                .content()
                .contains("learner.start.from");

        Shell refused = Shell.run(train(
                folder.resolve("refused"),
                "learner.start={type: Checkpoint, from: %s}".formatted(folder.resolve("none"))));
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .contains("learner.start.from", "expected a folder with policy.bin and config.yaml")
                .hasLineCount(1);
    }

    @Test
    void an_encoder_is_trained_saved_continued_and_can_be_added_to_a_policy_without_one() {
        Path encoded = folder.resolve("encoded");
        String network = "network={encoder: Hierarchical, hidden: 6, rounds: 1}";
        Shell shell = Shell.run(train(encoded, network, "learner.updates=1"));
        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(Shell.command("inspect %s", encoded).out()).contains("hierarchical, 6 hidden, 1 round");
        assertThat(Shell.command("inspect %s", straight).out()).containsPattern("encoder +none");

        String from = "learner.start={type: Checkpoint, from: %s}";
        Shell continued = Shell.run(train(folder.resolve("on"), from.formatted(encoded), "learner.updates=1"));
        assertThat(continued.code()).as(continued.err()).isZero();
        assertThat(Shell.command("inspect %s", folder.resolve("on")).out()).contains("hierarchical, 6 hidden, 1 round");

        Shell added = Shell.run(train(
                folder.resolve("added"),
                from.formatted(straight),
                "network={encoder: Flat, hidden: 4, rounds: 0}",
                "learner.updates=1"));
        assertThat(added.code()).as(added.err()).isZero();
        assertThat(Shell.command("inspect %s", folder.resolve("added")).out()).contains("flat, 4 hidden");

        Shell twice = Shell.run(train(folder.resolve("twice"), from.formatted(encoded), network));
        assertThat(twice.code()).isEqualTo(2);
        assertThat(twice.err()).contains("network", "has an encoder of its own").hasLineCount(1);
    }

    @Test
    void a_later_stage_starts_from_the_best_checkpoint_of_the_stage_before() {
        Path stages = folder.resolve("stages");
        List<String> args = new ArrayList<>(train(stages, "learner.updates=1"));
        args.add(1, args.get(1));
        Shell shell = Shell.run(args);

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(stages.resolve("checkpoints/best/config.yaml"))
                .content()
                .contains("type: Checkpoint", "from: " + folder.resolve("stages-stage1/checkpoints/best"));
    }

    @Test
    void the_policy_can_be_inspected_and_evaluated_beside_another_preemption() {
        assertThat(Shell.command("inspect %s", straight).out())
                .contains("6 jobs for 8 sets of servers each", "parameters", "code_sha256");
        Shell without = Shell.command("evaluate --checkpoint %s --set environment.preemption=false", straight);
        assertThat(without.code()).as(without.err()).isZero();
        assertThat(without.out()).contains("learned");
    }
}
