package org.trainyard.experiments.training;

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
import org.trainyard.experiments.Shell;

/** Expert iteration through the command line, small. */
class ExpertTrainingTest {
    private static final Path CONFIGS = Path.of(System.getProperty("trainyard.root", ".."), "experiments", "configs");

    @TempDir
    static Path folder;

    private static Path straight = Path.of("");

    private static List<String> train(Path out, String... values) {
        List<String> args = new ArrayList<>(List.of(
                "train", CONFIGS.resolve("auction/expert-iteration.yaml").toString(), "--out", out.toString()));
        Stream.concat(
                        Stream.of(
                                "cluster=small",
                                "learner.start={type: Scratch, hidden: 8}",
                                "learner.updates=3",
                                "learner.episodes=2",
                                "learner.decisions=12",
                                "learner.minibatch=4",
                                "learner.futures=3",
                                "learner.horizon_hours=2",
                                "episodes.jobs=30",
                                "episodes.validation=2",
                                "episodes.test=2",
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
        assertThat(shell.out()).contains("learned", "untrained", "fifo");
    }

    @Test
    void the_log_tensorboard_and_the_report_have_the_figures_of_the_labels() throws Exception {
        JsonNode updates = new ObjectMapper()
                .readTree(Files.readString(straight.resolve("checkpoints/last/log.json")))
                .get("updates");
        assertThat(updates).hasSize(3);
        for (JsonNode update : updates) {
            JsonNode labels = update.get("statistics").get("labels");
            assertThat(labels.get("decisions").asInt()).isEqualTo(12);
            assertThat(labels.get("rollouts").asInt()).isBetween(12 * 2 * 2, 12 * 4 * 3);
            assertThat(labels.get("standardError").asDouble()).isNotNegative();
            assertThat(labels.get("significantShare").asDouble()).isBetween(0.0, 1.0);
        }
        try (Stream<Path> files = Files.list(straight.resolve("tensorboard"))) {
            assertThat(files)
                    .singleElement()
                    .satisfies(file -> assertThat(file)
                            .content(StandardCharsets.ISO_8859_1)
                            .contains("labels/standard_error_job_hours", "labels/predicted_gain")
                            .doesNotContain("advantage/return_spread"));
        }
        assertThat(Files.readString(straight.resolve("report.html"))).contains("labelled decisions");
    }

    @Test
    void training_continues_a_policy_that_bids() throws Exception {
        Shell shell = Shell.run(
                train(folder.resolve("continued"), "learner.start={type: Checkpoint, from: %s}".formatted(straight)));
        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(folder.resolve("continued/checkpoints/best/provenance.json"))
                .content()
                .contains("learner.start.from");
        assertThat(folder.resolve("continued/checkpoints/best/untrained.bin"))
                .hasBinaryContent(Files.readAllBytes(straight.resolve("checkpoints/best/untrained.bin")));
    }
}
