package org.trainyard.experiments.killed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.TrainyardProcess;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.FolderLock;

/**
 * Commands that write a folder are killed, and the same command is given again: what is in the folder then equals, byte
 * by byte, what a command has written that was never stopped. Trainings are in {@link KilledTrainingTest}.
 */
class KilledCommandsTest {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root", ".."));
    private static final int MOMENTS = 10;
    /** Wall-clock figures, curves with the time of each point, and a database whose pages DuckDB fills as it likes. */
    private static final List<String> DIFFERENT = List.of("timing.json", "tensorboard", "results.duckdb");

    enum Command {
        SIMULATE("simulate --trace generated --cluster small --jobs 400 --scheduler fifo,sjf,las --record"),
        EVALUATE("evaluate experiments/configs/heuristics.yaml --tune --record --set episodes.jobs=30 --set"
                + " episodes.test=5 --set episodes.validation=2 --set schedulers=[fifo,sjf]"),
        SWEEP("sweep experiments/configs/sweeps/smoke.yaml --set"
                + " set=[learner.updates=2,learner.episodes_per_update=1,learner.plays_per_episode=2,episodes.jobs=20,episodes.validation=1,"
                + "episodes.test=1,validate_every=1,'schedulers=[sjf]']"),
        BENCH("bench --task calm-v1 --scheduler fifo,sjf"),
        ADVISE("advise env/logs/src/test/resources/traces/sacct.csv --cluster 8x8:A100 --metric p95-wait"),
        STRESS("stress sjf --cluster small --jobs 40 --evaluations 96 --resume"),
        GAME("train experiments/configs/games/eight-units.yaml --resume --set learner.updates=40 --set"
                + " checkpoint_every=2 --set game.rounds=9");

        private final String text;

        Command(String text) {
            this.text = text;
        }

        List<String> args(Path out) {
            List<String> args = new ArrayList<>();
            for (String word : text.split(" ", -1)) {
                boolean isPath = word.endsWith(".yaml") || word.endsWith(".csv");
                args.add(
                        isPath ? ROOT.resolve(word).toAbsolutePath().normalize().toString() : word);
            }
            args.addAll(List.of("--out", out.toString()));
            return args;
        }
    }

    @TempDir
    private Path folder;

    @Test
    @Timeout(120)
    void a_simulation_killed_while_it_writes_ends_like_one_never_stopped_when_it_is_given_again() throws Exception {
        Command command = Command.SIMULATE;
        Map<String, byte[]> straight = straight(command);
        Path killed = folder.resolve("killed");
        Process process = start(command, killed);
        while (process.isAlive() && !Files.exists(killed.resolve("cluster.json"))) {
            Thread.onSpinWait();
        }
        process.destroyForcibly().waitFor(30, TimeUnit.SECONDS);

        assertComplete(command, killed, straight);
    }

    @Tag("thorough")
    @ParameterizedTest
    @EnumSource
    @Timeout(1200)
    void a_command_killed_at_ten_moments_ends_like_one_never_stopped(Command command) throws Exception {
        Map<String, byte[]> straight = straight(command);
        long start = System.nanoTime();
        assertThat(start(command, folder.resolve("timed")).waitFor())
                .as(this::log)
                .isZero();
        long wholeNanos = System.nanoTime() - start;
        for (int moment = 0; moment < MOMENTS; moment++) {
            Path killed = folder.resolve("killed" + moment);
            Process process = start(command, killed);
            process.waitFor(wholeNanos * (2 * moment + 1) / (2 * MOMENTS), TimeUnit.NANOSECONDS);
            process.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
            assertThat(process.exitValue()).as(this::log).isIn(0, 128 + 9);
            assertComplete(command, killed, straight);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_command_is_refused_in_a_folder_that_another_one_writes_to(Command command) throws IOException {
        Path taken = folder.resolve("taken");
        Path out = command == Command.STRESS ? taken.resolve("sjf") : taken;
        FolderLock.during(out, () -> {
            Shell shell = Shell.run(command.args(taken));

            assertThat(shell.code()).isEqualTo(2);
            assertThat(shell.err())
                    .hasLineCount(1)
                    .contains("process %d is writing to it"
                            .formatted(ProcessHandle.current().pid()));
        });
        assertThat(files(taken)).isEmpty();
    }

    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({"TERM,15", "HUP,1", "INT,2"})
    @Timeout(120)
    void a_signal_ends_a_run_as_ctrl_c_does_and_it_can_be_resumed(String signal, int number) throws Exception {
        Path out = folder.resolve("run");
        List<String> args = Command.GAME.args(out);
        args.addAll(List.of("--set", "learner.updates=100000"));
        for (int session = 0; session < 2; session++) {
            Files.deleteIfExists(folder.resolve("log"));
            Path trainer = out.resolve("checkpoints/last/trainer.bin");
            FileTime before = Files.exists(trainer) ? Files.getLastModifiedTime(trainer) : null;
            Process process = TrainyardProcess.start(folder.resolve("log"), args);
            while (process.isAlive()
                    && (!Files.exists(trainer)
                            || Files.getLastModifiedTime(trainer).equals(before))) {
                Thread.onSpinWait();
            }
            assumeFalse(isIgnored(number, process), "the shell that started the test ignores the signal");
            new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid()))
                    .start()
                    .waitFor();

            assertThat(process.waitFor()).as(this::log).isEqualTo(128 + number);
            assertThat(log()).endsWith("interrupted; the same command with --resume continues\n");
        }
    }

    /** Whether a process was started with a signal ignored, as nohup and a shell's ampersand do. */
    private static boolean isIgnored(int signal, Process process) throws IOException {
        Path status = Path.of("/proc/%d/status".formatted(process.pid()));
        assumeTrue(Files.exists(status), "no /proc");
        boolean isIgnored = Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) >> (signal - 1) & 1) == 1);
        if (isIgnored) {
            process.destroyForcibly();
        }
        return isIgnored;
    }

    private Map<String, byte[]> straight(Command command) throws IOException {
        Path out = folder.resolve("straight");
        Shell shell = Shell.run(command.args(out));
        assertThat(shell.code()).as(shell.err()).isZero();
        return files(out);
    }

    private Process start(Command command, Path out) throws IOException {
        return TrainyardProcess.start(folder.resolve("log"), command.args(out));
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private void assertComplete(Command command, Path killed, Map<String, byte[]> straight) throws IOException {
        Shell again = Shell.run(command.args(killed));
        assertThat(again.code()).as(again.err()).isZero();
        Map<String, byte[]> files = files(killed);
        assertThat(files.keySet()).isEqualTo(straight.keySet());
        files.forEach((name, bytes) -> assertThat(bytes).as(name).isEqualTo(straight.get(name)));
        try (Stream<Path> tree = Files.walk(killed)) {
            assertThat(tree)
                    .noneMatch(file -> AtomicFiles.isUnfinished(file)
                            || file.toString().endsWith(".tmp")
                            || file.endsWith(".lock"));
        }
    }

    /** The files below a folder that are complete and do not differ from run to run, by name. */
    static Map<String, byte[]> files(Path root) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        if (!Files.isDirectory(root)) {
            return files;
        }
        try (Stream<Path> tree = Files.walk(root)) {
            for (Path file : tree.filter(Files::isRegularFile).toList()) {
                String name = root.relativize(file).toString();
                if (!String.valueOf(file.getFileName()).startsWith(".")
                        && DIFFERENT.stream().noneMatch(name::contains)) {
                    files.put(name, Files.readAllBytes(file));
                }
            }
        }
        return files;
    }
}
