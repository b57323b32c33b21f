package org.trainyard.experiments.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;

/** Statistics, tables and bytes of an evaluation against their definitions. */
class EvaluationByHandTest {
    private static final long SECOND = 1_000_000_000L;
    private static final EpisodeSample SAMPLE = EpisodeSample.independent(1);

    /** Of n - 1 degrees of freedom and deviations too small by the root of (n - 1) / n. */
    @Test
    void tails_are_expanded_to_students_points_and_back() {
        for (int n : new int[] {2, 5, 30}) {
            PercentileExpansion expansion = PercentileExpansion.of(n);
            double t = TDistribution.of(n - 1).inverseSurvivalProbability(0.025);
            double tail = NormalDistribution.of(0, 1).survivalProbability(Math.sqrt((double) n / (n - 1)) * t);
            assertThat(expansion.tail(0.05)).isCloseTo(tail, within(1e-12));
            assertThat(expansion.p(tail)).isCloseTo(0.05, within(1e-9));
            assertThat(expansion.p(0.5)).isEqualTo(1);
            assertThat(expansion.p(0.499)).isLessThan(1);
        }
    }

    /**
     * Of 10,001 means from -k to 10,000 - k, shifted by half, k + 1 are below zero; five in ten thousand are resolved.
     */
    @ParameterizedTest
    @CsvSource({"0, 0.00005", "4, 0.00045", "5, 0.00055", "250, 0.02505", "4999, 0.49995"})
    void p_is_twice_the_share_of_means_beyond_zero_where_they_resolve_it(int below, double share) {
        double[] means = IntStream.rangeClosed(0, 10_000)
                .mapToDouble(i -> i - below - 0.5)
                .toArray();
        double deviation = Math.sqrt(Arrays.stream(means)
                .map(mean -> Math.pow(mean - (5000 - below - 0.5), 2))
                .average()
                .orElseThrow());
        double normal = NormalDistribution.of(0, 1).survivalProbability((5000 - below - 0.5) / deviation);
        double tail = share >= 5e-4 ? share : Math.min(5e-4, Math.max(share, normal));
        PercentileExpansion none = new PercentileExpansion(1, Double.MAX_VALUE);
        for (int sign : new int[] {1, -1}) {
            double[] signed = Arrays.stream(means).map(mean -> 3 * sign * mean).toArray();
            assertThat(new BootstrapDistribution(signed, none).p()).isCloseTo(2 * tail, within(1e-9));
        }
    }

    /** Means from 4 - 1.7 to 4 + 1.7 deviate by one: no resample is beyond zero, and of normal means 0.00003 are. */
    @Test
    void far_from_zero_p_is_that_of_normal_means() {
        double[] means = IntStream.rangeClosed(0, 10_000)
                .mapToDouble(i -> 4 + (i - 5000) / 5000.0 * Math.sqrt(3))
                .toArray();
        double deviation = Math.sqrt(
                Arrays.stream(means).map(mean -> (mean - 4) * (mean - 4)).sum() / means.length);
        double beyond = NormalDistribution.of(0, 1).cumulativeProbability(-4 / deviation);
        PercentileExpansion none = new PercentileExpansion(1, Double.MAX_VALUE);

        assertThat(beyond).isCloseTo(3.17e-5, within(1e-7));
        assertThat(new BootstrapDistribution(means, none).p()).isCloseTo(2 * beyond, within(1e-10));
        assertThat(new BootstrapDistribution(
                                Arrays.stream(means).map(mean -> -mean).toArray(), none)
                        .p())
                .isCloseTo(2 * beyond, within(1e-10));
        assertThat(new BootstrapDistribution(new double[] {-1, 0, 1}, none).p()).isEqualTo(1);
        assertThat(new BootstrapDistribution(new double[] {2, 2, 2}, none).p()).isZero();
    }

