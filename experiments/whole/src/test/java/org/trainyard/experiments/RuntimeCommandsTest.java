package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.RuntimeConfig;

class RuntimeCommandsTest {
    private static final Path QUICKSTART =
            Path.of(System.getProperty("trainyard.root", "."), "experiments/configs/auction/small.yaml");

    @TempDir
    private Path dir;

    private Path fitted() {
        Path model = dir.resolve("model");
        Shell shell = Shell.command("fit runtime --data generated --jobs 400 --out %s", model);
        assertThat(shell.err()).isEmpty();
        assertThat(shell.code()).isZero();
        assertThat(shell.out()).contains("forest", "mean of forest", "last of group", "global median", "p90");
        return model;
    }

    @Test
    void what_is_fitted_answers_for_one_job_and_for_a_file_of_jobs() throws IOException {
        Path model = fitted();
        assertThat(model.resolve("card.md"))
                .content(StandardCharsets.UTF_8)
                .contains("| forest |", "200 jobs in total");
        Shell one = Shell.command("predict runtime --model %s --group g0001 --gpus 8", model);
        assertThat(one.code()).isZero();
        assertThat(one.out()).containsSubsequence("guess", " s ", "p50", " s ", "p90", " s ");

        Path jobs = Files.writeString(dir.resolve("jobs.csv"), "job,gpus,group,note\na,8,g0001,x\nb,1,,y\n");
        Path out = dir.resolve("out.csv");
        Shell many = Shell.command("predict runtime --model %s --jobs %s --out %s", model, jobs, out);
        assertThat(many.code()).isZero();
        List<String> lines = Files.readAllLines(out);
        assertThat(lines).hasSize(3);
        assertThat(lines.get(0)).isEqualTo("job,gpus,group,note,seconds,p50_s,p90_s");
        assertThat(lines.get(1)).matches("a,8,g0001,x,[0-9.]+,[0-9.]+,[0-9.]+");
        assertThat(lines.get(2)).startsWith("b,1,,y,");
    }

    @Test
    void bad_rows_and_damaged_models_are_refused_in_one_line() throws IOException {
        Path model = fitted();
        Path jobs = Files.writeString(dir.resolve("jobs.csv"), "job,gpus\na,8\nb,0\n");
        Path out = dir.resolve("out.csv");
        Shell row = Shell.command("predict runtime --model %s --jobs %s --out %s", model, jobs, out);
        assertThat(row.code()).isEqualTo(2);
        assertThat(row.err().lines()).singleElement().asString().contains("jobs.csv:3, gpus: '0'");
        assertThat(out).doesNotExist();

        Path file = model.resolve("runtime.model");
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        Shell damaged = Shell.command("predict runtime --model %s", model);
        assertThat(damaged.code()).isEqualTo(2);
        assertThat(damaged.err().lines()).singleElement().asString().contains("checksum");
    }

    @ParameterizedTest
    @ValueSource(strings = {"history", "forest", "oracle", "lognormal:0.5", "Lognormal:0"})
    void simulations_name_where_guesses_come_from_and_repeat(String runtime) {
        List<String> arguments = Shell.words(
                "simulate --trace generated --jobs 200 --cluster 2x4 --scheduler srtf --runtime %s --json", runtime);
        Shell once = Shell.run(arguments);
        assertThat(once.code()).isZero();
        assertThat(once.out()).isEqualTo(Shell.run(arguments).out());
        assertThat(once.out().toLowerCase(java.util.Locale.ROOT))
                .contains("\"runtime\" : \""
                        + runtime.toLowerCase(java.util.Locale.ROOT).replaceFirst(":0$", ":0.0"));
    }

    @ParameterizedTest
    @CsvSource({"lognormal:-1", "lognormal:x", "lognormal:NaN", "lognormal", "tree"})
    void other_sources_of_guesses_are_refused(String runtime) {
        Shell shell = Shell.command("simulate --trace generated --cluster 2x4 --scheduler srtf --runtime %s", runtime);
        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err().lines()).singleElement().asString().contains("--runtime: '" + runtime);
    }

    @Test
    void a_config_names_the_source_and_nothing_it_does_not_have() {
        assertThat(ConfigReader.read(QUICKSTART, List.of("runtime.type=Lognormal", "runtime.sigma=0.3"))
                        .runtime())
                .isEqualTo(new RuntimeConfig.Lognormal(0.3));
        assertThat(ConfigReader.read(QUICKSTART, List.of("runtime.type=Forest")).runtime())
                .isEqualTo(new RuntimeConfig.Forest());
        for (String wrong : List.of("runtime.sigma=0.3", "runtime.type=Forrest", "runtime.type=Lognormal")) {
            Shell shell = Shell.command("evaluate %s --set %s", QUICKSTART, wrong);
            assertThat(shell.code()).isEqualTo(2);
        }
        Shell far = Shell.command("evaluate %s --set runtime.type=Lognormal --set runtime.sigma=11", QUICKSTART);
        assertThat(far.err()).contains("sigma", "'11'");
    }
}
