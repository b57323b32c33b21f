package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The main job, small: train, validate, test, report; again; killed and resumed. */
class TrainingRunTest {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root", ".."));
    private static final List<String> FILES = List.of(
            "checkpoints/best/policy.bin",
            "checkpoints/best/untrained.bin",
            "checkpoints/best/provenance.json",
            "checkpoints/last/log.json",
            "checkpoints/last/policy.bin",
            "summary.json",
            "jobs.csv",
            "report.html");

    @TempDir
    static Path folder;

    private static Path straight = Path.of("");

    private static List<String> train(Path out, String... more) {
        List<String> args = new ArrayList<>(List.of(
                "train", ROOT.resolve("experiments/configs/auction/small.yaml").toString(), "--out", out.toString()));
        for (String value : List.of(
                "learner.updates=4",
                "learner.episodes_per_update=1",
                "learner.plays_per_episode=3",
                "learner.minibatch=64",
                "episodes.jobs=30",
                "episodes.validation=2",
                "episodes.test=6",
                "validate_every=2",
                "checkpoint_every=1")) {
            args.addAll(List.of("--set", value));
        }
        args.addAll(List.of(more));
        return args;
    }

    @BeforeAll
    static void train_straight_through() {
        straight = folder.resolve("straight");
        Shell shell = Shell.run(train(straight));
        assertThat(shell.err()).doesNotContain("failed");
        assertThat(shell.code()).isZero();
        assertThat(shell.out()).contains("learned", "fifo", "95 % interval");
        assertThat(shell.out().lines()).last().asString().contains("One seed says little", "--seeds 1,2,3");
    }

    @Test
    void a_run_with_the_same_seed_that_begins_in_an_empty_folder_gives_the_same_bytes() throws Exception {
        Path again = Files.createDirectories(folder.resolve("again"));
        assertThat(Shell.run(train(again, "--resume")).code()).isZero();
        assertEqual(straight, again);
        Path other = folder.resolve("other");
        assertThat(Shell.run(train(other, "--set", "seed=2")).code()).isZero();
        assertThat(other.resolve("checkpoints/last/policy.bin"))
                .content(java.nio.charset.StandardCharsets.ISO_8859_1)
                .isNotEqualTo(Files.readString(
                        straight.resolve("checkpoints/last/policy.bin"), java.nio.charset.StandardCharsets.ISO_8859_1));
    }

    @Test
    @Timeout(120)
    void a_run_killed_in_the_middle_and_resumed_ends_like_one_never_stopped() throws Exception {
        Path killed = folder.resolve("killed");
        Process process = TrainyardProcess.start(folder.resolve("killed.log"), train(killed));
        while (!Files.exists(killed.resolve("checkpoints/last/trainer.bin"))) {
            assertThat(process.isAlive())
                    .as(() -> "the process ended before its first checkpoint, see killed.log")
                    .isTrue();
            Thread.sleep(5);
        }
        process.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
        assertThat(killed.resolve("summary.json")).doesNotExist();

        Shell forgotten = Shell.run(train(killed));
        assertThat(forgotten.code()).isEqualTo(2);
        assertThat(forgotten.err()).contains("--resume");
        assertThat(Shell.run(train(killed, "--resume")).code()).isZero();
        assertEqual(straight, killed);
    }

    @Test
    void the_learning_curve_of_a_run_is_a_table_for_programs_and_for_latex() throws IOException {
        Path csv = folder.resolve("curve.csv");
        Path tex = folder.resolve("curve.tex");

        assertThat(Shell.command("inspect %s --table %s", straight, csv).code()).isZero();
        assertThat(Shell.command("inspect %s --table %s", straight, tex).code()).isZero();

        JsonNode log = new ObjectMapper()
                .readTree(straight.resolve("checkpoints/last/log.json").toFile());
        List<String> lines = Files.readAllLines(csv);
        assertThat(lines.get(0)).startsWith("update,\"validation geometric mean JCT, seconds\",decisions,");
        assertThat(lines).extracting(line -> line.split(",")[0]).containsExactly("update", "0", "1", "2", "3", "4");
        assertThat(Double.parseDouble(lines.get(1).split(",")[1]))
                .isEqualTo(log.get("untrainedGeometricMeanJctSeconds").asDouble());
        assertThat(lines.get(2)).as("no validation after update 1").startsWith("1,,");
        assertThat(tex).content().startsWith("\\begin{tabular}{lrr").endsWith("\\hline\n\\end{tabular}\n");
    }

    @Test
    void a_second_command_over_a_finished_run_says_so_and_changes_nothing() throws Exception {
        Map<Path, FileTime> before = modified(straight);

        for (String[] more : new String[][] {{}, {"--resume"}}) {
            Shell again = Shell.run(train(straight, more));
            assertThat(again.code()).as(again.err()).isZero();
            assertThat(again.out().strip()).isEqualTo("%s is finished; --replace starts anew".formatted(straight));
        }

        assertThat(modified(straight)).isEqualTo(before);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }

    private static Map<Path, FileTime> modified(Path folder) throws IOException {
        Map<Path, FileTime> times = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                times.put(file, Files.getLastModifiedTime(file));
            }
        }
        return times;
    }

    @Test
    @Timeout(120)
    void a_replacement_that_is_killed_at_once_is_begun_by_the_next_command() throws Exception {
        Path replaced = folder.resolve("replaced");
        copy(straight, replaced);
        Process process = TrainyardProcess.start(folder.resolve("replaced.log"), train(replaced, "--replace"));
        while (Files.exists(replaced.resolve("summary.json"))) {
            assertThat(process.isAlive()).as("see replaced.log").isTrue();
            Thread.sleep(1);
        }
        process.destroyForcibly().waitFor(30, TimeUnit.SECONDS);

        assertThat(Shell.run(train(replaced, "--resume", "--replace")).err()).contains("mutually exclusive");
        Shell third = Shell.run(train(replaced, "--resume"));

        assertThat(third.code()).as(third.err()).isZero();
        assertThat(third.out()).doesNotContain("is finished");
        assertEqual(straight, replaced);
        assertThat(replaced.resolve(".lock")).doesNotExist();
    }

    /** The first step throws the weights so far off that nothing can be computed with them. */
    private static List<String> diverge(Path out, String... more) {
        List<String> args = train(out, more);
        for (String value : List.of("learner.learning_rate=1e30", "learner.epochs=1", "learner.minibatch=100000")) {
            args.addAll(List.of("--set", value));
        }
        return args;
    }

    @Test
    void a_run_that_diverges_says_where_and_keeps_the_checkpoint_before() throws Exception {
        Path diverged = folder.resolve("diverged");
        Shell shell = Shell.run(diverge(diverged));
        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("scores are not finite").doesNotContain("--resume");
        byte[] kept = Files.readAllBytes(diverged.resolve("checkpoints/last/trainer.bin"));

        assertThat(Shell.run(diverge(diverged, "--resume")).err()).contains("scores are not finite");
        assertThat(diverged.resolve("checkpoints/last/trainer.bin")).hasBinaryContent(kept);
    }

    @Test
    void a_policy_whose_scores_are_not_finite_is_not_kept() throws Exception {
        Path diverged = folder.resolve("diverged-at-once");
        Shell shell = Shell.run(diverge(diverged, "--set", "validate_every=1"));
        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("scores are not finite");
        assertUntrainedIsKept(diverged);
    }

    private static void assertUntrainedIsKept(Path run) throws Exception {
        assertThat(run.resolve("checkpoints/best/policy.bin"))
                .hasBinaryContent(Files.readAllBytes(run.resolve("checkpoints/best/untrained.bin")));
    }

    @Test
    void the_untrained_policy_is_validated_first_and_kept_when_no_update_is_better() throws Exception {
        Path idle = folder.resolve("idle");
        Shell shell = Shell.run(train(
                idle,
                "--set",
                "learner.updates=2",
                "--set",
                "learner.learning_rate=1e-12",
                "--set",
                "learner.epochs=1"));

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out())
                .contains("no update of 2 was better than the untrained policy")
                .contains("learned: training gained 0.0 % (0.0 .. 0.0 %) against untrained");
        assertUntrainedIsKept(idle);
        JsonNode summary =
                new ObjectMapper().readTree(idle.resolve("summary.json").toFile());
        assertThat(summary.at("/training_gain/0/percent").asDouble()).isZero();
        assertThat(summary.at("/coincidences/0/schedulers").toString()).contains("learned", "untrained");
    }

    @Test
    void the_untrained_policy_stands_in_the_table_and_no_trained_one_is_called_by_its_name() throws Exception {
        JsonNode summary =
                new ObjectMapper().readTree(straight.resolve("summary.json").toFile());

        assertThat(summary.get("schedulers").findValuesAsText("name")).contains("learned", "untrained", "fifo");
        JsonNode gain = summary.at("/training_gain/0");
        double learned = meanJct(summary, "learned");
        double untrained = meanJct(summary, "untrained");
        assertThat(gain.get("untrained").asText()).isEqualTo("untrained");
        assertThat(Math.signum(gain.get("percent").asDouble())).isEqualTo(Math.signum(untrained - learned));
        assertThat(summary.get("duels").findValuesAsText("against"))
                .contains("fifo")
                .doesNotContain("untrained");
    }

    private static double meanJct(JsonNode summary, String scheduler) {
        for (JsonNode score : summary.get("schedulers")) {
            if (score.get("name").asText().equals(scheduler)) {
                return score.at("/jct_s/mean").asDouble();
            }
        }
        throw new AssertionError(scheduler);
    }

    @Test
    void a_kept_policy_can_be_inspected_and_evaluated_on_another_cluster() throws Exception {
        assertThat(Shell.command("inspect %s", straight).out())
                .contains("parameters", "code_sha256", "workload.generator");
        Path old = Files.createDirectory(folder.resolve("old"));
        for (String file : List.of("policy.bin", "config.yaml")) {
            Files.copy(straight.resolve("checkpoints/best").resolve(file), old.resolve(file));
        }
        assertThat(Shell.command("inspect %s", old).out()).containsPattern("provenance +none recorded");
        Shell shell = Shell.command("evaluate --checkpoint %s --set cluster=medium --schedulers fifo,sjf", straight);
        assertThat(shell.err())
                .isEqualTo(
                        "note: %s was trained for another world: there 2 racks, 2 agents, GPUs V100, here 4 racks, 4 agents, GPUs V100\n",
                        straight.resolve("checkpoints/best"));
        assertThat(shell.out()).contains("learned", "sjf", "medium");
    }

    @Test
    void the_table_of_a_checkpoint_evaluated_anew_is_that_of_its_training() throws Exception {
        Path out = folder.resolve("evaluated");
        Shell shell = Shell.command("evaluate --checkpoint %s --out %s", straight, out);
        assertThat(shell.code()).isZero();
        assertThat(out.resolve("summary.json")).hasSameTextualContentAs(straight.resolve("summary.json"));
    }

    private static void assertEqual(Path one, Path other) throws Exception {
        for (String file : FILES) {
            assertThat(Files.mismatch(one.resolve(file), other.resolve(file)))
                    .as(file)
                    .isEqualTo(-1);
        }
    }
}