    @Test
    void means_are_those_of_drawn_values_and_of_drawn_seeds_by_drawn_episodes() {
        double[] values = {3, -1, 4, -1, 5, -9, 2};
        double[][] cells = {values, {1, 2, 3, 4, 5, 6, 7}, {0, 0, 8, 0, 0, 0, 1}};
        RandomGenerator one = RandomStreams.stream(7, "evaluation/bootstrap");
        RandomGenerator two = RandomStreams.stream(7, "evaluation/two-way bootstrap");
        double[] single = new double[10_000];
        double[] crossed = new double[10_000];
        for (int r = 0; r < single.length; r++) {
            single[r] = IntStream.range(0, 7)
                            .mapToDouble(i -> values[one.nextInt(7)])
                            .sum()
                    / 7;
            int[] seeds = IntStream.range(0, 3).map(i -> two.nextInt(3)).toArray();
            int[] episodes = IntStream.range(0, 7).map(i -> two.nextInt(7)).toArray();
            crossed[r] = IntStream.of(seeds)
                            .mapToDouble(s -> IntStream.of(episodes)
                                    .mapToDouble(e -> cells[s][e])
                                    .sum())
                            .sum()
                    / 21;
        }
        BootstrapDistribution expected = new BootstrapDistribution(single, PercentileExpansion.of(7));
        assertThat(BootstrapDistribution.ofMean(values, 7).interval()).isEqualTo(expected.interval());
        Arrays.sort(single);
        double tail = 9999 * PercentileExpansion.of(7).tail(0.05);
        double low = single[(int) tail] + (tail - (int) tail) * (single[(int) tail + 1] - single[(int) tail]);
        assertThat(expected.interval().low()).isCloseTo(low, within(1e-9));
        assertThat(TwoWayBootstrap.distribution(cells, 7).interval())
                .isEqualTo(new BootstrapDistribution(crossed, TwoWayBootstrap.expansion(cells)).interval());
    }

    /** Means by seed 1 and 4, by episode 1, 2.5 and 4: variances of their mean are 4.5 / 2 and 2.25 / 3. */
    @Test
    void seeds_and_episodes_expand_together_by_their_variances() {
        PercentileExpansion expansion = TwoWayBootstrap.expansion(new double[][] {{-0.5, 1, 2.5}, {2.5, 4, 5.5}});

        assertThat(expansion.factor()).isCloseTo(Math.sqrt((2.25 + 0.75) / (2.25 / 2 + 0.75 * 2 / 3)), within(1e-12));
        assertThat(expansion.freedom()).isCloseTo(9 / (2.25 * 2.25 + 0.75 * 0.75 / 2), within(1e-12));
        assertThat(TwoWayBootstrap.expansion(new double[][] {{2, 2}, {2, 2}}).factor())
                .isEqualTo(1);
    }

    @Test
    void costs_add_up() throws IOException {
        DecisionCost cost = new DecisionCost(
                "sjf", 1.5, 0.5, 20, 4, Latencies.of(new long[] {9_000, 3_000}), Latencies.of(new long[] {5_000}));
        ObjectMapper json = new ObjectMapper();
        assertThat(json.readTree(json.writeValueAsString(cost.decidingCalls())).toString())
                .isEqualTo("{\"count\":2,\"p50Microseconds\":6.0,\"p99Microseconds\":8.94,\"maxMicroseconds\":9.0}");
        DecisionCost both = cost.plus(cost);
        assertThat(cost.microsecondsPerJob()).isEqualTo(125_000);
        assertThat(cost.microsecondsPerCall()).isEqualTo(25_000);
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        both.decidingCalls().write(new DataOutputStream(written));
        Latencies read = Latencies.read(new DataInputStream(new ByteArrayInputStream(written.toByteArray())));
        assertThat(List.of(read.count(), read.microseconds(0), read.microseconds(1)))
                .isEqualTo(List.of(4, 3.0, 9.0));
        assertThat(both.runSeconds()).isEqualTo(3);
        assertThat(both.calls()).isEqualTo(40);
        assertThat(both.decidingCalls().count()).isEqualTo(4);
        assertThat(both.perJob().count()).isEqualTo(2);
        assertThat(both.microsecondsPerJob()).isEqualTo(125_000);
        assertThat(both.microsecondsPerCall()).isEqualTo(25_000);
    }

    private static RunResult refused(String hash, int gpus, JobOutcome job, JobOutcome turnedAway) {
        return new RunResult(
                List.of(job), List.of(new RunResult.RejectedJob(turnedAway.job(), 1, "")), gpus, 1, 1, 1, hash);
    }

