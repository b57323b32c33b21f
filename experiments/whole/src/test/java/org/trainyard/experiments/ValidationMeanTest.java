package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.run.Experiment;

/** Training keeps the policy of the least geometric mean JCT, and says so wherever it shows that number. */
class ValidationMeanTest {
    @TempDir
    private static Path run;

    private static Shell shell = new Shell(0, "", "");

    @BeforeAll
    static void train_with_three_validation_episodes() {
        shell = TinyTraining.run(List.of("auction/small.yaml"), run, "--set", "episodes.validation=3");
        assertThat(shell.code()).as(shell.err()).isZero();
    }

    private static double loggedSeconds() throws Exception {
        JsonNode log = new ObjectMapper().readTree(Files.readString(run.resolve("checkpoints/last/log.json")));
        double least = log.get("untrainedGeometricMeanJctSeconds").asDouble();
        for (JsonNode entry : log.get("updates")) {
            least = Math.min(
                    least, entry.get("validationGeometricMeanJctSeconds").asDouble());
        }
        return least;
    }

    @Test
    void the_logged_validation_is_the_geometric_mean_over_the_episodes_of_the_policy_kept() throws Exception {
        Path best = run.resolve("checkpoints/best");
        Experiment experiment = new Experiment(ConfigReader.read(best.resolve("config.yaml"), List.of()));
        double logs = 0;
        double sum = 0;
        BidPolicy policy = BidPolicy.load(best.resolve("policy.bin"));
        List<Workload> episodes =
                experiment.validation(experiment.config().learner().arrivalSpeeds());
        for (Workload episode : episodes) {
            double seconds = experiment
                    .world()
                    .simulator(episode)
                    .run(experiment.scheduler(policy))
                    .meanJctSeconds();
            logs += Math.log(seconds) / 3;
            sum += seconds / 3;
        }

        assertThat(loggedSeconds()).isCloseTo(Math.exp(logs), within(1e-6)).isNotCloseTo(sum, within(1.0));
    }

    @Test
    void it_is_called_a_geometric_mean_in_messages_tensorboard_and_report() throws Exception {
        assertThat(shell.out())
                .contains("with a geometric mean JCT of %s on the validation episodes"
                        .formatted(Durations.human(loggedSeconds())));
        try (Stream<Path> files = Files.list(run.resolve("tensorboard"))) {
            assertThat(files)
                    .singleElement()
                    .satisfies(file -> assertThat(file)
                            .content(StandardCharsets.ISO_8859_1)
                            .contains("validation/geometric_mean_jct_seconds", "train/mean_jct_seconds")
                            .doesNotContain("validation/mean_jct_seconds"));
        }
        assertThat(Files.readString(run.resolve("report.html"))).contains("validation geometric mean JCT, seconds");
    }
}
