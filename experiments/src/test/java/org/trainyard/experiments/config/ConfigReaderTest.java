package org.trainyard.experiments.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.heuristic.SchedulerRegistry;
import org.trainyard.agents.learned.training.Imitation;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.agents.learned.training.ReturnBaseline;
import org.trainyard.env.InputException;
import org.trainyard.experiments.config.yaml.ConfigWriter;

class ConfigReaderTest {
    private static final Path CONFIGS = Path.of(System.getProperty("trainyard.root"), "experiments", "configs");

    @TempDir
    private Path directory;

    /** All experiments; those of papers, games and sweeps have formats of their own, those of a trace that is not ours a test of their own. */
    static List<Path> shipped() throws IOException {
        try (Stream<Path> files = Files.walk(CONFIGS)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> Stream.of("papers", "games", "sweeps")
                            .noneMatch(folder -> file.startsWith(CONFIGS.resolve(folder))))
                    .filter(file -> !file.getFileName().toString().startsWith("itp-"))
                    .sorted()
                    .toList();
        }
    }

    static List<Path> pinned() throws IOException {
        List<Path> held = List.of(CONFIGS.resolve("learned"), CONFIGS.resolve("ablations"), CONFIGS.resolve("auction"));
        return shipped().stream()
                .filter(file -> !held.contains(file.getParent()) || file.endsWith("auction/scratch.yaml"))
                // Its values are those of quickstart.yaml.
                .filter(file -> !file.endsWith("base.yaml"))
                .toList();
    }

    /** What an ablation changes, beside its name: the lines that say so in the file written from it. */
    static Stream<Arguments> ablations() {
        return Stream.of(
                Arguments.of(
                        "warm-start",
                        "no-warm-start",
                        List.of("network: null", "start_from: checkpoints/no-preemption")),
                Arguments.of("no-graph-network", "no-warm-start", List.of("encoder: Flat")),
                Arguments.of("one-agent", "no-warm-start", List.of("domains: \"1\"")),
                Arguments.of("no-forwarding", "no-warm-start", List.of("max_hops: 0")),
                Arguments.of("truth", "no-warm-start", List.of("knows: Truth")),
                Arguments.of("reward-jct", "no-warm-start", List.of("type: Jct")),
                Arguments.of("reward-slowdown", "no-warm-start", List.of("type: Slowdown")),
                Arguments.of("reward-progress", "no-warm-start", List.of("type: NormalisedProgress")),
                Arguments.of("no-interference", "search", List.of("belief: none")));
    }

    @ParameterizedTest
    @MethodSource("shipped")
    void every_shipped_config_loads_and_is_called_as_its_file(Path file) {
        assertThat(file.getFileName())
                .hasToString(ConfigReader.read(file, List.of()).name() + ".yaml");
    }

    @ParameterizedTest
    @MethodSource("shipped")
    void a_config_written_is_read_back_the_same(Path file) throws IOException {
        ExperimentConfig config = ConfigReader.read(file, List.of());
        Path copy = Files.writeString(directory.resolve("copy.yaml"), ConfigWriter.yaml(config));

        assertThat(ConfigReader.read(copy, List.of())).isEqualTo(config);
    }

    @ParameterizedTest
    @MethodSource("pinned")
    void every_key_and_value_of_a_shipped_config_is_pinned(Path file) throws IOException {
        String name = String.valueOf(file.getFileName());
        Path pinned = Path.of(
                System.getProperty("trainyard.root"), "experiments", "src", "test", "resources", "configs", name);

        // When this fails on purpose, put the new text into the pinned file: a changed default is a change of
        // behaviour.
        assertThat(ConfigWriter.yaml(ConfigReader.read(file, List.of()))).isEqualTo(Files.readString(pinned));
    }

    @ParameterizedTest
    @MethodSource("ablations")
    void an_ablation_differs_from_its_reference_by_one_thing(String name, String reference, List<String> changes) {
        List<String> lines = new ArrayList<>(lines(name));
        lines.removeAll(lines(reference));

        List<String> expected = new ArrayList<>(List.of("name: " + name));
        expected.addAll(changes);
        assertThat(lines).containsExactlyElementsOf(expected);
    }

    @Test
    void every_ablation_is_compared_with_a_reference() throws IOException {
        List<String> compared = new ArrayList<>(List.of("no-warm-start", "search"));
        ablations().forEach(ablation -> compared.add((String) ablation.get()[0]));

        assertThat(shipped().stream()
                        .filter(file -> file.startsWith(CONFIGS.resolve("ablations")))
                        .map(file -> String.valueOf(file.getFileName()).replace(".yaml", "")))
                .containsExactlyInAnyOrderElementsOf(compared);
    }

    private static List<String> lines(String ablation) {
        Path file = CONFIGS.resolve("ablations").resolve(ablation + ".yaml");
        return ConfigWriter.yaml(ConfigReader.read(file, List.of()))
                .lines()
                .map(String::strip)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"environment.reward={type: Slowdown, knows: All}", "network.encoder=Deep"})
    void a_word_that_is_none_of_the_known_ones_is_refused(String override) {
        assertThatThrownBy(() -> read(override))
                .isInstanceOf(InputException.class)
                .hasMessageMatching(".*'(All|Deep)' is not valid: expected (Belief or Truth|Hierarchical or Flat)");
    }

    @Test
    void the_table_of_all_heuristics_leaves_none_out() {
        ExperimentConfig config = ConfigReader.read(CONFIGS.resolve("heuristics.yaml"), List.of());

        assertThat(config.schedulers())
                .containsAll(SchedulerRegistry.entries().stream()
                        .filter(entry -> !entry.replaysTrace())
                        .map(SchedulerRegistry.Entry::name)
                        .toList());
    }

    @Test
    void an_override_replaces_one_value() {
        ExperimentConfig config = read("learner.updates=7", "environment.reward={type: Jct}", "workload.strict=true");

        assertThat(((LearnerSettings.Ppo) config.learner()).updates()).isEqualTo(7);
        assertThat(config.environment().reward()).isEqualTo(new RewardConfig.Jct());
        assertThat(config.workload().strict()).isTrue();
    }

    @Test
    void every_contention_is_written_and_read_back_the_same() throws IOException {
        for (String contention : List.of("{type: None}", "{type: MaxMin}", "{type: SjfBco, a: 0.062, xi: 0.5}")) {
            ExperimentConfig config = read("physics.interference.nic_weight=0", "physics.contention=" + contention);
            Path file = directory.resolve("written.yaml");
            Files.writeString(file, ConfigWriter.yaml(config));

            assertThat(ConfigReader.read(file, List.of())).isEqualTo(config);
        }
        assertThat(read("physics.interference.nic_weight=0", "physics.contention={type: SjfBco, a: 0.062, xi: 0.5}")
                        .physics()
                        .contention())
                .isEqualTo(new ContentionConfig.SjfBco(0.062, 0.5));
    }

    @Test
    void an_override_may_be_a_list() {
        assertThat(read("schedulers=[fifo]").schedulers()).containsExactly("fifo");
    }

    @Test
    void a_config_has_the_keys_of_its_base_but_for_those_that_it_names() throws IOException {
        Files.writeString(directory.resolve("general.yaml"), "base: %s%nname: general%nseed: 7%n".formatted(base()));
        Path special = Files.writeString(directory.resolve("special.yaml"), """
            base: general.yaml
            name: special
            physics:
              interference: {nic_weight: 0.0}
              contention: {type: SjfBco, a: 0.1, xi: 0.5}
            schedulers: [fifo]
            """);

        ExperimentConfig read = ConfigReader.read(special, List.of("episodes.jobs=30"));

        assertThat(ConfigWriter.yaml(read).lines())
                .contains(
                        "name: special",
                        "seed: 7",
                        "    socket_weight: 0.6",
                        "    nic_weight: 0.0",
                        "    xi: 0.5",
                        "  jobs: 30");
        assertThat(read.schedulers()).containsExactly("fifo");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "base: none.yaml; base: 'none.yaml' is not valid: expected a config file that has all other keys; no"
                        + " such file",
                "base: [a]; base: 'a list' is not valid: expected a config file that has all other keys",
                "base: own.yaml; base: 'own.yaml' is not valid: expected a file that does not have this file as its"
                        + " base",
            })
    void a_base_that_is_none_is_refused_where_it_is_named(String line, String expected) throws IOException {
        Path own = Files.writeString(directory.resolve("own.yaml"), line + "\n");

        assertThatThrownBy(() -> ConfigReader.read(own, List.of()))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(expected)
                .hasMessageContaining("own.yaml:1");
    }

    @Test
    void a_wrong_value_is_named_with_the_file_that_has_it() throws IOException {
        Path general = Files.writeString(directory.resolve("general.yaml"), "base: %s%nseed: x%n".formatted(base()));
        Path own = Files.writeString(directory.resolve("own.yaml"), "base: general.yaml\nname: own\n");

        assertThatThrownBy(() -> ConfigReader.read(own, List.of()))
                .hasMessage("%s:2, seed: 'x' is not valid: expected a whole number".formatted(general));
    }

    private static Path base() {
        return CONFIGS.resolve("base.yaml");
    }

    @Test
    void a_cluster_file_is_looked_for_beside_the_config() throws IOException {
        Path shippedCluster = CONFIGS.resolveSibling("clusters").resolve("small.yaml");
        Files.copy(shippedCluster, directory.resolve("mine.yaml"));
        String text = Files.readString(CONFIGS.resolve("ppo.yaml")).replace("cluster: small", "cluster: mine.yaml");
        Path file = Files.writeString(directory.resolve("config.yaml"), text);

        assertThat(ConfigReader.read(file, List.of()).cluster())
                .isEqualTo(directory.resolve("mine.yaml").toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "learned/aligned | environment.reward={type: Jct} | environment.reward: learner Search does not read"
                        + " it: expected null",
                "learned/aligned | environment.team_share=0.5 | environment.team_share: learner Search does not read"
                        + " it: expected null",
                "learned/aligned | environment.horizon_hours=720 | environment.horizon_hours: learner Search does not"
                        + " read it: expected null",
                "learned/aligned | network=null | network: is null, but learner Search reads it: expected a value",
                "auction/scratch | environment.reward=null | environment.reward: is null, but learner Auction reads"
                        + " it: expected a value",
                "auction/scratch | environment.window=16 | environment.window: learner Auction does not read it:"
                        + " expected null",
                "auction/scratch | environment.max_hops=2 | environment.max_hops: learner Auction does not read it:"
                        + " expected null",
                "auction/scratch | environment.horizon_hours=720 | environment.horizon_hours: learner Auction does not"
                        + " read it: expected null",
                "auction/scratch | environment.team_share=1 | environment.team_share: learner Auction does not read"
                        + " it: expected null",
                "auction/scratch | learner.start={type: Patient, hidden: 0, sharpness: 5} | learner.start.hidden: '0'"
                        + " is not valid: expected a number in 1..1024",
                "auction/scratch | learner.group=1 | learner.group: '1' is not valid: expected a number, at least 2",
                "auction/expert-iteration | learner.arms=1 | learner.arms: '1' is not valid: expected a number, at"
                        + " least 2",
                "auction/expert-iteration | learner.futures=1 | learner.futures: '1' is not valid: expected a number,"
                        + " at least 2",
                "auction/expert-iteration | learner.decisions=3 | learner.decisions: '3' is not valid: expected a"
                        + " number, at least 16",
                "auction/expert-iteration | learner.plausible=0.6 | learner.plausible: '0.6' is not valid: expected a"
                        + " number in 0..0.5",
                "auction/expert-iteration | environment.window=16 | environment.window: learner ExpertIteration does"
                        + " not read it: expected null",
                "auction/scratch | learner.average=1 | learner.average: '1' is not valid: expected a number in"
                        + " 0..0.999",
                "ppo | environment.window=null | environment.window: is null, but learner Ppo reads it: expected a"
                        + " value",
                "ppo | environment.reward=null | environment.reward: is null, but learner Ppo reads it: expected a"
                        + " value",
                "ppo | learner.start_from=checkpoints/rule | network: learner Ppo with start_from does not read it:"
                        + " expected null",
                "ppo | learner.inverse_temperature=5.0 | learner.inverse_temperature: '5.0' is not valid: expected 1,"
                        + " or a checkpoint in start_from",
            })
    void a_key_that_the_learner_does_not_read_is_null_and_every_other_has_a_value(
            String config, String override, String complaint) {
        assertThatThrownBy(() -> ConfigReader.read(CONFIGS.resolve(config + ".yaml"), List.of(override)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(complaint)
                .message()
                .hasLineCount(1);
    }

    @Test
    void a_teacher_and_groups_must_be_possible() {
        assertThatThrownBy(() -> read("learner.residual=true"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("learner.residual")
                .hasMessageContaining("start_from");
        assertThatThrownBy(() -> read("learner.teacher_weight_end=0.1"))
                .hasMessageContaining("learner.teacher_weight_end")
                .hasMessageContaining("0, or a checkpoint in start_from");
        assertThatThrownBy(() -> read("learner.baseline={type: CommonEpisodes, group: 5}"))
                .hasMessageContaining("learner.environments")
                .hasMessageContaining("a multiple of 10");
        assertThatThrownBy(() -> read("learner.steps_per_update=2050"))
                .hasMessage("--set learner.steps_per_update=2050, learner.steps_per_update: '2050' is not valid:"
                        + " expected a multiple of environments (32)");
        LearnerSettings.Ppo learner =
                (LearnerSettings.Ppo) read("learner.imitate={type: Rule, updates: 3}", "learner.teacher_weight_end=0.1")
                        .learner();
        assertThat(learner.imitate()).isEqualTo(new Imitation.Rule(3));
    }

    @Test
    void residual_learning_ships_with_what_it_starts_from() {
        ExperimentConfig config = ConfigReader.read(CONFIGS.resolve("learned").resolve("residual.yaml"), List.of());
        LearnerSettings.Ppo learner = (LearnerSettings.Ppo) config.learner();
        assertThat(learner.residual()).isTrue();
        assertThat(learner.startFrom()).isEqualTo("checkpoints/rule");
        assertThat(learner.baseline()).isEqualTo(new ReturnBaseline.CommonEpisodes(4));
    }

    @Test
    void numbers_may_be_written_in_every_way_of_yaml() {
        assertThat(read("episodes.jobs=1_000").episodes().jobs()).isEqualTo(1000);
        assertThat(((LearnerSettings.Ppo) read("learner.learning_rate=1e-3").learner()).learningRate())
                .isEqualTo(1e-3);
        assertThat(read("seed=-9223372036854775808").seed()).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void a_number_that_does_not_fit_is_refused() {
        assertThatThrownBy(() -> read("episodes.jobs=4294967297"))
                .isInstanceOf(InputException.class)
                .hasMessage("--set episodes.jobs=4294967297, episodes.jobs: '4294967297' is not valid: expected a whole"
                        + " number");
    }

    private static ExperimentConfig read(String... overrides) {
        return ConfigReader.read(CONFIGS.resolve("ppo.yaml"), List.of(overrides));
    }

    @Test
    void an_optional_key_that_the_file_lacks_can_be_set_and_is_written_only_then() {
        Path file = Path.of(System.getProperty("trainyard.root", ".."), "experiments/configs/heuristics.yaml");
        ExperimentConfig warm = ConfigReader.read(
                file, List.of("episodes.warm_start=true", "episodes.train_share=0", "workload.models=mix"));

        assertThat(warm.episodes().warmStart()).isTrue();
        assertThat(warm.workload().drawsModels()).isTrue();
        assertThat(ConfigWriter.yaml(warm)).contains("warm_start: true", "models: mix");
        assertThat(ConfigWriter.yaml(ConfigReader.read(file, List.of()))).doesNotContain("warm_start", "models:");
        assertThatThrownBy(() -> ConfigReader.read(file, List.of("episodes.warm_strat=true")))
                .hasMessageContaining("warm_strat");
    }
}
