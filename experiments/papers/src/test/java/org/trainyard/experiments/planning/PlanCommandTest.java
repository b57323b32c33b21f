package org.trainyard.experiments.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
        Shell shell = Shell.command("plan %s --cluster 2x4 --planner all --json", model);
        assertThat(shell.code()).as(shell.err()).isZero();
        JsonNode plans = new ObjectMapper().readTree(shell.out()).get("plans");
        assertThat(plans.size()).isEqualTo(PlanComparison.planners().size());
        for (JsonNode plan : plans) {
            assertThat(plan.get("speed_up").asDouble()).as(plan.toString()).isBetween(1.0, 8.0);
        }
    }

    @Test
    void equal_plans_have_equal_scores_whoever_made_them() throws IOException {
        Shell shell = Shell.command("plan bert-large --cluster 2x8 --planner spp,dapple,dp --dapple-constants --json");
        JsonNode plans = new ObjectMapper().readTree(shell.out()).get("plans");
        assertThat(plans.at("/0/plan")).isEqualTo(plans.at("/1/plan"));
        for (String score : new String[] {"speed_up", "dapple_speed_up"}) {
            assertThat(plans.at("/0/" + score)).isEqualTo(plans.at("/1/" + score));
        }
        assertThat(plans.at("/0/speed_up").asDouble()).isCloseTo(12.58, within(0.005));
        assertThat(plans.at("/0/dapple_speed_up").asDouble()).isCloseTo(5.36, within(0.005));
        assertThat(plans.at("/2/dapple_speed_up").asDouble())
                .isCloseTo(plans.at("/2/speed_up").asDouble(), within(1e-9));
    }

    @ParameterizedTest
    @CsvSource({"--batch=512, 32, 16", "--batch=512 --micro-batches=4, 128, 4", "--micro-batches=4, 32, 4"})
    void a_batch_is_divided_into_micro_batches(String options, int size, int count) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("plan", "vgg19", "--cluster", "1x2", "--json"));
        arguments.addAll(List.of(options.split(" ")));
        JsonNode plan = new ObjectMapper()
                .readTree(Shell.run(arguments.toArray(String[]::new)).out());
        assertThat(plan.get("micro_batch").asInt()).isEqualTo(size);
        assertThat(plan.get("micro_batches").asInt()).isEqualTo(count);
        assertThat(plan.get("batch").asInt()).isEqualTo(size * count);
        double seconds = plan.at("/plans/0/iteration_s").asDouble()
                * plan.at("/plans/0/speed_up").asDouble();
        assertThat(seconds).isCloseTo(size * count * ProfileFiles.read("vgg19").computeSeconds() / 32, within(1e-9));
    }

    @Test
    void a_batch_that_cannot_be_divided_is_refused_in_a_line() {
        assertThat(Shell.command("plan vgg19 --batch 500").err())
                .isEqualToNormalizingNewlines("trainyard: --batch: '500' is not valid: expected a multiple of 32\n");
        assertThat(Shell.command("plan vgg19 --batch 0").code()).isEqualTo(2);
    }

    @Test
    void layouts_of_a_mixed_plan_name_each_layer() throws IOException {
        Shell shell = Shell.command("plan vgg19 --cluster 2x8 --planner sbp --json");
        JsonNode plan = new ObjectMapper().readTree(shell.out()).at("/plans/0");
        int split = 0;
        for (JsonNode layer : plan.get("layers")) {
            split += layer.get("weights").asText().startsWith("split") ? 1 : 0;
        }
        assertThat(plan.get("layers")).hasSize(19);
        assertThat(plan.get("plan").asText()).startsWith(split + " of 19 layers split");
    }

    @Test
    void a_plan_of_chosen_gpus_uses_these() throws IOException {
        Shell shell = Shell.command("plan gnmt --cluster 2x8 --gpus 0-3,8 --planner dp --json");
        JsonNode plan = new ObjectMapper().readTree(shell.out()).at("/plans/0");
        assertThat(plan.at("/stages/0/gpus").size()).isEqualTo(5);
    }

    @Test
    void the_page_has_a_chart_for_each_pipeline() throws IOException {
        Shell shell = Shell.command("plan vgg19 --cluster 2x2 --planner all --out %s", directory);
        assertThat(shell.code()).as(shell.err()).isZero();
        String page = Files.readString(directory.resolve("plan.html"));
        String data = page.replaceFirst("(?s).*<script type=\"application/json\" id=\"data\">(.*?)</script>.*", "$1");
        JsonNode plans = new ObjectMapper().readTree(data).get("plans");
        assertThat(plans.get("profile").asText()).isEqualTo("vgg19: 19 layers, micro-batch 32, 8 micro-batches");
        assertThat(plans.get("charts").findValuesAsText("planner"))
                .containsExactly("spp", "dapple", "pipedream", "gpipe", "hetpipe", "dp");
        JsonNode dapple = plans.at("/charts/1");
        assertThat(dapple.get("figures").asText())
                .isEqualTo("11x3 | 8x1; iteration 0.8129 s, speed-up 3.71 (2.76 by DAPPLE's estimate), bubble 6.9 %");
        assertThat(dapple.get("bars")).hasSize(3 * 2 * 8 + 1);
        assertThat(dapple.at("/bars/16").toString())
                .startsWith("{\"row\":\"stage 0 (3 GPUs)\",\"work\":\"all-reduce\"");
        assertThat(dapple.at("/bars/17").toString()).startsWith("{\"row\":\"link 0\",\"work\":\"activations\"");
        JsonNode last = dapple.at("/bars/48");
        assertThat(last.get("row").asText()).isEqualTo("stage 1 (1 GPU)");
        assertThat(last.get("work").asText()).isEqualTo("backward");
        assertThat(last.get("micro_batch").asInt()).isEqualTo(7);
        assertThat(last.get("from").asDouble()).isCloseTo(0.574746, within(1e-6));
        assertThat(last.get("to").asDouble()).isCloseTo(0.623681, within(1e-6));
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
        Shell shell = Shell.command("plan %s", yaml);
        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err().strip().lines()).hasSize(1);
        assertThat(shell.err()).contains("bad.yaml", fragment);
    }

    @Test
    void a_model_that_fits_on_no_gpu_is_refused_in_a_line() throws IOException {
        Shell shell = Shell.command("plan %s --cluster 1x2", file(HEADER + "huge,1,2,1,100000\n"));
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
        Shell shell = Shell.command("plan %s --cluster %s --planner %s", profile, cluster, planner);
        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err().strip().lines()).hasSize(1);
        assertThat(shell.err()).contains(fragment);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0-16", "3-1", "x", "0,,1"})
    void wrong_gpus_are_answered_in_a_line(String gpus) {
        Shell shell = Shell.command("plan gnmt --gpus %s", gpus);
        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("--gpus");
    }
}
