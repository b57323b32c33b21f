package org.trainyard.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.binding.ConfigWriter;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.config.BeliefConfig;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.interference.data.Scope;
import org.trainyard.interference.fit.MeasuredModels;
import org.trainyard.interference.profiled.ProfiledInterference;
import org.trainyard.interference.profiled.ProfiledInterference.Sample;

/** The belief that measures the cluster that it is about. */
class SampledBeliefTest {
    private static final Path CONFIGS = Path.of(System.getProperty("trainyard.root", "."), "experiments/configs")
            .toAbsolutePath();
    private static final List<ModelProfile> MODELS = Stream.of("bert", "lstm", "dlrm", "vgg16", "a2c", "resnet18")
            .map(name -> Objects.requireNonNull(ModelCatalog.standard().find(name)))
            .toList();
    private static final Set<Scope> SCOPES = Set.of(Scope.SERVER, Scope.SOCKET, Scope.NIC);

    private static List<Sample> samples(double share, double noise, long seed) {
        return new ClusterSamples(MODELS, SCOPES, 8)
                .take(AnalyticInterference.DEFAULT, new BeliefConfig.Samples(share, noise), seed);
    }

    private static TruthMismatch mismatch(InterferenceModel belief) {
        return TruthMismatch.between(belief, AnalyticInterference.DEFAULT, SCOPES, MODELS);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.01, 0.1, 0.333, 1})
    void no_more_is_measured_than_the_share_and_no_pair_twice(double share) {
        ClusterSamples cluster = new ClusterSamples(MODELS, SCOPES, 8);
        List<Sample> samples = cluster.take((victim, place) -> 1.5, new BeliefConfig.Samples(share, 0), 1);

        // Six models beside six, on a socket or not, across servers or not, the neighbour on 1, 2 or 4 GPUs.
        assertThat(cluster.count()).isEqualTo(6 * 6 * 4 * 3);
        assertThat(samples).hasSize((int) (share * 432)).doesNotHaveDuplicates();
    }

    /** The law of the simulator is asked once for each measurement, and never by the fit or by its predictions. */
    @Test
    void the_fit_sees_nothing_of_the_law_but_the_samples() {
        int[] asked = {0};
        InterferenceModel law = (victim, place) -> {
            asked[0]++;
            return AnalyticInterference.DEFAULT.slowdown(victim, place);
        };
        List<Sample> samples = new ClusterSamples(MODELS, SCOPES, 8).take(law, new BeliefConfig.Samples(0.1, 0.05), 1);

        mismatch(ProfiledInterference.fit(samples, 8, 1));

        assertThat(asked[0]).isEqualTo(samples.size()).isEqualTo(43);
    }

    @Test
    void equal_seeds_measure_and_predict_the_same_and_others_do_not() {
        TruthMismatch one = mismatch(ProfiledInterference.fit(samples(0.2, 0.05, 1), 8, 1));

        assertThat(samples(0.2, 0.05, 1)).isEqualTo(samples(0.2, 0.05, 1));
        assertThat(mismatch(ProfiledInterference.fit(samples(0.2, 0.05, 1), 8, 1)))
                .isEqualTo(one);
        assertThat(mismatch(ProfiledInterference.fit(samples(0.2, 0.05, 2), 8, 2)))
                .isNotEqualTo(one);
    }

    @Test
    void noise_is_that_of_the_logarithm() {
        List<Sample> exact = samples(1, 0, 1);
        List<Sample> noisy = samples(1, 0.3, 1);
        double squares = 0;
        for (int i = 0; i < exact.size(); i++) {
            squares += Math.pow(Math.log(noisy.get(i).slowdown() / exact.get(i).slowdown()), 2);
        }

        assertThat(Math.sqrt(squares / exact.size())).isBetween(0.25, 0.35);
    }

    @Test
    void all_pairs_without_noise_are_known_as_they_are_and_the_run_is_allowed() {
        try (Experiment experiment = world("papers/marl.yaml", "{type: Samples, share: 1, noise: 0}")) {
            TruthMismatch mismatch = TruthMismatch.between(
                    experiment.belief(),
                    AnalyticInterference.DEFAULT,
                    SCOPES,
                    List.of(MODELS.get(1), MODELS.get(2), MODELS.get(3)));

            assertThat(mismatch.scopes().values())
                    .hasSize(3)
                    .allSatisfy(scope -> assertThat(scope.rankCorrelation()).isGreaterThan(0.95));
            assertThat(mismatch.all().rmse()).isLessThan(0.01);
        }
    }

    private static Experiment world(String config, String belief) {
        return new Experiment(ConfigReader.read(CONFIGS.resolve(config), List.of("belief=" + belief)));
    }

    /** The ranks of experiments/docs/science/interference.md. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "papers/marl-predictor.yaml | name=marl",
                "papers/shared-predictor.yaml | name=shared",
                "auction/all-worlds/shared-drawn.yaml | belief={type: Samples, share: 0.5, noise: 0.05}"
            })
    void it_knows_its_world_better_than_the_belief_that_ships(String config, String setting) {
        try (Experiment experiment = new Experiment(ConfigReader.read(CONFIGS.resolve(config), List.of(setting)))) {
            InterferenceModel truth =
                    experiment.config().physics().interference().model();
            List<String> mix =
                    Objects.requireNonNull(experiment.config().workload().modelMix());
            List<ModelProfile> models = mix.stream()
                    .map(name -> Objects.requireNonNull(ModelCatalog.standard().find(name)))
                    .toList();
            Set<Scope> shared = new HashSet<>(SCOPES);
            if (experiment.sharesGpus()) {
                shared.add(Scope.GPU);
            }
            TruthMismatch own = TruthMismatch.between(experiment.belief(), truth, shared, models);
            TruthMismatch shipped = TruthMismatch.between(new MeasuredModels().shipped(), truth, shared, models);

            for (Scope scope : shared) {
                double ours = own.scopes().get(scope).rankCorrelation();
                boolean varies = ours != 0;
                assertThat(ours)
                        .as("%s, %s: %s against %s", config, scope, own, shipped)
                        .isGreaterThanOrEqualTo(shipped.scopes().get(scope).rankCorrelation() + (varies ? 0.2 : 0));
            }
            assertThat(own.all().rmse()).isLessThan(0.6 * shipped.all().rmse());
        }
    }

    @Test
    void a_config_is_written_as_it_was_read() {
        for (String belief : List.of("none", "{type: Samples, share: 0.1, noise: 0.05}")) {
            var config = ConfigReader.read(CONFIGS.resolve("papers/marl.yaml"), List.of("belief=" + belief));

            assertThat(ConfigReader.parse("again", ConfigWriter.yaml(config))).isEqualTo(config);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{type: Samples, share: 0, noise: 0.05} | belief.share",
                "{type: Samples, share: 1.5, noise: 0.05} | belief.share",
                "{type: Samples, share: 0.00001, noise: 0.05} | belief.share",
                "{type: Samples, share: 0.1, noise: -1} | belief.noise",
                "{type: Samples, share: 0.1} | key 'noise' is missing",
                "{type: Named, name: none} | expected one of Samples",
                "[none] | such as shipped, none, the folder",
                "'' | belief",
                "nowhere | no such file"
            })
    void a_bad_value_is_refused_in_one_line(String belief, String said) {
        Shell shell =
                Shell.run("evaluate", CONFIGS.resolve("papers/marl.yaml").toString(), "--set", "belief=" + belief);

        assertThat(shell.code()).as(shell.err()).isEqualTo(2);
        assertThat(shell.err().lines()).singleElement().asString().contains(said);
    }
}
