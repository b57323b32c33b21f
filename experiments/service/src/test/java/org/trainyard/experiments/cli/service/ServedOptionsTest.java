package org.trainyard.experiments.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.experiments.service.live.ServiceSettings;
import picocli.CommandLine;

class ServedOptionsTest {
    @ParameterizedTest
    @CsvSource({
        "'', true, false",
        "'', false, true",
        "--interference-model=training, false, false",
        "--interference-model=shipped, false, false",
        "--interference-model=none, true, true"
    })
    void jobs_that_name_no_models_are_expected_not_to_interfere(String words, boolean namesModels, boolean isNone) {
        ServedOptions options = CommandLine.populateCommand(
                new ServedOptions(50), words.isEmpty() ? new String[0] : new String[] {words});

        ServiceSettings settings = options.settings(
                "serve",
                "lif",
                namesModels,
                new ServedOptions.SchedulerName("--fallback", "sjf"),
                given -> given,
                ServiceSettings.Limits.DEFAULT,
                new PrintWriter(new StringWriter()));

        assertThat(settings.belief() == InterferenceModel.NONE).isEqualTo(isNone);
    }
}
