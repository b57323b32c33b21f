package org.trainyard.experiments.papers.games;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.agents.learned.adversary.AdversarialTraining;
import org.trainyard.agents.learned.adversary.GameLearner;
import org.trainyard.agents.learned.adversary.PriceLottery;
import org.trainyard.experiments.Shell;

/** The train command on games. */
class GameTrainingTest {
    private static final Path GAMES = Path.of(System.getProperty("trainyard.root", ".."), "experiments/configs/games");

    @TempDir
    private Path folder;

    private Shell train(String config, String out, String... more) {
        List<String> args = new ArrayList<>(List.of(
                "train",
                GAMES.resolve(config).toString(),
                "--out",
                folder.resolve(out).toString()));
        args.addAll(List.of(more));
        return Shell.run(args);
    }

    private JsonNode summary(String out) throws Exception {
        return new JsonMapper()
                .readTree(folder.resolve(out).resolve("summary.json").toFile());
    }

    @Test
    void shipped_game_of_one_unit_reaches_its_best_guarantee() throws Exception {
        Shell shell = train("one-unit.yaml", "run");

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out()).contains("worst sequence found", "bound of any policy", "best fixed prices");
        assertThat(summary("run").get("guarantee").asDouble()).isCloseTo(0.5, within(0.02));
        assertThat(summary("run").get("bound").asDouble()).isCloseTo(0.5, within(0.02));
        assertThat(summary("run").get("bound_of_any_policy").asDouble()).isEqualTo(0.5);
    }

    @Test
    void shipped_game_of_eight_units_teaches_a_network_more_than_any_lottery_over_fixed_prices_guarantees()
            throws Exception {
        Shell shell = train("eight-units.yaml", "run", "--set", "learner.updates=40");

        assertThat(shell.code()).as(shell.err()).isZero();
        GameConfig config = GameConfig.read(folder.resolve("run/config.yaml"), List.of());
        assertThat(config.adversary().model()).isInstanceOf(GameLearner.Model.Network.class);
        assertThat(summary("run").get("guarantee").asDouble())
                .isBetween(PriceLottery.best(config.game()).guarantee() + 0.01, 8.0 / 15);
    }

    @Test
    void a_run_that_stopped_goes_on_from_its_checkpoint_and_ends_with_the_same_bytes() throws Exception {
        String[] few = {"--set", "learner.updates=6", "--set", "checkpoint_every=2", "--set", "game.rounds=9"};
        assertThat(train("eight-units.yaml", "whole", few).code()).isZero();
        assertThat(train("eight-units.yaml", "part", few).code()).isZero();
        Path trainer = folder.resolve("part/checkpoints/last/trainer.bin");
        Path summary = folder.resolve("part/summary.json");
        Files.delete(summary);
        GameConfig config = GameConfig.read(folder.resolve("part/config.yaml"), List.of());
        try (AdversarialTraining stopped = new AdversarialTraining(config.game(), config.adversary(), config.seed())) {
            stopped.update();
            stopped.update();
            stopped.save(trainer);
        }

        assertThat(train("eight-units.yaml", "part", few).err()).contains("expected --resume or --replace");
        String[] resumed = {few[0], few[1], few[2], few[3], few[4], few[5], "--resume"};
        assertThat(train("eight-units.yaml", "part", resumed).code()).isZero();
        assertThat(Files.readAllBytes(summary)).isEqualTo(Files.readAllBytes(folder.resolve("whole/summary.json")));
        assertThat(Files.readAllBytes(trainer))
                .isEqualTo(Files.readAllBytes(folder.resolve("whole/checkpoints/last/trainer.bin")));
    }

    @Test
    void wrong_values_and_options_are_refused_in_a_line() {
        Shell levels = train("one-unit.yaml", "a", "--set", "game.values=[2,1]");
        Shell share = train("one-unit.yaml", "b", "--set", "learner.pool_share=0.5");
        Shell seeds = train("one-unit.yaml", "c", "--seeds", "1,2");

        assertThat(levels.code()).isEqualTo(2);
        assertThat(levels.err()).contains("game.values").contains("numbers that ascend");
        assertThat(share.code()).isEqualTo(2);
        assertThat(share.err()).contains("learner.pool_share");
        assertThat(seeds.code()).isEqualTo(2);
        assertThat(seeds.err()).contains("--seeds").contains("nothing for a game");
    }
}
