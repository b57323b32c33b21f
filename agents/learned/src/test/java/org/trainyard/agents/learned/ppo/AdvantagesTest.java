package org.trainyard.agents.learned.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.learned.auction.AuctionWorlds;
import org.trainyard.env.RandomStreams;

class AdvantagesTest {
    private static final double TAU = 2;

    /** Jobs for an hour, then others for ten hours; the first figure of the state is given at both times. */
    private static EpisodeRecord episode(double jobs, double later, double figure) {
        EpisodeRecord record = RandomRecords.of(new double[] {0, 1, 11}, new double[] {jobs, later, 0});
        record.figures[0] = figure;
        record.figures[EpisodeRecord.FIGURES] = figure;
        return record;
    }

    private static Advantages advantages(List<EpisodeRecord> records, int group, boolean control) {
        return new Advantages(records, AuctionWorlds.schedule(group, TAU, null, true, control), CostToGo.stateValue());
    }

    @Test
    void equal_episodes_have_no_advantage_over_each_other() {
        Advantages advantages = advantages(List.of(episode(3, 2, 1), episode(3, 2, 1), episode(3, 2, 1)), 3, true);

        for (int i = 0; i < 3; i++) {
            assertThat(advantages.of(i)).containsOnly(new float[] {0, 0}, within(1e-6f));
        }
        assertThat(advantages.groupSpread()).isCloseTo(0, within(1e-9));
        assertThat(advantages.rawSpread()).isPositive();
    }

    @Test
    void the_cheaper_episode_has_the_advantage_in_units_of_the_groups_spread() {
        Advantages advantages = advantages(List.of(episode(2, 2, 0), episode(4, 4, 0)), 2, false);

        // Costs differ by 2 tau (1 - exp(-t/tau)) each, with opposite signs.
        double early = 2 * TAU * (1 - Math.exp(-11 / TAU));
        double late = 2 * TAU * (1 - Math.exp(-10 / TAU));
        double spread = Math.sqrt((early * early + late * late) / 2);
        assertThat(advantages.groupSpread()).isCloseTo(spread, within(1e-9));
        assertThat(advantages.of(0)[0]).isCloseTo((float) (early / spread), within(1e-5f));
        assertThat(advantages.of(1)[1]).isCloseTo((float) (-late / spread), within(1e-5f));
        assertThat(advantages.explainedVariance()).isZero();
    }

    @Test
    void without_the_group_baseline_a_cost_is_compared_with_the_mean_alone() {
        List<EpisodeRecord> records = List.of(episode(2, 2, 0), episode(4, 4, 0));
        Advantages advantages =
                new Advantages(records, AuctionWorlds.schedule(2, TAU, null, false, false), CostToGo.stateValue());

        double far = TAU * (1 - Math.exp(-11 / TAU));
        double near = TAU * (1 - Math.exp(-10 / TAU));
        double mean = (2 * far + 2 * near + 4 * far + 4 * near) / 4;
        double squares = (4 * far * far + 4 * near * near + 16 * far * far + 16 * near * near) / 4;
        double spread = Math.sqrt(squares - mean * mean);
        assertThat(advantages.groupSpread()).isCloseTo(spread, within(1e-9));
        assertThat(advantages.of(0)[0]).isCloseTo((float) ((mean - 2 * far) / spread), within(1e-5f));
    }

    @Test
    void the_control_variate_removes_what_the_state_explains() {
        RandomGenerator random = RandomStreams.stream(1, "test/variate");
        List<EpisodeRecord> planted = new ArrayList<>();
        List<EpisodeRecord> noise = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            int jobs = 1 + random.nextInt(20);
            planted.add(episode(jobs, jobs, jobs));
            noise.add(episode(jobs, jobs, random.nextInt(20)));
        }

        Advantages explained = advantages(planted, 4, true);
        assertThat(explained.explainedVariance()).isGreaterThan(0.999);
        assertThat(explained.leftSpread()).isLessThan(0.03 * explained.groupSpread());
        assertThat(advantages(noise, 4, true).explainedVariance()).isBetween(-0.01, 0.2);
        assertThat(advantages(planted, 4, false).explainedVariance()).isZero();
    }

    @Test
    void with_a_trace_the_value_of_states_is_learned_from_whole_costs() {
        RandomGenerator random = RandomStreams.stream(4, "test/value");
        List<EpisodeRecord> records = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            int jobs = 1 + random.nextInt(20);
            records.add(episode(jobs, jobs, jobs));
        }
        StateValue value = CostToGo.stateValue();
        double[] before = value.of(0).clone();
        new Advantages(records, AuctionWorlds.schedule(4, TAU, null, true, true), value);
        assertThat(value.of(0)).containsExactly(before);

        for (int update = 0; update < 100; update++) {
            new Advantages(records, AuctionWorlds.schedule(4, TAU, 0.5, true, true), value);
        }
        // A job costs its discounted hours: eleven at first, then ten.
        assertThat(value.of(0)[0]).isBetween(TAU * (1 - Math.exp(-10 / TAU)) - 0.05, TAU);
        assertThat(value.of(0)[EpisodeRecord.BACKLOG]).isCloseTo(0, within(1e-3));
        assertThat(value.of(1)).containsExactly(before);
    }

    @Test
    void ridge_regression_finds_planted_weights_whatever_the_units() {
        RandomGenerator random = RandomStreams.stream(2, "test/ridge");
        EpisodeRecord record = new EpisodeRecord();
        record.segment = IntStream.range(0, 500).toArray();
        record.auctions = 500;
        double[] costs = new double[500];
        double[] figures = new double[500 * EpisodeRecord.FIGURES];
        for (int s = 0; s < 500; s++) {
            for (int f = 0; f < EpisodeRecord.FIGURES; f++) {
                figures[s * EpisodeRecord.FIGURES + f] = random.nextGaussian() * (f == 3 ? 1000 : 1);
            }
            costs[s] = 5 + 3 * figures[s * EpisodeRecord.FIGURES] - 0.002 * figures[s * EpisodeRecord.FIGURES + 3];
        }

        double[] weights = ControlVariate.fit(List.of(record), List.of(costs), List.of(figures));

        assertThat(weights[0]).isCloseTo(3, within(0.02));
        assertThat(weights[3]).isCloseTo(-0.002, within(2e-5));
        assertThat(weights[1]).isCloseTo(0, within(0.02));
    }

    @Test
    void advantages_far_from_the_others_are_cut_off() {
        List<EpisodeRecord> records = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            records.add(episode(i == 0 ? 1000 : 1, i == 0 ? 1000 : 1, 0));
        }
        Advantages advantages = advantages(records, 40, false);

        assertThat(advantages.of(0)).containsExactly(-4, -4);
    }

    @Test
    void another_world_does_not_change_what_the_state_explains_in_this_one() {
        RandomGenerator random = RandomStreams.stream(3, "test/worlds");
        List<EpisodeRecord> here = new ArrayList<>();
        List<EpisodeRecord> both = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            double jobs = 2 + random.nextDouble();
            here.add(episode(jobs, jobs, jobs));
        }
        both.addAll(here);
        for (int i = 0; i < 4; i++) {
            double jobs = 2 + random.nextDouble();
            both.add(episode(1000 * jobs, 500, -jobs));
            both.get(4 + i).world = 1;
        }
        Advantages alone = advantages(here, 4, true);
        Advantages together = advantages(both, 4, true);

        for (int i = 0; i < 4; i++) {
            assertThat(together.of(i)).isEqualTo(alone.of(i));
        }
    }
}
