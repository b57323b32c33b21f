package org.trainyard.experiments.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.run.Experiment;

class SpeedTableTest {
    private static final Path WORLD = Path.of("configs", "auction", "generations.yaml");

    @TempDir
    private Path dir;

    private Path file(String text) throws IOException {
        return Files.writeString(dir.resolve("speeds.csv"), text);
    }

    @Test
    void speeds_are_read_by_model_and_type() throws IOException {
        assertThat(SpeedTable.read(file("model,gpu_type,speed\nlstm,P100,0.5\nlstm,K80,0.25\nbert,A100,3\n")))
                .isEqualTo(Map.of("lstm", Map.of("P100", 0.5, "K80", 0.25), "bert", Map.of("A100", 3.0)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            model,speed\\nlstm,1 | speeds.csv:1: 'model,speed' is not valid: expected the columns model,gpu_type,speed
            model,gpu_type,speed\\nnone,V100,1 | speeds.csv:2, model: 'none' is not valid: expected a model of the catalogue
            model,gpu_type,speed\\nlstm,GPU,1 | speeds.csv:2, gpu_type: 'GPU' is not valid: expected a GPU type, such as V100
            model,gpu_type,speed\\nlstm,V100,0 | speeds.csv:2, speed: '0' is not valid: expected a number above 0, at most 1000.0
            model,gpu_type,speed\\nlstm,V100,1\\nlstm,V100,1 | speeds.csv:3: 'lstm,V100' is not valid: expected one row for each model and GPU type
            model,gpu_type,speed\\n | speeds.csv: 'no rows' is not valid: expected speeds of models
            """)
    void bad_tables_are_refused_in_one_line(String text, String message) throws IOException {
        Path file = file(text.strip().replace("\\n", "\n"));

        assertThatThrownBy(() -> SpeedTable.read(file))
                .isInstanceOf(InputException.class)
                .hasMessage(file.getParent() + "/" + message.strip());
    }

    @Test
    void a_config_trains_on_the_speeds_of_its_table() throws IOException {
        Path table = file("model,gpu_type,speed\nlstm,P100,0.5\nlstm,K80,0.25\n");
        List<String> values = List.of("episodes.test=1", "episodes.jobs=30", "workload.model_mix=[lstm]");

        try (Experiment plain = new Experiment(ConfigReader.read(WORLD, values));
                Experiment measured =
                        new Experiment(ConfigReader.read(WORLD, with(values, "workload.speeds=" + table)))) {
            Workload before = plain.test().get(0);
            Workload after = measured.test().get(0);

            assertThat(before.job(0).model().speeds()).containsEntry("P100", 0.749);
            assertThat(after.job(0).model().speeds()).isEqualTo(Map.of("P100", 0.5, "K80", 0.25));
        }
        assertThatThrownBy(() -> ConfigReader.read(WORLD, with(values, "workload.speeds=missing.csv")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("workload.speeds: 'missing.csv' is not valid");
    }

    private static List<String> with(List<String> values, String more) {
        List<String> all = new java.util.ArrayList<>(values);
        all.add(more);
        return all;
    }
}
