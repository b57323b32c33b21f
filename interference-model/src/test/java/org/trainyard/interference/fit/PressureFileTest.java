package org.trainyard.interference.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.InputException;
import org.trainyard.interference.model.pressure.PressureModel;
import org.trainyard.interference.validation.FitErrors;

class PressureFileTest {
    private static final PressureFit.Fitted FITTED = new PressureFit.Fitted(
            new PressureModel(0.1, 1 / 3.0, 0), new FitErrors(20, 0.01, 0.02, 0.9, 0.1, 0.2), 80, Long.MIN_VALUE);

    @TempDir
    Path folder;

    private Path saved() throws IOException {
        return Files.writeString(folder.resolve("model.json"), PressureFile.json(FITTED));
    }

    @Test
    void what_is_saved_is_loaded_to_the_last_bit() throws IOException {
        assertThat(PressureFile.load(saved())).isEqualTo(FITTED);
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "trainyard-pressure-model | something-else | format: 'something-else'",
                "\"version\" : 1 | \"version\" : 2 | version: '2'",
                "\"pcie\" | \"pcle\" | fitted, model",
                "\"samples\" : 80, | '' | samples",
                "\"socket\" : 0.1 | \"socket\" : -0.1 | socket -0.1",
                "\"socket\" : 0.1 | \"socket\" : null | fitted, model, socket",
                "\"nic\" : 0.0 | \"nic\" : zero | zero",
            })
    void a_damaged_or_foreign_file_is_told_in_one_line(String text, String instead, String complaint)
            throws IOException {
        Path file = saved();
        String json = Files.readString(file);
        assertThat(json).contains(text);
        Files.writeString(file, json.replace(text, instead));

        assertThatThrownBy(() -> PressureFile.load(file))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining(complaint)
                .message()
                .hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource({"''", "null", "[]", "{}", "not json"})
    void what_is_no_model_at_all_is_refused(String content) throws IOException {
        Path file = Files.writeString(folder.resolve("other.json"), content);

        assertThatThrownBy(() -> PressureFile.load(file))
                .isInstanceOf(InputException.class)
                .message()
                .hasLineCount(1);
    }

    @Test
    void half_a_file_is_refused() throws IOException {
        Path file = saved();
        String json = Files.readString(file);
        Files.writeString(file, json.substring(0, json.length() / 2));

        assertThatThrownBy(() -> PressureFile.load(file)).isInstanceOf(InputException.class);
    }

    @Test
    void a_missing_file_is_named() {
        assertThatThrownBy(() -> PressureFile.load(folder.resolve("none.json")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("none.json");
    }
}
