package org.trainyard.experiments.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.agents.learned.bids.InitialBids;
import org.trainyard.agents.learned.training.BidStart;
import org.trainyard.agents.learned.training.PolicySettings;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.binding.ConfigWriter;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.evaluation.EvaluationRunner;
import org.trainyard.experiments.run.EpisodeSet;
import org.trainyard.experiments.run.Experiment;

/** Training in several worlds, small. */
class TrainingWorldsTest {
    private static final Path CONFIGS =
            Path.of(System.getProperty("trainyard.root", ".."), "experiments", "configs", "auction");
    private static final List<String> SMALL = List.of(
            "episodes.jobs=30",
            "episodes.validation=2",
            "episodes.test=2",
            "learner.updates=2",
            "validate_every=1",
            "checkpoint_every=1",
            "schedulers=[fifo, sjf]",
            "belief=none");

    @TempDir
    Path folder;

    private Path other = Path.of("");

    @BeforeEach
    void write_another_world() throws IOException {
        other = folder.resolve("other.yaml");
        ExperimentConfig config = ConfigReader.read(
                CONFIGS.resolve("wide-gangs.yaml"),
                Stream.concat(SMALL.stream(), Stream.of("environment.preemption=false"))
                        .toList());
        Files.writeString(other, ConfigWriter.yaml(config));
    }

    private ExperimentConfig config(String... values) {
        List<String> all = Stream.of(
                        SMALL.stream(), Stream.of("cluster=small", "worlds=['%s']".formatted(other)), Stream.of(values))
                .flatMap(value -> value)
                .toList();
        return ConfigReader.read(CONFIGS.resolve("scratch.yaml"), all);
    }

    @Test
    void training_takes_episodes_of_each_world_in_turn_and_validates_in_all() {
        BidPolicy bids = new BidPolicy(
                InitialBids.patient(8, 5, RandomStreams.stream(1, "test")),
                new AuctionSettings(RemainingTime.GITTINS, 6, 8, 0, false, true));
        try (Experiment first = new Experiment(config());
                Experiment second = new Experiment(ConfigReader.read(other, List.of("seed=1")));
                TrainingWorlds worlds = new TrainingWorlds(first)) {
            assertThat(worlds.get(worlds.worldOf(4))).isSameAs(first);
            assertThat(worlds.get(worlds.worldOf(5)).topology().gpus())
                    .isEqualTo(second.topology().gpus());
            assertThat(worlds.episode(4)).isEqualTo(2);
            assertThat(worlds.episode(5)).isEqualTo(2);

            double here = EvaluationRunner.geometricMeanJctSeconds(first, bids, EpisodeSet.validation(first));
            double there = EvaluationRunner.geometricMeanJctSeconds(second, bids, EpisodeSet.validation(second));
            assertThat(worlds.geometricMeanJctSeconds(bids)).isCloseTo(Math.sqrt(here * there), within(1e-6 * here));
        }
    }

    @Test
    void an_encoder_learns_in_one_world_only() {
        try (Experiment first = new Experiment(config("network={encoder: Flat, hidden: 4, rounds: 0}"))) {
            assertThatThrownBy(() -> new TrainingWorlds(first))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("worlds")
                    .hasMessageContaining("without an encoder");
        }
    }

    @Test
    void two_runs_in_two_worlds_end_with_the_same_bytes() throws IOException {
        Path whole = folder.resolve("whole");
        Path again = folder.resolve("again");
        assertThat(train(whole).code()).isZero();
        assertThat(train(again).code()).isZero();

        assertThat(again.resolve("checkpoints/last/policy.bin"))
                .hasBinaryContent(Files.readAllBytes(whole.resolve("checkpoints/last/policy.bin")));
        assertThat(whole.resolve("checkpoints/best/provenance.json")).content().contains("worlds/");
    }

    @Test
    void training_goes_on_from_the_mean_of_several_policies_and_names_them() throws IOException {
        Path one = folder.resolve("one");
        Path two = folder.resolve("two");
        assertThat(train(one).code()).isZero();
        assertThat(train(two, "seed=2").code()).isZero();

        Path both = folder.resolve("both");
        String start = "learner.start={type: Ensemble, from: ['%s', '%s']}"
                .formatted(one.resolve("checkpoints/best"), two.resolve("checkpoints/best"));
        assertThat(train(both, start).code()).isZero();
        assertThat(BidPolicy.load(both.resolve("checkpoints/best/untrained.bin"))
                        .network()
                        .hidden())
                .as("the mean of what both were before")
                .isEqualTo(BidPolicy.load(one.resolve("checkpoints/best/untrained.bin"))
                                .network()
                                .hidden()
                        + BidPolicy.load(two.resolve("checkpoints/best/untrained.bin"))
                                .network()
                                .hidden());
        assertThat(both.resolve("checkpoints/best/provenance.json"))
                .content()
                .contains("learner.start.from/" + one.resolve("checkpoints/best"))
                .contains("learner.start.from/" + two.resolve("checkpoints/best"));

        Shell alone = train(folder.resolve("alone"), "learner.start={type: Ensemble, from: ['%s']}".formatted(one));
        assertThat(alone.code()).isEqualTo(2);
        assertThat(alone.err()).contains("learner.start.from", "two checkpoints or more");
        Shell missing = train(folder.resolve("missing"), "learner.start={type: Ensemble, from: [a, b]}");
        assertThat(missing.code()).isEqualTo(2);
        assertThat(missing.err()).contains("learner.start.from", "a");
    }

    private static BidNetwork first(BidStart start) {
        return BidStarts.first(new PolicySettings(start, "Gittins", 6, 8, 2, true), null, 1)
                .network();
    }

    @Test
    void an_adjusted_start_differs_from_its_checkpoint_by_what_is_added() {
        String shipped = CONFIGS.resolve("../../../checkpoints/default").toString();
        BidStart.Weight charge = new BidStart.Weight("MOVE", "RESTART_TIME", -25);
        BidNetwork before = first(new BidStart.Checkpoint(shipped));
        BidNetwork after = first(new BidStart.Reweighted(shipped, List.of(charge)));

        int at = before.layout().linearAt(BidKind.MOVE.index()) + BidColumn.RESTART_TIME.index();
        assertThat(after.weights()[at]).isEqualTo(before.weights()[at] - 25);
        before.weights()[at] = after.weights()[at];
        assertThat(after.weights()).isEqualTo(before.weights());

        Shell unknown = train(
                folder.resolve("unknown"),
                "learner.start={type: Reweighted, from: a, weights: [{bid: MOVE, column: RESTART, add: 1.0}]}");
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err()).contains("column", "RESTART", "one of GPUS, REMAINING_TIME");
    }

    private Shell train(Path out, String... values) {
        List<String> args =
                new ArrayList<>(List.of("train", CONFIGS.resolve("scratch.yaml").toString(), "--out", out.toString()));
        Stream.of(SMALL.stream(), Stream.of("cluster=small", "worlds=['%s']".formatted(other)), Stream.of(values))
                .flatMap(value -> value)
                .forEach(value -> args.addAll(List.of("--set", value)));
        return Shell.run(args);
    }
}
