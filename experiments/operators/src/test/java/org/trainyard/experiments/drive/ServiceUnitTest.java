package org.trainyard.experiments.drive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;

/** The unit with which systemd runs {@code drive slurm}. */
class ServiceUnitTest {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root", ".."));
    private static final String PROGRAM = "/opt/trainyard/trainyard";

    @TempDir
    private Path folder;

    private static String unit() throws IOException {
        return Files.readString(ROOT.resolve("experiments/examples/systemd/trainyard-drive.service"));
    }

    @Test
    void systemd_finds_nothing_wrong_with_it() throws IOException, InterruptedException {
        Path verifier = Path.of("/usr/bin/systemd-analyze");
        assumeThat(verifier).as("a machine with systemd").isExecutable();
        // The program and its user are not installed here.
        Path file = Files.writeString(
                folder.resolve("trainyard-drive.service"),
                unit().replace(PROGRAM, "/bin/true")
                        .replace("User=trainyard", "User=root")
                        .replace("/opt/trainyard", "/"));

        Process process = new ProcessBuilder(verifier.toString(), "verify", "--man=no", file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said.lines().filter(line -> line.contains("trainyard-drive")))
                .isEmpty();
    }

    @Test
    void an_end_by_sigterm_is_a_good_one_and_every_end_gives_back() throws IOException {
        List<String> lines = unit().lines().toList();

        assertThat(lines).contains("SuccessExitStatus=143", "RestartPreventExitStatus=2", "KillMode=mixed");
        String started = words(lines, "ExecStart=");
        String stopped = words(lines, "ExecStopPost=");
        assertThat(stopped).contains("--give-back");
        assertThat(folderOf(stopped)).isEqualTo(folderOf(started));
        for (String words : List.of(started, stopped)) {
            Shell shell = Shell.run((words + " --help").split(" "));
            assertThat(shell.code()).as("%s: %s", words, shell.err()).isZero();
        }
    }

    private static String folderOf(String words) {
        return words.substring(words.indexOf("--out"));
    }

    private static String words(List<String> lines, String key) {
        return lines.stream()
                .filter(line -> line.startsWith(key))
                .findFirst()
                .orElseThrow()
                .substring(key.length() + PROGRAM.length() + 1);
    }
}
