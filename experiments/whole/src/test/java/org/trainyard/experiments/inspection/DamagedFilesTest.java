package org.trainyard.experiments.inspection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.RandomStreams;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.io.Sha256;

/**
 * Files that commands wrote and that were damaged afterwards: commands that read them end well or with one line,
 * whatever is in them.
 */
class DamagedFilesTest {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root", ".."));
    private static final int FLIPS = 12;

    @TempDir
    private Path folder;

    /** The file cut at four places, all zeros, and with one bit flipped at places all over. */
    private static List<byte[]> damaged(byte[] sound) {
        List<byte[]> all = new ArrayList<>();
        for (int length : new int[] {0, 1, sound.length / 2, sound.length - 1}) {
            all.add(Arrays.copyOf(sound, length));
        }
        all.add(new byte[sound.length]);
        for (int i = 0; i < FLIPS; i++) {
            byte[] flipped = sound.clone();
            flipped[(int) ((long) i * (sound.length - 1) / (FLIPS - 1))] ^= (byte) (1 << i % 8);
            all.add(flipped);
        }
        return all;
    }

    /** Damages each file below a folder in turn; returns how many of the damaged ones were refused. */
    private static int damageAll(Path folder, String... command) throws IOException {
        int refused = 0;
        List<Path> files;
        try (Stream<Path> tree = Files.walk(folder)) {
            files = tree.filter(Files::isRegularFile).toList();
        }
        assertThat(Shell.run(command).code()).isZero();
        for (Path file : files) {
            byte[] sound = Files.readAllBytes(file);
            for (byte[] bytes : damaged(sound)) {
                Files.write(file, bytes);
                Shell shell = Shell.run(command);
                assertThat(shell.code()).as(file + ": " + shell.err()).isIn(0, 2);
                if (shell.code() == 2) {
                    refused++;
                    assertThat(shell.err())
                            .hasLineCount(1)
                            .startsWith("trainyard: ")
                            .doesNotContain("Exception");
                }
            }
            Files.write(file, sound);
        }
        return refused;
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }

    @Test
    void a_damaged_checkpoint_is_refused_in_a_line() throws IOException {
        Path checkpoint = folder.resolve("checkpoint");
        copy(ROOT.resolve("checkpoints/default"), checkpoint);
        Files.delete(checkpoint.resolve("README.md"));

        assertThat(damageAll(checkpoint, "inspect", checkpoint.toString())).isGreaterThan(2 * FLIPS);
    }

    @Test
    void a_damaged_export_is_refused_in_a_line_by_the_hashes_of_its_contract() throws IOException {
        Path export = folder.resolve("export");
        copy(ROOT.resolve("checkpoints/default"), export.resolve("checkpoint"));
        Files.delete(export.resolve("checkpoint/README.md"));
        Files.delete(export.resolve("checkpoint/untrained.bin"));
        Path onnx = Files.writeString(export.resolve("policy.onnx"), "the bytes of a network");
        Files.writeString(
                export.resolve("contract.json"),
                "{\"sha256\":{\"policy.onnx\":\"%s\",\"policy.bin\":\"%s\"}}"
                        .formatted(Sha256.of(onnx), Sha256.of(export.resolve("checkpoint/policy.bin"))));

        assertThat(damageAll(export, "inspect", export.toString())).isGreaterThan(4 * FLIPS);
        Files.delete(onnx);
        assertThat(Shell.command("inspect %s", export).err()).contains("policy.onnx: is damaged or missing");
    }

    @Test
    void a_damaged_model_of_run_times_is_refused_in_a_line() throws IOException {
        Path model = folder.resolve("model");
        assertThat(Shell.command("fit runtime --data generated --jobs 400 --out %s", model)
                        .code())
                .isZero();

        int refused =
                damageAll(model, "predict", "runtime", "--model", model.toString(), "--group", "g0001", "--gpus", "8");

        assertThat(refused).isGreaterThan(FLIPS);
    }

    @Test
    void a_damaged_model_of_interference_is_refused_in_a_line() throws IOException {
        List<String> labels = List.of("FSDP,4,2", "MoE,4,4", "DLRM,8,8", "GPT-2,2,4", "FSDP,8,2");
        StringBuilder matrix = new StringBuilder();
        labels.forEach(label -> matrix.append(",\"").append(label).append('"'));
        for (String label : labels) {
            matrix.append("\n\"").append(label).append('"');
            labels.forEach(other -> matrix.append(',')
                    .append(0.9 - 0.3 * RandomStreams.stream(1, label + other).nextDouble()));
        }
        Path data = Files.writeString(folder.resolve("mine.csv"), matrix.append('\n'));
        for (String kind : List.of("process", "pressure")) {
            Path model = folder.resolve(kind);
            Shell fitted =
                    Shell.command("fit interference --data %s --model %s --compare none --out %s", data, kind, model);
            assertThat(fitted.code()).as(fitted.err()).isZero();

            int refused = damageAll(
                    model,
                    "predict",
                    "interference",
                    "--model",
                    model.toString(),
                    "--victim",
                    "FSDP,4,2",
                    "--with",
                    "MoE,4,4",
                    "--scope",
                    "nic");

            assertThat(refused).as(kind).isGreaterThan(FLIPS);
        }
    }
}
