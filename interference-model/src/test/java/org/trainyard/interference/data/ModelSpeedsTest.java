package org.trainyard.interference.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.generator.ModelCatalog;

class ModelSpeedsTest {
    private static final Path DATA = Path.of("..", "..", "shared", "data");

    @TempDir
    private Path dir;

    private Path gavel(String text) throws IOException {
        return Files.writeString(dir.resolve("rates.json"), text);
    }

    private Path folder(String name, Map<String, String> files) throws IOException {
        Path folder = Files.createDirectory(dir.resolve(name));
        for (Map.Entry<String, String> file : files.entrySet()) {
            Files.writeString(folder.resolve(file.getKey()), "global_batch_size,1,2\n" + file.getValue() + "\n");
        }
        return folder;
    }

    /**
     * The catalogue's resnet50 takes 0.2275 s: batch 64 with 4 iterations per second is nearer than batch 16 with 12.
     */
    @Test
    void speeds_are_those_of_the_batch_size_of_the_catalogue() throws IOException {
        ModelSpeeds table = ModelSpeeds.read(
                List.of(gavel("""
                {"v100": {"('ResNet-50 (batch size 16)', 1)": {"null": 12},
                          "('ResNet-50 (batch size 64)', 1)": {"null": 4},
                          "('ResNet-50 (batch size 64)', 2)": {"null": 9},
                          "('CycleGAN', 1)": {"null": 4}},
                 "v100_unconsolidated": {"('ResNet-50 (batch size 64)', 1)": {"null": 1}},
                 "p100": {"('ResNet-50 (batch size 16)', 1)": {"null": 11},
                          "('ResNet-50 (batch size 64)', 1)": {"null": 2}}}
                """), folder("throughputs_A100", Map.of("resnet50.csv", "64,8,12\n256,3,4"))));

        assertThat(table.speeds()).isEqualTo(Map.of("resnet50", Map.of("V100", 1.0, "P100", 0.5, "A100", 2.0)));
        assertThat(table.remarks()).containsExactly("rates.json: not in the catalogue: CycleGAN");
        assertThat(table.csv())
                .isEqualTo("model,gpu_type,speed\nresnet50,A100,2\nresnet50,P100,0.5\nresnet50,V100,1\n");
    }

    /**
     * Data sheets have 0.5 for the T4 and 2 for the A100: their geometric mean is 1, as that of 2/3 and 3/2 and of
     * their multiples.
     */
    @Test
    void without_a_v100_the_level_is_that_of_the_data_sheets() throws IOException {
        ModelSpeeds table = ModelSpeeds.read(List.of(
                folder("measured_T4", Map.of("bert.csv", "64,10,0", "vgg16.csv", "64,1,1")),
                folder("measured_A100", Map.of("bert.csv", "64,22.5,0"))));

        assertThat(table.speeds().keySet()).containsExactly("bert");
        assertThat(Objects.requireNonNull(table.speeds().get("bert")).get("T4")).isCloseTo(2 / 3.0, within(1e-9));
        assertThat(Objects.requireNonNull(table.speeds().get("bert")).get("A100"))
                .isCloseTo(1.5, within(1e-9));
        assertThat(table.remarks()).containsExactly("vgg16: left out: measured on one GPU type only");
    }

    @Test
    void rates_of_different_tasks_are_left_out() throws IOException {
        ModelSpeeds table = ModelSpeeds.read(List.of(
                folder("measured_T4", Map.of("bert.csv", "384,0.1,0")),
                folder("measured_A100", Map.of("bert.csv", "64,22.5,0"))));

        assertThat(table.speeds()).isEmpty();
        assertThat(table.remarks()).singleElement().asString().startsWith("bert: left out: 6.12 on A100");
    }

    @Test
    void other_files_are_refused_in_one_line() throws IOException {
        Path other = gavel("{\"v100\": {}}");
        Path broken = folder("measured_T4", Map.of("bert.csv", "64,fast,0"));

        assertThatThrownBy(() -> ModelSpeeds.read(List.of(other)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("--data: '%s'".formatted(other));
        assertThatThrownBy(() -> ModelSpeeds.read(List.of(broken)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("bert.csv:2, 1: 'fast' is not valid: expected a number, not negative");
    }

    @Test
    void gavels_rates_are_the_speeds_that_the_catalogue_has() {
        assumeTrue(Files.isDirectory(DATA), "no data pack beside the project");
        Map<String, Map<String, Double>> speeds = ModelSpeeds.read(
                        List.of(DATA.resolve("gavel/simulation_throughputs.json.gz")))
                .speeds();

        assertThat(speeds.keySet()).containsExactly("a2c", "lstm", "resnet18", "resnet50", "transformer");
        for (String model : List.of("a2c", "lstm", "resnet50", "transformer")) {
            Map<String, Double> known =
                    Objects.requireNonNull(ModelCatalog.standard().find(model)).speeds();
            known.forEach((type, speed) -> assertThat(
                            Objects.requireNonNull(speeds.get(model)).get(type))
                    .as("%s on %s", model, type)
                    .isCloseTo(speed, within(0.0006)));
        }
    }
}
