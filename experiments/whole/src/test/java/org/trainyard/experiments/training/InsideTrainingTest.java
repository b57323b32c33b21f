package org.trainyard.experiments.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.TrainyardProcess;

/** Policies with a level inside servers, from the config to the export. */
class InsideTrainingTest {
    private static final Path CONFIG =
            Path.of(System.getProperty("trainyard.root"), "experiments/configs/auction/small.yaml");
    private static final Path TWO_LEVELS = CONFIG.resolveSibling("two-levels.yaml");
    private static final List<String> SMALL = List.of(
            "cluster=mixed-interiors",
            "episodes.jobs=16",
            "episodes.validation=1",
            "episodes.test=2",
            "validate_every=1",
            "checkpoint_every=1",
            "schedulers=[fifo]",
            "learner.updates=2",
            "learner.episodes_per_update=1",
            "learner.plays_per_episode=3",
            "learner.minibatch=32",
            "learner.epochs=1");

    @TempDir
    private Path folder;

    private Path train(String name, String inside) {
        Path out = folder.resolve(name);
        List<String> args = new ArrayList<>(List.of("train", CONFIG.toString(), "--out", out.toString()));
        SMALL.forEach(value -> args.addAll(List.of("--set", value)));
        args.addAll(List.of(
                "--set",
                "network={encoder: Hierarchical, hidden: 6, rounds: 1, columns: Raw, inside: %s}".formatted(inside)));
        Shell shell = Shell.run(args);
        assertThat(shell.code()).as(shell.err()).isZero();
        return out;
    }

    @Test
    void the_export_of_a_policy_whose_level_inside_servers_learned_decides_alike() {
        Path run = train("learning", "{from: Shipped, learn: true}");
        Shell shell = Shell.command("export %s --out %s", run, folder.resolve("export"));
        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out()).containsPattern("(\\d+) of \\1 decisions equal");
    }

    @Test
    void weights_of_fit_interiors_are_those_of_the_level_and_stay_as_they_are() throws IOException {
        Path weights = folder.resolve("sets.bin");
        Shell fit = Shell.command("fit interiors --encoder Flat --interiors 3 --steps 2 --out %s", weights);
        assertThat(fit.code()).as(fit.err()).isZero();
        assertThat(fit.out()).contains("held out", "flat, 64 hidden, 0 rounds, 16 values of a set");

        Path run = train("fitted", "{from: %s, learn: false}".formatted(weights));
        byte[] file = Files.readAllBytes(weights);
        byte[] policy = Files.readAllBytes(run.resolve("checkpoints/last/policy.bin"));
        // Behind kind, version, length, shape and a flag are the weights; a checksum ends the file.
        byte[] own = Arrays.copyOfRange(file, 60, file.length - 8);
        assertThat(new String(policy, StandardCharsets.ISO_8859_1))
                .contains(new String(own, StandardCharsets.ISO_8859_1));
    }

    @Test
    @Timeout(600)
    void one_thread_and_two_learn_the_same_bytes_with_both_levels_by_a_belief() throws Exception {
        List<Path> runs = new ArrayList<>();
        for (int threads = 1; threads <= 2; threads++) {
            Path out = folder.resolve("threads" + threads);
            List<String> args = new ArrayList<>(List.of("train", TWO_LEVELS.toString(), "--out", out.toString()));
            SMALL.forEach(value -> args.addAll(List.of("--set", value)));
            Process process = TrainyardProcess.start(
                    List.of("env", "JDK_JAVA_OPTIONS=-XX:ActiveProcessorCount=" + threads),
                    folder.resolve("log"),
                    System.getProperty("java.class.path"),
                    args);
            assertThat(process.waitFor())
                    .as(() -> folder.resolve("log").toString())
                    .isZero();
            runs.add(out);
        }
        for (String file : List.of("last/trainer.bin", "last/policy.bin", "best/policy.bin", "best/untrained.bin")) {
            assertThat(runs.get(0).resolve("checkpoints").resolve(file))
                    .as(file)
                    .hasSameBinaryContentAs(runs.get(1).resolve("checkpoints").resolve(file));
        }
        assertThat(runs.get(0).resolve("jobs.csv"))
                .hasSameBinaryContentAs(runs.get(1).resolve("jobs.csv"));
    }
}
