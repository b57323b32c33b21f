package org.trainyard.experiments.planning;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.experiments.Shell;

class PlanCommandTest {
    private static final String HEADER = "layer,forward_ms,backward_ms,activation_mb,parameter_mb\n";

    @TempDir
    private Path directory;

    private String file(String text) throws IOException {
        return Files.writeString(directory.resolve("model.csv"), text).toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bert-large", "gpt2-xl", "gnmt", "vgg19", "resnet50", "xlnet-large"})
    void every_planner_plans_every_model_on_all_gpus(String model) throws IOException {
        Shell shell = Shell.run("plan", model, "--cluster", "2x4", "--planner", "all", "--json");
        assertThat(shell.code()).as(shell.err()).isZero();
        JsonNode plans = new ObjectMapper().readTree(shell.out()).get("plans");
        assertThat(plans.size()).isEqualTo(PlanComparison.planners().size());
        for (JsonNode plan : plans) {
            assertThat(plan.get("speed_up").asDouble()).as(plan.toString()).isBetween(1.0, 8.0);
        }
    }

    @Test
    void a_plan_of_chosen_gpus_uses_these() throws IOException {
        Shell shell = Shell.run("plan", "gnmt", "--cluster", "2x8", "--gpus", "0-3,8", "--planner", "dp", "--json");
        JsonNode plan = new ObjectMapper().readTree(shell.out()).at("/plans/0");
        assertThat(plan.at("/stages/0/gpus").size()).isEqualTo(5);
    }

    @Test
    void the_page_has_a_chart_for_each_pipeline() throws IOException {
        Shell shell = Shell.run("plan", "vgg19", "--cluster", "2x2", "--planner", "all", "--out", directory.toString());
        assertThat(shell.code()).as(shell.err()).isZero();
        String page = Files.readString(directory.resolve("plan.html"));
        assertThat(page.split("<svg", -1)).hasSize(PlanComparison.planners().size());
        assertThat(page).contains("<title>forward 7", "<title>backward 7", "<title>all-reduce");
    }

    @Test
    void a_profile_in_yaml_is_the_same_as_in_a_table() throws IOException {
        String table = file("# micro-batch 2\n" + HEADER + "a,1,2,3,4\nb,5,6,7,8\n");
        Path yaml = Files.writeString(directory.resolve("model.yaml"), """
                micro_batch: 2
                layers:
                  - {layer: a, forward_ms: 1, backward_ms: 2, activation_mb: 3, parameter_mb: 4}
                  - {layer: b, forward_ms: 5, backward_ms: 6, activation_mb: 7, parameter_mb: 8}
                """);
        assertThat(ProfileFiles.read(yaml.toString())).isEqualTo(ProfileFiles.read(table));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {layer: a, forward_ms: -1, backward_ms: 2, activation_mb: 3, parameter_mb: 4} | forward_ms
                    {layer: a, backward_ms: 2, activation_mb: 3, parameter_mb: 4}                 | forward_ms
                    {layer: a, forward_ms: 0, backward_ms: 0, activation_mb: 3, parameter_mb: 4}  | above zero
                    """)
    void a_bad_profile_in_yaml_is_refused_in_a_line(String layer, String fragment) throws IOException {
        Path yaml =
                Files.writeString(directory.resolve("bad.yaml"), "micro_batch: 1\nlayers:\n  - %s\n".formatted(layer));
        Shell shell = Shell.run("plan", yaml.toString());
        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err().strip().lines()).hasSize(1);
        assertThat(shell.err()).contains("bad.yaml", fragment);
    }

    @Test
    void a_model_that_fits_on_no_gpu_is_refused_in_a_line() throws IOException {
        Shell shell = Shell.run("plan", file(HEADER + "huge,1,2,1,100000\n"), "--cluster", "1x2");
        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err().strip())
                .isEqualTo(
                        "trainyard: memory of each GPU: '32.0 GiB' is not valid: expected at least 186.3 GiB for any plan of model");
    }

    @ParameterizedTest
    @CsvSource({
        "nosuch, 2x8, spp, 'expected one of bert-large'",
        "gnmt, 2x9x9x9, spp, 2x9x9x9",
        "gnmt, 2x8, sppp, 'expected all, or some of spp, dapple'",
    })
    void wrong_input_is_answered_in_a_line(String profile, String cluster, String planner, String fragment) {
        Shell shell = Shell.run("plan", profile, "--cluster", cluster, "--planner", planner);
        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err().strip().lines()).hasSize(1);
        assertThat(shell.err()).contains(fragment);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0-16", "3-1", "x", "0,,1"})
    void wrong_gpus_are_answered_in_a_line(String gpus) {
        Shell shell = Shell.run("plan", "gnmt", "--gpus", gpus);
        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("--gpus");
    }
}
