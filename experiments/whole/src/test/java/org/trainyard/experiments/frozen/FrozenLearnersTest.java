package org.trainyard.experiments.frozen;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.experiments.Shell;

/** What each learner has learned after two updates stays as it is, with everything on that it can do. */
class FrozenLearnersTest {
    private static final Path CONFIGS = FrozenText.ROOT.resolve("experiments/configs");
    private static final List<String> SMALL = List.of(
            "cluster=small",
            "episodes.jobs=30",
            "episodes.validation=2",
            "episodes.test=5",
            "validate_every=1",
            "checkpoint_every=1",
            "schedulers=[fifo]");
    private static final List<String> AUCTION = List.of(
            "learner.updates=2",
            "learner.episodes_per_update=2",
            "learner.plays_per_episode=3",
            "learner.minibatch=32",
            "learner.epochs=2",
            "learner.start={type: Scratch, hidden: 6}",
            "learner.discount_hours=4",
            "learner.lambda_horizon_hours=6",
            "learner.entropy=0.01",
            "learner.ema=0.9",
            "learner.logit_decay=0.3",
            "learner.group_baseline=true",
            "learner.control_variate=true",
            "learner.arrival_speeds=[0.8, 1.2]");
    /** Sums of PyTorch and of its gradients differ between processors. */
    private static final double TOLERANCE = 1e-3;

    @TempDir
    private Path folder;

    private JsonNode train(String config, Stream<String> values) throws IOException {
        List<String> args =
                new ArrayList<>(List.of("train", CONFIGS.resolve(config).toString(), "--out", folder.toString()));
        values.forEach(value -> args.addAll(List.of("--set", value)));
        Shell shell = Shell.run(args);
        assertThat(shell.code()).as(shell.err()).isZero();
        return new ObjectMapper().readTree(folder.resolve("summary.json").toFile());
    }

    private JsonNode trainBids(String config, List<String> values) throws IOException {
        train(config, Stream.concat(SMALL.stream(), values.stream()));
        return new ObjectMapper()
                .readTree(folder.resolve("checkpoints/last/log.json").toFile())
                .get("updates");
    }

    private float[] weights() {
        return BidPolicy.load(folder.resolve("checkpoints/last/policy.bin"))
                .network()
                .weights();
    }

    private static double spread(float[] weights) {
        double squares = 0;
        for (float weight : weights) {
            squares += (double) weight * weight;
        }
        return Math.sqrt(squares);
    }

    private static List<String> statistics(JsonNode updates) {
        List<String> lines = new ArrayList<>();
        for (JsonNode update : updates) {
            update.get("statistics").properties().forEach(figure -> {
                if (figure.getValue().isNumber()) {
                    lines.add(FrozenText.line(
                            "update %s %s".formatted(update.at("/statistics/update"), figure.getKey()),
                            figure.getValue().asDouble()));
                }
            });
        }
        return lines;
    }

    @Test
    void the_auction_learns_the_same_figures() throws IOException {
        JsonNode updates = trainBids("auction/scratch-preemption.yaml", AUCTION);

        List<String> lines = statistics(updates);
        lines.add(FrozenText.line("weights", spread(weights())));
        FrozenText.assertFrozen("learner-auction", lines, TOLERANCE);
    }

    @Test
    void the_auction_with_an_encoder_learns_the_same_figures() throws IOException {
        JsonNode updates = trainBids(
                "auction/scratch-preemption.yaml",
                Stream.concat(
                                AUCTION.stream(),
                                Stream.of(
                                        "learner.remaining_time_estimator=GittinsLimitBySharing",
                                        "network={encoder: Hierarchical, hidden: 6, rounds: 1}"))
                        .toList());

        List<String> lines = statistics(updates);
        lines.add(FrozenText.line("weights", spread(weights())));
        FrozenText.assertFrozen("learner-auction-encoder", lines, TOLERANCE);
    }

    @Test
    void deep_q_learning_learns_the_same_figures() throws IOException {
        JsonNode updates = trainBids(
                "baselines/dqn.yaml",
                List.of(
                        "learner.updates=2",
                        "learner.episodes_per_update=2",
                        "learner.references=2",
                        "learner.hidden=6",
                        "learner.warm_up=20",
                        "learner.learn_every=4",
                        "learner.batch=16",
                        "learner.target_every=5",
                        "learner.explore_start=0.5",
                        "learner.ema=0.7"));

        List<String> lines = statistics(updates);
        lines.add(FrozenText.line("weights", spread(weights())));
        FrozenText.assertFrozen("learner-dqn", lines, TOLERANCE);
    }

    @ParameterizedTest
    @CsvSource({"Table", "'Network, hidden: 8'"})
    void both_players_of_a_game_learn_the_same_strategies(String model) throws IOException {
        assertLearned("one-unit", model, "[1]");
    }

    @Tag("thorough")
    @Test
    void both_players_of_a_game_of_eight_units_learn_the_same_strategies() throws IOException {
        assertLearned("eight-units", "Network, hidden: 8", "[1, 2, 4]");
    }

    private void assertLearned(String game, String model, String demands) throws IOException {
        JsonNode summary = train(
                "games/%s.yaml".formatted(game),
                Stream.of(
                        "learner.updates=2",
                        "learner.model={type: %s}".formatted(model),
                        "game.demands=" + demands,
                        "learner.batch=64",
                        "learner.responses=0",
                        "learner.pool=3",
                        "learner.pool_share=0.2"));

        List<String> lines = new ArrayList<>();
        summary.properties().forEach(field -> {
            if (!field.getKey().equals("config")) {
                lines.add(FrozenText.line(field.getKey(), field.getValue()));
            }
        });
        assertThat(lines).hasSizeGreaterThan(3);
        FrozenText.assertFrozen("learner-%s-%s".formatted(game, model.replaceAll(",.*", "")), lines, TOLERANCE);
    }
}