    @Test
    void the_reference_turns_no_job_away_where_another_does_not() {
        JobOutcome first = Runs.job(0, 0, 0, 9 * SECOND);
        JobOutcome other = Runs.job(1, 0, 0, 9 * SECOND);
        JobOutcome quick = Runs.job(0, 0, 0, SECOND);
        RunResult all = new RunResult(List.of(first, other), List.of(), 4, 1, 1, 1, "a");
        SchedulerRuns picky = Runs.heuristic("picky", refused("b", 4, quick, other));
        SchedulerRuns pickier = Runs.heuristic("pickier", refused("c", 4, first, other));

        assertThat(Evaluation.of(List.of(picky, Runs.heuristic("fair", all)), 1).reference())
                .isEqualTo("fair");
        assertThat(Evaluation.of(List.of(Runs.heuristic("fair", all), picky), 1).reference())
                .isEqualTo("fair");
        assertThat(Evaluation.of(List.of(pickier, picky), 1).reference()).isEqualTo("picky");
        assertThat(Evaluation.of(List.of(picky, Runs.learned("fair", all)), 1).jobs())
                .isEqualTo(2);
        for (JobOutcome strange : List.of(Runs.job(0, "other", 0, 0, SECOND), Runs.job(0, 1, 1, SECOND))) {
            RunResult result = new RunResult(List.of(strange, other), List.of(), 4, 1, 1, 1, "a");
            assertThatThrownBy(() -> Evaluation.of(List.of(picky, Runs.heuristic("x", result)), 1))
                    .hasMessageContaining("is not that of picky");
        }
        assertThatThrownBy(() -> Evaluation.of(List.of(picky, Runs.heuristic("x", refused("b", 5, quick, other))), 1))
                .hasMessage("episode (0) of scheduler x is not that of picky");
    }

    @Test
    void trained_policies_meet_all_but_untrained_ones_and_gain_on_their_own_start() {
        SchedulerRuns start =
                new SchedulerRuns("start", SchedulerRuns.Role.UNTRAINED, List.of(Runs.episode(10), Runs.episode(20)));
        SchedulerRuns policy = Runs.learned("policy", Runs.episode(5), Runs.episode(15));
        SchedulerRuns second = Runs.learned("second", Runs.episode(5), Runs.episode(10));
        SchedulerRuns fifo = Runs.heuristic("fifo", Runs.episode(8), Runs.episode(16));
        Map<String, String> untrained = Map.of("policy", "start", "second", "start", "fifo", "start");
        Evaluation evaluation = Evaluation.of(List.of(fifo, policy, second, start), untrained, SAMPLE);

        assertThat(evaluation.duels())
                .extracting(duel -> duel.name() + " " + duel.reference())
                .containsExactly("policy fifo", "policy second", "second fifo", "second policy");
        assertThat(evaluation.duels("policy")).isEqualTo(2);
        assertThat(evaluation.gains()).extracting(TrainingGain::percent).containsExactly(37.5, 50.0);
        assertThat(evaluation.comparison("fifo")).isNull();
        assertThat(Objects.requireNonNull(evaluation.comparison("second")).mean())
                .isEqualTo(-37.5);
        assertThat(evaluation.isSeed("policy")).isFalse();
        assertThat(evaluation.episodes()).isEqualTo(2);
        assertThat(evaluation.runs("start")).isSameAs(start);
        assertThatThrownBy(() -> evaluation.runs("nobody")).hasMessageContaining("nobody");

        Evaluation pooled =
                Evaluation.pooled(List.of(policy, second, start, fifo), "pool", "second", untrained, SAMPLE);
        assertThat(pooled.gains())
                .extracting(gain ->
                        gain.comparison().name() + " " + gain.comparison().reference() + " " + gain.percent())
                .containsExactly("pool start 43.75", "second start 50.0");
        assertThat(Evaluation.pooled(
                                List.of(policy, second, start, fifo), "pool", null, Map.of("policy", "start"), SAMPLE)
                        .gains())
                .isEmpty();
    }

    /** Pools have a seed that nothing ships, and a duel with the best of two heuristics: two duels, two others. */
    @Test
    void a_comparison_that_is_a_duel_has_the_verdict_of_the_duel_and_the_others_are_corrected_together() {
        double[] reference = {10, 10, 10, 10, 10, 10, 10, 10};
        SchedulerRuns best = heuristic("best", reference);
        SchedulerRuns far = heuristic("far", 20, 20, 20, 20, 20, 20, 20, 20);
        SchedulerRuns first = learned("learned/1", 8, 9, 10.5, 9, 8.5, 9.5, 10.2, 8);
        SchedulerRuns second = learned("learned/2", 8, 9, 10.5, 9, 8.5, 9.5, 10.2, 8.1);
        Evaluation evaluation = Evaluation.pooled(List.of(first, second, best, far), "pool", null, Map.of(), SAMPLE);

        assertThat(evaluation.comparisons())
                .extracting(PairedComparison::name)
                .containsExactly("pool", "learned/1", "learned/2", "far");
        assertThat(evaluation.comparison("pool"))
                .isEqualTo(evaluation.duels().get(0))
                .isNotNull();
        assertThat(evaluation.comparisonsOfOthers()).isEqualTo(3);
        PairedComparison.Significance single =
                Objects.requireNonNull(PairedComparison.of(first, best, SAMPLE).significance());
        PairedComparison.Significance other =
                Objects.requireNonNull(PairedComparison.of(second, best, SAMPLE).significance());
        assertThat(Objects.requireNonNull(Objects.requireNonNull(evaluation.comparison("learned/1"))
                                .significance())
                        .corrected())
                .isEqualTo(2 * Math.min(single.p(), other.p()));
        Evaluation against = evaluation.against("far");
        assertThat(against.comparison("pool")).isEqualTo(evaluation.duels().get(1));
        assertThat(against.comparisonsOfOthers()).isEqualTo(3);
    }

