package org.trainyard.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.interference.data.Scope;
import org.trainyard.interference.fit.MeasuredModels;

/** Reward and truth are never the same function. */
class BeliefIsNotTruthTest {
    private static final Path CONFIG =
            Path.of(System.getProperty("trainyard.root", "."), "experiments/configs/auction/small.yaml");
    /** A world in which nobody slows anybody down. */
    private static final List<String> NO_INTERFERENCE = Stream.of("socket", "pcie", "nic", "gpu")
            .map(part -> "physics.interference.%s_weight=0".formatted(part))
            .toList();

    @TempDir
    private Path dir;

    private static ExperimentConfig config(List<String> world, String belief) {
        return ConfigReader.read(
                CONFIG,
                Stream.concat(world.stream(), Stream.of("belief=" + belief)).toList());
    }

    @Test
    void a_belief_that_is_the_world_s_own_law_is_refused() {
        ExperimentConfig config = config(NO_INTERFERENCE, "none");

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
                        Stream.concat(NO_INTERFERENCE.stream(), Stream.of("belief=" + "none"))
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
        AnalyticInterference nicOnly = new AnalyticInterference(0, 0, 0.1, 0);
        TruthMismatch mismatch = TruthMismatch.between(nicOnly, new AnalyticInterference(0, 0, 0, 0), WHOLE_GPUS);

        assertThatCode(() -> Beliefs.requireNotTruth("belief", "mine", mismatch))
                .doesNotThrowAnyException();
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
        Shell shell = simulate("--physics", physics(0).toString(), "--interference-model", "none");

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.out()).isEmpty();
        assertThat(shell.err().lines()).singleElement().asString().contains("--interference-model", "truth itself");
    }

    @Test
    void simulate_takes_other_beliefs_and_its_default_is_the_shipped_one() throws IOException {
        String truth = physics(0.5).toString();
        Shell unsaid = simulate("--physics", truth);
        Shell shipped = simulate("--physics", truth, "--interference-model", "shipped");
        Shell none = simulate("--physics", truth, "--interference-model", "none");

        assertThat(unsaid.code()).as(unsaid.err()).isZero();
        assertThat(hash(shipped)).isEqualTo(hash(unsaid)).isNotEqualTo(hash(none));
        assertThat(none.out()).contains("\"belief\" : \"none\"");
        assertThat(unsaid.out()).doesNotContain("belief");
    }

    private static String hash(Shell shell) {
        return shell.out().replaceAll("(?s).*\"event_log_sha256\" : \"([0-9a-f]+)\".*", "$1");
    }

    private static final Set<Scope> WHOLE_GPUS = Set.of(Scope.SERVER, Scope.SOCKET, Scope.NIC);

    @Test
    void the_law_itself_is_refused_also_where_it_has_other_weights() {
        for (AnalyticInterference belief :
                List.of(AnalyticInterference.DEFAULT, new AnalyticInterference(0.1, 0.3, 2, 0))) {
            assertThatThrownBy(() -> Beliefs.requireNotTruth(
                            "belief", "law", TruthMismatch.between(belief, AnalyticInterference.DEFAULT, WHOLE_GPUS)))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("'law'")
                    .hasMessageContaining("imitates")
                    .hasMessageContaining("RMSE")
                    .hasMessageContaining("server 1.000")
                    .message()
                    .hasLineCount(1);
        }
    }

    @Test
    void the_shipped_belief_is_far_from_the_world_that_ships() {
        TruthMismatch mismatch =
                TruthMismatch.between(new MeasuredModels().shipped(), AnalyticInterference.DEFAULT, TruthMismatch.ALL);

        assertThat(mismatch.highestRank()).isBetween(0.2, 0.4).isLessThan(Beliefs.SAME_ORDER - 0.5);
        assertThat(mismatch.scopes().values())
                .allSatisfy(scope -> assertThat(scope.rmse()).isGreaterThan(0.1));
    }

    private static Set<Scope> shared(int servers, Demand... demands) {
        List<TraceJob> jobs = Stream.of(demands)
                .map(demand -> new TraceJob("j", 0, demand, 1, null, null, null, null))
                .toList();
        return TruthMismatch.shared(Clusters.resolve("%dx8".formatted(servers)), jobs, false);
    }

    @Test
    void only_scopes_that_the_jobs_can_share_are_compared() {
        assertThat(shared(4, Demand.ofGpus(1), Demand.ofGpus(2))).isEqualTo(WHOLE_GPUS);
        assertThat(shared(4, Demand.ofGpus(1))).containsExactly(Scope.SOCKET, Scope.SERVER);
        assertThat(shared(4, Demand.ofGpus(2).onOneServer())).containsExactly(Scope.SOCKET, Scope.SERVER);
        assertThat(shared(1, Demand.ofGpus(2))).containsExactly(Scope.SOCKET, Scope.SERVER);
        assertThat(shared(1, Demand.ofGpus(1).withGpuMilli(500))).contains(Scope.GPU);
    }

    @Test
    void where_contention_slows_the_network_the_interference_of_network_cards_is_not_compared() {
        List<TraceJob> jobs = List.of(new TraceJob("j", 0, Demand.ofGpus(2), 1, null, null, null, null));

        assertThat(TruthMismatch.shared(Clusters.resolve("4x8"), jobs, true))
                .containsExactly(Scope.SOCKET, Scope.SERVER);
    }

    @Test
    void a_run_says_how_far_its_belief_is_from_the_truth() {
        try (Experiment experiment = new Experiment(ConfigReader.read(CONFIG, List.of()))) {
            assertThat(experiment.remarks())
                    .anySatisfy(remark -> assertThat(remark)
                            .contains("(belief: shipped) is not what", "(RMSE)", "ranks correlate by"));
        }
    }
}
