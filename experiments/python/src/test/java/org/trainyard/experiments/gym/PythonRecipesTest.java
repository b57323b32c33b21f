package org.trainyard.experiments.gym;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.experiments.Main;

/** The recipes for learning libraries of Python, each from training to a comparison; only by {@code mvn -Pclients}. */
@EnabledIfSystemProperty(named = "trainyard.clients", matches = "true")
class PythonRecipesTest {
    private static final Path ROOT =
            Path.of(System.getProperty("trainyard.root", "..")).toAbsolutePath();
    private static final Path PACKAGE = ROOT.resolve("experiments/python/src/main/python");
    private static final Pattern RESULT = Pattern.compile("learned ([\\d.]+) h, fifo ([\\d.]+) h");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"maskable_ppo", "torchrl_ppo", "rllib_ppo", "pufferlib_ppo"})
    void a_recipe_beats_fifo_in_ten_minutes(String recipe) throws IOException, InterruptedException {
        run(List.of("python3", "-m", "venv", folder.toString()), 2);
        String python = folder.resolve("bin/python").toString();
        String pins = PACKAGE.resolve("examples/%s.txt".formatted(recipe)).toString();
        run(List.of(python, "-m", "pip", "install", "-q", "-r", pins), 60);

        String said = run(
                List.of(
                        python,
                        PACKAGE.resolve("examples/%s.py".formatted(recipe)).toString()),
                10);

        Matcher result = RESULT.matcher(said);
        assertThat(result.find()).as(said).isTrue();
        assertThat(Double.parseDouble(result.group(1))).as(said).isLessThan(Double.parseDouble(result.group(2)));
    }

    private String run(List<String> command, int minutes) throws IOException, InterruptedException {
        Path output = folder.resolve("output.txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("PYTHONPATH", PACKAGE.toString());
        builder.environment()
                .put(
                        "TRAINYARD",
                        "'%s/bin/java' -XX:+UseSerialGC '-Dtrainyard.root=%s' -cp '%s' %s"
                                .formatted(
                                        System.getProperty("java.home"),
                                        ROOT,
                                        System.getProperty("java.class.path"),
                                        Main.class.getName()));
        Process process = builder.start();
        try {
            assertThat(process.waitFor(minutes, TimeUnit.MINUTES))
                    .as(command.toString())
                    .isTrue();
            assertThat(process.exitValue()).as(Files.readString(output)).isZero();
            return Files.readString(output);
        } finally {
            process.destroyForcibly();
        }
    }
}
