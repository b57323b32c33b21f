package org.trainyard.experiments.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;

/** Several seeds of one policy, taken as one. */
class SeedPoolTest {
    private static Evaluation example() {
        return Evaluation.pooled(
                List.of(
                        Runs.learned("learned/1", Runs.episode(8, 8), Runs.episode(20)),
                        Runs.learned("learned/2", Runs.episode(6, 10), Runs.episode(10)),
                        Runs.heuristic("sjf", Runs.episode(10, 10), Runs.episode(20)),
                        Runs.heuristic("fifo", Runs.episode(20, 20), Runs.episode(40))),
                "learned",
                null,
                Map.of(),
                EpisodeSample.independent(1));
    }

    @Test
    void the_pool_is_the_mean_of_its_seeds_episode_by_episode() {
        Evaluation evaluation = example();

        SchedulerScore pooled = evaluation.scores().get(0);
        assertThat(pooled.name()).isEqualTo("learned");
        assertThat(pooled.jct().mean()).isCloseTo((8 + 8 + 20 + 6 + 10 + 10) / 6.0, within(1e-9));
        assertThat(pooled.jobs()).isEqualTo(evaluation.jobs()).isEqualTo(3);
        PairedComparison comparison = Objects.requireNonNull(evaluation.comparison("learned"));
        assertThat(comparison.reference()).isEqualTo("sjf");
        assertThat(comparison.differences()).containsExactly(-20.0, -25.0);
        assertThat(comparison.mean()).isCloseTo(-22.5, within(1e-9));
    }

    /** Two seeds preempted three jobs in all, and decided seven times. */
    @Test
    void counts_are_means_over_seeds_rounded() {
        JobOutcome plain = Runs.job(0, 0, 0, 8_000_000_000L);
        JobOutcome preempted =
                new JobOutcome(plain.job(), 0, plain.endNanos(), plain.onGpus(), 3, 0, 1, 1, 1, 0, 0, 0, false);
        RunResult none = new RunResult(List.of(plain), List.of(), 4, 8, 3, 0, "a");
        RunResult thrice = new RunResult(List.of(preempted), List.of(), 4, 8, 4, 0, "b");
        SeedPool pool = new SeedPool("learned", List.of(Runs.learned("1", none), Runs.learned("2", thrice)), null);

        assertThat(pool.score().preemptions()).isEqualTo(2);
        assertThat(pool.score().decisions()).isEqualTo(4);
        assertThat(pool.score().jobs()).isEqualTo(1);
        assertThat(pool.score().gpuUtilisation()).isEqualTo(0.25);
    }

    @Test
    void the_pool_meets_everybody_who_was_not_trained_and_its_seeds_meet_the_reference() {
        Evaluation evaluation = example();

        assertThat(evaluation.duels())
                .extracting(PairedComparison::name, PairedComparison::reference)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("learned", "sjf"),
                        org.assertj.core.groups.Tuple.tuple("learned", "fifo"));
        assertThat(evaluation.comparisons())
                .extracting(PairedComparison::name)
                .containsExactly("learned", "learned/1", "learned/2", "fifo");
        assertThat(evaluation.isSeed("learned/2")).isTrue();
        assertThat(evaluation.isSeed("learned")).isFalse();
    }

    @Test
    void the_seed_that_ships_meets_everybody_on_its_own() {
        Evaluation evaluation = Evaluation.pooled(
                List.of(
                        Runs.learned("learned/1", Runs.episode(8), Runs.episode(20)),
                        Runs.learned("learned/2 (shipped)", Runs.episode(6), Runs.episode(10)),
                        Runs.heuristic("sjf", Runs.episode(10), Runs.episode(20)),
                        Runs.heuristic("fifo", Runs.episode(20), Runs.episode(40))),
                SeedPool.meanOf("learned", 2),
                "learned/2 (shipped)",
                Map.of(),
                EpisodeSample.independent(1));

        assertThat(evaluation.duels())
                .extracting(PairedComparison::name, PairedComparison::reference)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("learned (mean of 2)", "sjf"),
                        org.assertj.core.groups.Tuple.tuple("learned (mean of 2)", "fifo"),
                        org.assertj.core.groups.Tuple.tuple("learned/2 (shipped)", "sjf"),
                        org.assertj.core.groups.Tuple.tuple("learned/2 (shipped)", "fifo"));
        assertThat(evaluation.duels().get(2).mean()).isCloseTo(-45, within(1e-9));
        assertThat(evaluation.duels("learned/2 (shipped)")).isEqualTo(2);
    }

    @Test
    void one_seed_is_no_pool() {
        assertThatThrownBy(() -> Evaluation.pooled(
                        List.of(Runs.learned("learned/1", Runs.episode(1))),
                        "learned",
                        null,
                        Map.of(),
                        EpisodeSample.independent(1)))
                .hasMessage("a pool has at least 2 seeds, not (1)");
    }

    @Test
    void when_seeds_do_not_matter_the_tails_are_those_of_episodes_alone() {
        double[] episodes = {1, 4, 2, 8, 5};
        double tail = TwoWayBootstrap.expansion(new double[][] {episodes, episodes, episodes})
                .tail(0.05);

        double t = TDistribution.of(4).inverseSurvivalProbability(0.025);
        assertThat(tail)
                .isCloseTo(NormalDistribution.of(0, 1).cumulativeProbability(-Math.sqrt(1.25) * t), within(1e-12));
        assertThat(TwoWayBootstrap.expansion(new double[][] {{1, 1}, {3, 3}, {2, 2}, {7, 7}, {-1, -1}})
                        .tail(0.05))
                .as("and the other way round")
                .isCloseTo(tail, within(1e-12));
    }

    @Test
    void the_interval_holds_the_truth_about_as_often_as_it_says_where_one_over_episodes_does_not() {
        RandomGenerator random = RandomStreams.stream(1, "test/seeds");
        int worlds = 200;
        int both = 0;
        int episodesOnly = 0;
        for (int world = 0; world < worlds; world++) {
            double[][] cells = cells(random, 5, 10);
            both += holds(TwoWayBootstrap.distribution(cells, world).interval(), 0) ? 1 : 0;
            double[] means = new double[10];
            for (double[] seed : cells) {
                for (int i = 0; i < means.length; i++) {
                    means[i] += seed[i] / cells.length;
                }
            }
            episodesOnly += holds(BootstrapDistribution.ofMean(means, world).interval(), 0) ? 1 : 0;
        }
        assertThat(both / (double) worlds).isBetween(0.92, 1.0);
        assertThat(episodesOnly / (double) worlds).isLessThan(0.75);
    }

    /** Differences of mean nought, in which seeds matter twice as much as episodes. */
    private static double[][] cells(RandomGenerator random, int seeds, int episodes) {
        double[] byEpisode =
                random.doubles(episodes).map(d -> random.nextGaussian()).toArray();
        double[][] cells = new double[seeds][episodes];
        for (double[] row : cells) {
            double bySeed = 2 * random.nextGaussian();
            for (int i = 0; i < episodes; i++) {
                row[i] = bySeed + byEpisode[i] + 0.5 * random.nextGaussian();
            }
        }
        return cells;
    }

    private static boolean holds(PairedComparison.Interval interval, double value) {
        return interval.low() <= value && value <= interval.high();
    }

    @Test
    void the_runs_of_the_pool_are_all_episodes_of_all_seeds() {
        List<RunResult> all = example().runs("learned").episodes();

        assertThat(all).extracting(RunResult::meanJctSeconds).containsExactly(8.0, 20.0, 8.0, 10.0);
    }
}
