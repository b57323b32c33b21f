package org.trainyard.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.interference.fit.FittedFiles;
import org.trainyard.interference.fit.LearnedInterference;
import org.trainyard.interference.fit.PressureFile;
import org.trainyard.interference.fit.PressureFit;
import org.trainyard.interference.model.pressure.PressureModel;
import org.trainyard.interference.validation.FitErrors;

/** Reward and truth are never the same function. */
class BeliefIsNotTruthTest {
    private static final Path CONFIG =
            Path.of(System.getProperty("trainyard.root", "."), "experiments/configs/ppo.yaml");
    /** A world in which nobody slows anybody down. */
    private static final List<String> NO_INTERFERENCE = Stream.of("socket", "pcie", "nic", "gpu")
            .map(part -> "physics.interference.%s_weight=0".formatted(part))
            .toList();

    @TempDir
    private Path dir;

    /** A belief in which nobody slows anybody down but over the network, by that much. */
    private Path belief(double nic) {
        Path file = dir.resolve("nic-%s.json".formatted(nic));
        AtomicFiles.write(
                file,
                PressureFile.json(
                        new PressureFit.Fitted(new PressureModel(0, 0, nic), new FitErrors(10, 0, 0, 0, 0, 0), 10, 1)));
        return file;
    }

    private static ExperimentConfig config(List<String> world, Path belief) {
        return ConfigReader.read(
                CONFIG,
                Stream.concat(world.stream(), Stream.of("belief=" + belief)).toList());
    }

    @Test
    void a_belief_that_is_the_world_s_own_law_is_refused() {
        ExperimentConfig config = config(NO_INTERFERENCE, belief(0));

        assertThatThrownBy(() -> new Experiment(config))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("belief")
                .hasMessageContaining("truth itself");
    }

    @Test
    void the_command_says_so_in_one_line_and_writes_nothing() {
        Path out = dir.resolve("run");
        String[] args = Stream.of(
                        Stream.of("train", CONFIG.toString(), "--out", out.toString()),
                        Stream.concat(NO_INTERFERENCE.stream(), Stream.of("belief=" + belief(0)))
                                .flatMap(set -> Stream.of("--set", set)))
                .flatMap(part -> part)
                .toArray(String[]::new);
        Shell shell = Shell.run(args);

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err().lines()).singleElement().asString().contains("belief", "truth itself");
        assertThat(out).doesNotExist();
    }

    @Test
    void a_belief_that_differs_on_one_scope_is_taken() {
        ExperimentConfig config = config(NO_INTERFERENCE, belief(0.1));

        assertThatCode(() -> new Experiment(config)).doesNotThrowAnyException();
    }

    private Path physics(double weight) throws IOException {
        return Files.writeString(dir.resolve("physics.yaml"), """
                interference: {type: Analytic, socket_weight: %1$s, pcie_weight: %1$s, nic_weight: 0, gpu_weight: %1$s}
                contention: {type: None}
                stragglers: 0
                restart: {type: Fixed, seconds: 30}
                outages: {type: None}
                quotas: []
                """.formatted(weight));
    }

    private static Shell simulate(String... more) {
        return Shell.run(Stream.concat(
                        Stream.of(
                                "simulate --trace generated --jobs 60 --cluster 2x4 --scheduler lif --json".split(" ")),
                        Stream.of(more))
                .toArray(String[]::new));
    }

    @Test
    void simulate_refuses_a_belief_that_is_the_truth_in_one_line() throws IOException {
        Shell shell = simulate(
                "--physics", physics(0).toString(), "--belief", belief(0).toString());

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.out()).isEmpty();
        assertThat(shell.err().lines()).singleElement().asString().contains("--belief", "truth itself");
        assertThat(simulate("--physics", physics(0).toString(), "--belief", "none")
                        .err())
                .contains("truth itself");
    }

    @Test
    void simulate_takes_other_beliefs_and_its_default_is_the_shipped_one() throws IOException {
        String truth = physics(0.5).toString();
        Shell unsaid = simulate("--physics", truth);
        Shell shipped = simulate("--physics", truth, "--belief", "shipped");
        Shell none = simulate("--physics", truth, "--belief", "none");

        assertThat(unsaid.code()).as(unsaid.err()).isZero();
        assertThat(hash(shipped)).isEqualTo(hash(unsaid)).isNotEqualTo(hash(none));
        assertThat(none.out()).contains("\"belief\" : \"none\"");
        assertThat(unsaid.out()).doesNotContain("belief");
    }

    private static String hash(Shell shell) {
        return shell.out().replaceAll("(?s).*\"event_log_sha256\" : \"([0-9a-f]+)\".*", "$1");
    }

    @Test
    void neither_belief_that_ships_is_the_world_that_ships() {
        assertThat(TruthMismatch.between(PressureFile.shipped().model(), AnalyticInterference.DEFAULT)
                        .rmse())
                .isGreaterThan(0.001);
        assertThat(TruthMismatch.between(new LearnedInterference(FittedFiles.shipped()), AnalyticInterference.DEFAULT)
                        .rmse())
                .isGreaterThan(0.001);
        assertThat(TruthMismatch.between(AnalyticInterference.DEFAULT, AnalyticInterference.DEFAULT)
                        .rmse())
                .isZero();
    }
}