    private static SchedulerRuns heuristic(String name, double... meanJctSeconds) {
        return Runs.heuristic(
                name, Arrays.stream(meanJctSeconds).mapToObj(Runs::episode).toArray(RunResult[]::new));
    }

    private static SchedulerRuns learned(String name, double... meanJctSeconds) {
        return Runs.learned(
                name, Arrays.stream(meanJctSeconds).mapToObj(Runs::episode).toArray(RunResult[]::new));
    }

    /**
     * Beside seven differences of which one has the other sign, p is between 0.01 and 0.05: shown alone, not among
     * twelve.
     */
    @Test
    void a_difference_is_not_shown_where_only_its_interval_excludes_zero() {
        double[] reference = {10, 10, 10, 10, 10, 10, 10, 10};
        double[] ours = {8, 9, 10.5, 9, 8.5, 9.5, 10.2, 8};
        PairedComparison alone = PairedComparison.of("a", ours, "b", reference, SAMPLE);
        PairedComparison among =
                PairedComparison.corrected(Collections.nCopies(12, alone)).get(0);
        PairedComparison reverse = PairedComparison.of("b", reference, "a", ours, SAMPLE);

        assertThat(alone.conclusion()).isEqualTo("better");
        assertThat(reverse.conclusion()).isEqualTo("worse");
        assertThat(among.conclusion()).isEqualTo("not shown");
        assertThat(PairedComparison.corrected(Collections.nCopies(12, reverse))
                        .get(0)
                        .conclusion())
                .isEqualTo("not shown");
        assertThat(PairedComparison.of(
                                "a", new double[] {9, 11, 9, 11, 10}, "b", new double[] {10, 10, 10, 10, 10}, SAMPLE)
                        .conclusion())
                .isEqualTo("no difference");
        assertThat(PairedComparison.corrected(List.of())).isEmpty();
        TrainingGain gain = new TrainingGain(reverse, 0);
        assertThat(gain.percent()).isEqualTo(-reverse.mean());
        PairedComparison.Interval interval = Objects.requireNonNull(reverse.interval());
        assertThat(gain.interval()).isEqualTo(new PairedComparison.Interval(-interval.high(), -interval.low()));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 2, no difference",
        "-2, 0, no difference",
        "-1, 1, no difference",
        "0.1, 2, not shown",
        "-2, -0.1, not shown"
    })
    void an_interval_that_touches_zero_shows_no_difference(double low, double high, String conclusion) {
        assertThat(new PairedComparison(
                                "a",
                                "b",
                                List.of(1.0),
                                1,
                                new PairedComparison.Interval(low, high),
                                null,
                                PairedComparison.Verdict.NO_DIFFERENCE)
                        .conclusion())
                .isEqualTo(conclusion);
    }

    /**
     * By the number of episodes: one has no interval, two have one, five have a verdict; overlapping ones have none.
     */
    @ParameterizedTest
    @CsvSource({
        "1, false, false, too few episodes", "2, false, true, too few episodes", "4, false, true, too few episodes",
        "5, false, true, better", "1, true, false, too few episodes", "2, true, true, windows overlap"
    })
    void intervals_and_verdicts_need_episodes(int episodes, boolean overlapping, boolean hasInterval, String verdict) {
        EpisodeSample sample = new EpisodeSample(1, overlapping);
        double[] ours = new double[episodes];
        double[] reference = new double[episodes];
        Arrays.fill(ours, 5);
        Arrays.fill(reference, 10);
        SchedulerRuns best = heuristic("best", reference);
        SeedPool pool = new SeedPool("pool", List.of(learned("one", ours), learned("two", ours)), null);
        List<PairedComparison> all = List.of(
                PairedComparison.of("a", ours, "best", reference, sample),
                PairedComparison.of(pool, best, sample),
                PairedComparison.ofSeeds("a", new double[][] {ours, ours}, "best", new double[][] {reference}, sample),
                PairedComparison.ofSeeds("a", new double[][] {ours}, "best", new double[][] {reference}, sample));

        assertThat(all).allSatisfy(one -> {
            assertThat(one.mean()).isEqualTo(-50);
            assertThat(one.interval() != null).isEqualTo(hasInterval);
            assertThat(one.conclusion()).isEqualTo(verdict);
        });
    }

    @Test
    void the_seeds_of_a_pool_have_other_names_than_the_pool_and_one_of_them_may_ship() {
        SchedulerRuns one = learned("one", 5, 7);
        SchedulerRuns two = learned("two", 6, 8);

        assertThat(new SeedPool("pool", List.of(one, two), "two").holds("one")).isTrue();
        assertThat(new SeedPool("pool", List.of(one, two), "two").holds("pool")).isFalse();
        assertThatThrownBy(() -> new SeedPool("two", List.of(one, two), null))
                .hasMessage("scheduler (two) appears twice");
        assertThatThrownBy(() -> new SeedPool("pool", List.of(one, two), "three"))
                .hasMessage("the shipped policy (three) is none of the seeds");
        assertThatThrownBy(() -> new SeedPool("pool", List.of(one), null))
                .hasMessage("a pool has at least 2 seeds, not (1)");
    }

    @Test
    void of_equal_references_the_first_stays_and_another_may_be_chosen() {
        Evaluation evaluation = Evaluation.of(
                List.of(heuristic("first", 10, 20), heuristic("second", 20, 10), heuristic("third", 30, 40)), 1);

        assertThat(evaluation.reference()).isEqualTo("first");
        assertThat(evaluation.isAgainstBest()).isTrue();
        assertThat(evaluation.against("second").isAgainstBest()).isFalse();
        assertThat(evaluation.score("third").jct().mean()).isEqualTo(35);
        assertThat(evaluation.score("first").eventLogSha256())
                .isNotEqualTo(evaluation.score("second").eventLogSha256());
        assertThat(Evaluation.of(List.of(heuristic("only", 10)), 1)
                        .score("only")
                        .eventLogSha256())
                .isEqualTo("hash-of-10.0");
        assertThatThrownBy(() -> evaluation.against("fourth")).hasMessage("no scheduler (fourth) ran");
    }

    @ParameterizedTest
    @CsvSource({"-1.5, 2, ' as the mean over episodes, but 2.0 %'", "1, -2, ' as the mean over episodes, but -2.0 %'"})
    void a_mean_over_jobs_is_told_where_its_sign_differs(double episodes, double jobs, String words) {
        assertThat(new OppositeMeans(episodes, jobs).words("%.1f %%")).startsWith(words);
        assertThat(new OppositeMeans(episodes, -jobs).words("%.1f %%")).isEmpty();
        assertThat(new OppositeMeans(0, jobs).words("%.1f %%")).isEmpty();
    }

    /** Two jobs of the first episode wait for ever for one reason, and one of the second for none that is known. */
    @Test
    void jobs_that_are_turned_away_are_counted_by_reason() {
        JobOutcome ran = Runs.job(0, 0, 0, SECOND);
        List<RunResult.RejectedJob> wide = List.of(
                new RunResult.RejectedJob(Runs.job(1, 0, 0, SECOND).job(), 1, "more GPUs than there are"),
                new RunResult.RejectedJob(Runs.job(2, 0, 0, SECOND).job(), 1, "more GPUs than there are"));
        RunResult first = new RunResult(List.of(ran), wide, 4, 1, 1, 1, "a");
        RunResult second = new RunResult(
                List.of(ran), List.of(new RunResult.RejectedJob(wide.get(0).job(), 1, "")), 4, 1, 1, 1, "b");

        assertThat(Runs.heuristic("fifo", first, second).leftOut())
                .containsExactly("fifo leaves out: 2 jobs can never start: more GPUs than there are");
        assertThat(Runs.heuristic("fifo", first, second).rejected()).isEqualTo(3);
        assertThat(Runs.heuristic("fifo", second, first).leftOut()).isEmpty();
        assertThat(Runs.heuristic("fifo", second).preempts()).isFalse();
        assertThat(Runs.heuristic("fifo", second).timedOut()).isZero();
        assertThatThrownBy(() -> Runs.heuristic("fifo", new RunResult(List.of(), wide, 4, 1, 1, 1, "c")))
                .hasMessage("scheduler fifo: 2 jobs can never start: more GPUs than there are:"
                        + " expected at least one job that it can start");
        assertThatThrownBy(() -> Runs.heuristic("fifo", new RunResult(List.of(), second.rejected(), 4, 1, 1, 1, "c")))
                .hasMessage("scheduler fifo: 1 job is turned away: expected at least one job that it can start");
    }
}
