package org.trainyard.experiments.config;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.env.InputException;
import org.trainyard.env.binding.ConfigWriter;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.contention.Contention;
import org.trainyard.experiments.training.Checkpoint;

class ConfigReaderTest {
    private static final Path CONFIGS = Path.of(System.getProperty("trainyard.root"), "experiments", "configs");

    @TempDir
    private Path directory;

    /**
     * All experiments; those of papers, games and sweeps have formats of their own, those of a trace that is not ours a
     * test of their own.
     */
    static List<Path> shipped() throws IOException {
        try (Stream<Path> files = Files.walk(CONFIGS)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .filter(file -> Stream.of("papers", "games", "sweeps")
                            .noneMatch(folder -> file.startsWith(CONFIGS.resolve(folder))))
                    .filter(file -> !file.getFileName().toString().startsWith("itp-"))
                    .sorted()
                    .toList();
        }
    }

    static List<Path> pinned() throws IOException {
        return shipped().stream()
                .filter(file -> !file.startsWith(CONFIGS.resolve("auction")) || file.endsWith("auction/scratch.yaml"))
                // Its values are those of quickstart.yaml.
                .filter(file -> !file.endsWith("base.yaml"))
                .toList();
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

    @Test
    void keys_of_older_checkpoints_that_nothing_reads_are_passed_over() throws IOException {
        ExperimentConfig config = read();
        String yaml = ConfigWriter.yaml(config);
        String old =
                yaml.replace("  control_variate: true\n", "  control_variate: true\n  critic: 32\n  teachers: null\n");
        String more = old.replace("teachers: null", "teachers: {weight_start: 1.0}");
        assertThat(old).isNotEqualTo(yaml);

        assertThat(ConfigReader.read(Files.writeString(directory.resolve("old.yaml"), old), List.of()))
                .isEqualTo(config);
        Path taught = Files.writeString(directory.resolve("taught.yaml"), more);
        assertThatThrownBy(() -> ConfigReader.read(taught, List.of()))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("unknown key 'teachers'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"marl", "restarts"})
    void a_checkpoint_with_the_former_keys_loads(String name) throws IOException {
        Path shipped = Path.of(System.getProperty("trainyard.root"), "checkpoints", name);
        for (String file : List.of("policy.bin", "untrained.bin")) {
            Files.copy(shipped.resolve(file), directory.resolve(file));
        }
        Path former = Path.of(
                System.getProperty("trainyard.root"), "experiments/whole/src/test/resources/former", name + ".yaml");
        Files.copy(former, directory.resolve("config.yaml"));
        ExperimentConfig now = ConfigReader.read(shipped.resolve("config.yaml"), List.of());

        Checkpoint checkpoint = Checkpoint.open("former", directory);
        assertThat(ConfigReader.read(checkpoint.config(), List.of())).isEqualTo(now);
        assertThat(checkpoint.policy().facts())
                .isEqualTo(Checkpoint.open("now", shipped).policy().facts());
    }

    @Test
    void a_former_key_is_read_over_a_base_and_in_an_override() throws IOException {
        Path base = CONFIGS.resolve("quickstart.yaml").toAbsolutePath();
        Path file = Files.writeString(
                directory.resolve("former.yaml"), "base: %s\nlearner: {groups: 3, order: Predicted}\n".formatted(base));

        ExperimentConfig config =
                ConfigReader.read(file, List.of("learner.group=5", "environment.view.minutes_old=7", "learner.jobs=4"));

        LearnerSettings.Auction learner = (LearnerSettings.Auction) config.learner();
        assertThat(learner.schedule().episodesPerUpdate()).isEqualTo(3);
        assertThat(learner.schedule().playsPerEpisode()).isEqualTo(5);
        assertThat(learner.policy().remainingTimeEstimator()).isEqualTo("Predicted");
        assertThat(config.environment().view().stalenessMinutes()).isEqualTo(7);
    }

    @Test
    void a_former_key_beside_its_own_is_refused() throws IOException {
        Path base = CONFIGS.resolve("quickstart.yaml").toAbsolutePath();
        Path file = Files.writeString(
                directory.resolve("both.yaml"),
                "base: %s\nlearner:\n  groups: 3\n  episodes_per_update: 3\n".formatted(base));

        assertThatThrownBy(() -> ConfigReader.read(file, List.of()))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("both.yaml:3: key 'episodes_per_update' is the former 'groups'")
                .message()
                .hasLineCount(1);
    }

    @ParameterizedTest
    @MethodSource("pinned")
    void every_key_and_value_of_a_shipped_config_is_pinned(Path file) throws IOException {
        String name = String.valueOf(file.getFileName());
        Path pinned = Path.of(
                System.getProperty("trainyard.root"),
                "experiments",
                "train",
                "src",
                "test",
                "resources",
                "configs",
                name);

        // When this fails on purpose, put the new text into the pinned file: a changed default is a change of
        // behaviour.
        assertThat(ConfigWriter.yaml(ConfigReader.read(file, List.of()))).isEqualTo(Files.readString(pinned));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "environment.reward={type: Slowdown, knows: All}",
                "network={encoder: Deep, hidden: 16, rounds: 2}"
            })
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

        assertThat(((LearnerSettings.Auction) config.learner()).schedule().updates())
                .isEqualTo(7);
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
                .isEqualTo(new Contention.SjfBco(0.062, 0.5));
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
        String text = Files.readString(CONFIGS.resolve("auction/small.yaml"))
                .replace("cluster: small", "cluster: mine.yaml")
                .replace("base: ../base.yaml", "base: " + base());
        Path file = Files.writeString(directory.resolve("config.yaml"), text);

        assertThat(ConfigReader.read(file, List.of()).cluster())
                .isEqualTo(directory.resolve("mine.yaml").toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "baselines/dqn | network={encoder: Flat, hidden: 8, rounds: 0} | network: learner Dqn does not read it:"
                        + " expected null",
                "auction/scratch | learner.start={type: Patient, hidden: 0, sharpness: 5} | learner.start.hidden: '0'"
                        + " is not valid: expected a number in 1..1024",
                "auction/scratch | learner.plays_per_episode=1 | learner.plays_per_episode: '1' is not valid: expected a number, at least 2",
                "auction/scratch | learner.ema=1 | learner.ema: '1' is not valid: expected a number in" + " 0..0.999",
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
    void numbers_may_be_written_in_every_way_of_yaml() {
        assertThat(read("episodes.jobs=1_000").episodes().jobs()).isEqualTo(1000);
        assertThat(((LearnerSettings.Auction) read("learner.learning_rate=1e-3").learner())
                        .optimiser()
                        .learningRate())
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
        return ConfigReader.read(CONFIGS.resolve("auction/small.yaml"), List.of(overrides));
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

    @Test
    void an_optional_key_of_an_optional_part_can_be_set() {
        Path file = Path.of(System.getProperty("trainyard.root", ".."), "experiments/configs/utility.yaml");
        ExperimentConfig config = ConfigReader.read(
                file,
                List.of(
                        "workload.utilities.elastic=true",
                        "physics.preemption.limit=2",
                        "physics.preemption.type=Checkpointed"));

        assertThat(requireNonNull(config.workload().utilities()).elastic()).isTrue();
        assertThat(requireNonNull(config.physics().preemption()).rules().mostPerJob())
                .isEqualTo(2);
        assertThatThrownBy(() -> ConfigReader.read(file, List.of("workload.utilities.elastik=true")))
                .hasMessageContaining("unknown key 'elastik'");
        assertThatThrownBy(() -> ConfigReader.read(file, List.of("physics.preemption.limit=2")))
                .hasMessageContaining("--set physics.preemption.limit=2, physics.preemption: key 'type' is missing");
    }
}
