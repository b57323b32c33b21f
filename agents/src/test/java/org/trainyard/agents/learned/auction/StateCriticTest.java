package org.trainyard.agents.learned.auction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.learned.training.FiniteCheck;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.RandomStreams;

class StateCriticTest {
    /** Episodes of one hour, whose cost is a parabola of a figure's logarithm, or is drawn apart from it. */
    private static List<EpisodeRecord> episodes(RandomGenerator random, boolean isPlanted) {
        List<EpisodeRecord> records = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            double figure = random.nextInt(21) / 20.0;
            double drawn = random.nextInt(21) / 20.0;
            double cost = 100 * Math.pow((isPlanted ? figure : drawn) - 0.5, 2);
            EpisodeRecord record = RandomRecords.of(new double[] {0, 1}, new double[] {cost, 0});
            record.figures[0] = Math.expm1(5 * figure);
            records.add(record);
        }
        return records;
    }

    private static GroupAdvantages advantages(List<EpisodeRecord> records, @Nullable StateCritic critic) {
        return new GroupAdvantages(records, 4, 10, null, CostToGo.stateValue(), true, true, critic);
    }

    private static double explained(boolean isPlanted) {
        RandomGenerator random = RandomStreams.stream(1, "test/critic");
        List<EpisodeRecord> seen = episodes(random, isPlanted);
        List<EpisodeRecord> unseen = episodes(random, isPlanted);
        StateCritic critic = new StateCritic(16, 4, WorkerPool.SEQUENTIAL, 1);
        assertThat(advantages(unseen, critic).leftSpread())
                .as("an untrained critic predicts nothing")
                .isEqualTo(advantages(unseen, null).leftSpread());
        for (int i = 0; i < 60; i++) {
            critic.learn(seen, advantages(seen, critic).targets(), random, new FiniteCheck(i));
        }
        double with = advantages(unseen, critic).leftSpread();
        return 1 - Math.pow(with / advantages(unseen, null).leftSpread(), 2);
    }

    @Test
    void it_explains_on_episodes_it_has_not_seen_what_a_linear_function_cannot() {
        assertThat(explained(true)).isGreaterThan(0.8);
        assertThat(explained(false)).isLessThan(0.1);
    }
}
