package org.trainyard.experiments.gym;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trainyard.experiments.Main;

/**
 * The tests of the Python package, against the classes of this build. They run where Python has gymnasium, pettingzoo
 * and numpy, or can install them into {@code target/python}; elsewhere they are skipped, and the report says why.
 */
class PythonPackageTest {
    private static final Path ROOT =
            Path.of(System.getProperty("trainyard.root", "..")).toAbsolutePath();
    private static final Path TESTS = ROOT.resolve("experiments/python/src/test/python");
    private static final Path VENV = Path.of("target", "python").toAbsolutePath();
    /** Starts a server for each test. */
    private static final String PROCESSES = "test_processes";

    private static final List<String> PACKAGES = List.of("numpy", "gymnasium", "pettingzoo");

    static List<String> tests() throws IOException {
        try (Stream<Path> files = Files.list(TESTS)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("test_") && name.endsWith(".py"))
                    .map(name -> name.substring(0, name.length() - 3))
                    .filter(name -> !name.equals(PROCESSES))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("tests")
    void every_test_of_the_package_passes(String test) throws IOException, InterruptedException {
        assertPasses(test);
    }

    @Tag("thorough")
    @Test
    void every_test_of_how_processes_begin_and_end_passes() throws IOException, InterruptedException {
        assertPasses(PROCESSES);
    }

    private static void assertPasses(String test) throws IOException, InterruptedException {
        Ran tests = run(300, List.of(python(), "-m", "unittest", "-v", test), Map.of("TRAINYARD", trainyard()), TESTS);

        assertThat(tests.code()).as(tests.output()).isZero();
        assertThat(tests.output()).containsPattern("Ran [1-9]\\d* tests?").doesNotContain("skipped");
    }

    /** A Python that has all packages. */
    private static String python() throws IOException, InterruptedException {
        Path own = VENV.resolve("bin/python");
        for (String candidate : List.of("python3", own.toString())) {
            if (hasPackages(candidate)) {
                return candidate;
            }
        }
        assumeTrue(run(60, List.of("python3", "--version"), Map.of(), ROOT).code() == 0, "there is no python3");
        Ran made = run(120, List.of("python3", "-m", "venv", VENV.toString()), Map.of(), ROOT);
        assumeTrue(made.code() == 0, "python3 makes no virtual environment: " + made.output());
        List<String> install = new ArrayList<>(
                List.of(own.toString(), "-m", "pip", "install", "-q", "--retries", "0", "--timeout", "20"));
        install.addAll(PACKAGES);
        Ran installed = run(400, install, Map.of(), ROOT);
        assumeTrue(hasPackages(own.toString()), "pip installs no %s: %s".formatted(PACKAGES, installed.output()));
        return own.toString();
    }

    private static boolean hasPackages(String python) throws IOException, InterruptedException {
        return run(60, List.of(python, "-c", "import " + String.join(", ", PACKAGES)), Map.of(), ROOT)
                        .code()
                == 0;
    }

    /** The command of this build, with a heap that is taken at once: what grows then is a leak. */
    private static String trainyard() {
        return "'%s' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xms256m -Xmx256m -XX:+AlwaysPreTouch '-Dtrainyard.root=%s' -cp '%s' %s"
                .formatted(
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        ROOT,
                        System.getProperty("java.class.path"),
                        Main.class.getName());
    }

    private record Ran(int code, String output) {}

    private static Ran run(int seconds, List<String> command, Map<String, String> variables, Path folder)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile("python", ".txt");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment()
                    .put(
                            "PYTHONPATH",
                            ROOT.resolve("experiments/python/src/main/python").toString());
            builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
            builder.environment().putAll(variables);
            Process process = start(builder);
            if (process == null) {
                return new Ran(-1, "%s was not found".formatted(command.get(0)));
            }
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                process.waitFor();
                return new Ran(-1, "took longer than %d s:\n%s".formatted(seconds, Files.readString(output)));
            }
            return new Ran(process.exitValue(), Files.readString(output));
        } finally {
            Files.delete(output);
        }
    }

    private static @Nullable Process start(ProcessBuilder builder) {
        try {
            return builder.start();
        } catch (IOException e) {
            return null;
        }
    }
}
