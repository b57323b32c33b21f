package org.trainyard.experiments.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.JobValue;

/** Metrics against their definitions, in numbers worked out by hand. */
class MetricsByHandTest {
    private static final long HOUR = 3_600_000_000_000L;

    /** Held for an hour, queued for two, four hours on GPUs of which two are undisturbed. */
    private static JobOutcome job(JobSpec spec, boolean timedOut) {
        JobOutcome.TimeOnGpus onGpus = new JobOutcome.TimeOnGpus(4 * HOUR, 2 * HOUR, 0, 0);
        long start = spec.submitNanos() + 3 * HOUR;
        return new JobOutcome(spec, start, start + 4 * HOUR, onGpus, 0, 0, 1, 1, 1, 0, 0, HOUR, timedOut);
    }

    private static JobSpec spec(int gpus, String virtualCluster, String account) {
        JobSpec any = Jobs.job("ann", gpus, 0, 0, 1).job();
        return any.by("ann", "staff", virtualCluster)
                .saying(any.terms().but().account(account).build());
    }

    @Test
    void a_group_has_the_gpu_hours_and_the_times_of_its_jobs() {
        JobSpec half = spec(1, "red", "lab").demanding(Demand.ofGpus(1).withGpuMilli(500));
        JobGroup group = JobGroup.of("red", List.of(job(half, true), job(spec(3, "red", "lab"), false)));

        assertThat(group.gpuHours()).isEqualTo(4 * 0.5 + 4 * 3);
        assertThat(group.timedOut()).isEqualTo(1);
        assertThat(group.jobs()).isEqualTo(2);
        assertThat(group.waiting().mean()).isEqualTo(2 * 3600);
        assertThat(group.jct().mean()).isEqualTo(7 * 3600);
        assertThat(group.slowdown().mean()).isEqualTo(3.5);
        assertThat(group.ofEntitled()).isNull();
        assertThat(group.entitled(0.25).ofEntitled()).isEqualTo(0.25);
    }

    @Test
    void jobs_are_grouped_by_all_that_they_say_and_those_that_say_nothing_are_one_group() {
        List<JobOutcome> jobs = List.of(job(spec(1, "red", "lab"), false), job(spec(2, "red", null), false));
        Map<String, List<JobGroup>> all = Grouping.all(List.of(Jobs.run(8, jobs.get(0)), Jobs.run(8, jobs.get(1))));

        assertThat(all.keySet()).containsExactly("gpus", "user", "group", "virtual_cluster", "account");
        assertThat(all.get("account")).extracting(JobGroup::name).containsExactly("(none)", "lab");
        assertThat(all.get("group")).extracting(JobGroup::name).containsExactly("staff");
        assertThat(all.get("gpus")).extracting(JobGroup::ofEntitled).containsExactly(null, null);
        // Nothing is held while the only job of an episode waits for its two hours.
        assertThat(all.get("virtual_cluster")).extracting(JobGroup::ofEntitled).containsExactly(0.0);
    }

    /**
     * Ann's second job waits from 0 to 100 s of the first episode, bob's in the second one, each beside one of two
     * GPUs.
     */
    @Test
    void entitlements_of_several_episodes_are_sums_and_a_preempted_job_holds_its_gpus_evenly() {
        JobOutcome preempted = Jobs.job("ann", 2, 0, 0, 200);
        JobOutcome half = new JobOutcome(
                preempted.job(),
                0,
                preempted.endNanos(),
                new JobOutcome.TimeOnGpus(100_000_000_000L, 100_000_000_000L, 0, 0),
                1,
                0,
                1,
                1,
                1,
                0,
                0,
                0,
                false);
        RunResult first = Jobs.run(4, half, Jobs.job("ann", 4, 0, 100, 10));
        RunResult second = Jobs.run(4, Jobs.job("ann", 4, 0, 300, 10), Jobs.job("bob", 1, 0, 0, 300));

        // Alone, ann holds one GPU of her four for 100 s; then, beside bob, none of her two for 300 s.
        assertThat(Entitlement.of(Grouping.USER, List.of(first, second)))
                .containsOnlyKeys("ann")
                .hasEntrySatisfying(
                        "ann", share -> assertThat(share).isCloseTo(100.0 / (4 * 100 + 2 * 300), within(1e-12)));
    }

    /** Ann's second job is held until bob has gone: from 100 to 150 s she has 2 of the 4 GPUs that are all hers. */
    @Test
    void a_held_job_waits_from_when_it_may_start_and_who_has_gone_has_no_part() {
        JobOutcome plain = Jobs.job("ann", 2, 50, 100, 10);
        JobOutcome held = new JobOutcome(
                plain.job(),
                plain.firstStartNanos(),
                plain.endNanos(),
                plain.onGpus(),
                0,
                0,
                1,
                1,
                1,
                0,
                0,
                50_000_000_000L,
                false);
        RunResult run = Jobs.run(4, Jobs.job("ann", 2, 0, 0, 200), Jobs.job("bob", 2, 0, 0, 100), held);

        assertThat(Entitlement.of(Grouping.USER, List.of(run))).isEqualTo(Map.of("ann", 0.5));
    }

    /** The first ends last: in the system are 1 from 10 to 20 s, 3 to 40 s, 2 to 60 s and 1 to 110 s. */
    @Test
    void the_share_counts_jobs_by_time_whatever_the_order_in_which_they_end() {
        double[] rho = Fairness.finishTimes(Jobs.run(
                4, Jobs.job("ann", 4, 10, 0, 100), Jobs.job("bob", 4, 20, 0, 40), Jobs.job("cid", 4, 20, 0, 20)));

        assertThat(rho[0]).isCloseTo(100 / (10 + 3 * 20 + 2 * 20 + 50.0), within(1e-12));
        assertThat(rho[1]).isCloseTo(40 / (3 * 20 + 2 * 20.0), within(1e-12));
        assertThat(rho[2]).isCloseTo(1 / 3.0, within(1e-12));
    }

    @Test
    void sizes_come_in_increasing_order_however_many_jobs_they_have() {
        List<JobOutcome> jobs = List.of(
                Jobs.job("ann", 16, 0, 0, 1),
                Jobs.job("ann", 16, 1, 0, 1),
                Jobs.job("ann", 2, 2, 0, 1),
                Jobs.job("ann", 1, 3, 0, 1));

        assertThat(Grouping.GPUS.of(jobs)).extracting(JobGroup::name).containsExactly("1", "2", "16");
    }

    /** Two hours of work on half a GPU: of a share of a quarter it takes four, which it took seven for. */
    @Test
    void a_job_for_a_part_of_a_gpu_asks_for_that_part_of_its_share() {
        JobSpec half = spec(1, "red", "lab").demanding(Demand.ofGpus(1).withGpuMilli(500));
        JobOutcome[] four =
                IntStream.range(0, 4).mapToObj(i -> job(half, false)).toArray(JobOutcome[]::new);

        assertThat(Fairness.finishTimes(Jobs.run(1, four))).containsExactly(1.75, 1.75, 1.75, 1.75);
        assertThat(Fairness.finishTimes(Jobs.run(2, four))).containsExactly(3.5, 3.5, 3.5, 3.5);
        assertThat(Fairness.of(List.of(Jobs.run(1, four), Jobs.run(2, four)))
                        .finishTime()
                        .mean())
                .isEqualTo((1.75 + 3.5) / 2);
    }

    @ParameterizedTest
    @EnumSource
    void a_metric_of_values_is_that_of_their_distribution(RankingMetric metric) {
        double[] values = IntStream.range(0, 101)
                .mapToDouble(i -> (i * 37 + 5) % 101 * (i % 3 + 1))
                .toArray();
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double expected = switch (metric.label().split("-")[0]) {
            case "median" -> sorted[50];
            case "p95" -> sorted[95];
            case "p99" -> sorted[99];
            default -> Arrays.stream(sorted).sum() / 101;
        };

        assertThat(metric.of(Distribution.of(values))).isEqualTo(expected);
        assertThat(metric.of(values.clone())).isEqualTo(expected);
        assertThat(RankingMetric.named("--metric", metric.label())).isEqualTo(metric);
        assertThat(metric.ofJob().name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .isEqualTo(metric.label().split("-", 2)[1]);
        assertThat(metric.text(90)).isEqualTo(metric.ofJob() == JobMetric.SLOWDOWN ? "90.00" : "1 min 30 s");
    }

    @Test
    void metrics_are_named_in_words_and_by_no_other_name() {
        assertThat(RankingMetric.P95_JCT.words()).isEqualTo("p95 JCT");
        assertThat(RankingMetric.MEAN_WIDE_WAIT.words()).isEqualTo("mean wide wait");
        assertThatThrownBy(() -> RankingMetric.named("--metric", "p90-jct")).hasMessageContaining("p95-jct");
        assertThatThrownBy(() -> JobFigures.of(List.of(Jobs.run(8, Jobs.job("ann", 8, 0, 1, 1))))
                        .value(RankingMetric.MEAN_WIDE_WAIT))
                .hasMessageContaining("jobs of more than 8 GPUs");
    }

    @Test
    void statistics_of_nothing_and_shares_beyond_one_are_refused() {
        assertThat(Statistics.meanSeconds(new long[] {-1_500_000_000L, 500_000_000L, 4_000_000_000L}))
                .isEqualTo(1);
        assertThat(Statistics.meanSeconds(new long[] {999_999_999L, 2})).isEqualTo(0.5000000005);
        assertThat(Statistics.sortedSeconds(new long[] {2_500_000_000L, -1_000_000_000L}))
                .containsExactly(-1, 2.5);
        assertThatThrownBy(() -> Statistics.mean(new double[0])).hasMessage("no values");
        assertThatThrownBy(() -> Statistics.meanSeconds(new long[0])).hasMessage("no values");
        assertThatThrownBy(() -> Statistics.percentile(new double[0], 0.5)).hasMessage("no values");
        for (double share : new double[] {-0.01, 1.01, Double.NaN}) {
            assertThatThrownBy(() -> Statistics.percentile(new double[] {1}, share))
                    .hasMessage("share (%s) must lie in 0..1".formatted(share));
        }
    }

    private static JobOutcome worth(double utility) {
        JobOutcome plain = Jobs.job("ann", 1, 0, 0, 10);
        JobValue value = new JobValue() {
            @Override
            public double horizonSeconds() {
                return 100;
            }

            @Override
            public boolean countsTraining() {
                return false;
            }

            @Override
            public double of(double delaySeconds, double trainedSeconds) {
                return utility;
            }
        };
        return new JobOutcome(
                plain.job().attaching(JobValue.class, value),
                plain.firstStartNanos(),
                plain.endNanos(),
                plain.onGpus(),
                0,
                0,
                1,
                1,
                1,
                utility,
                0,
                0,
                false);
    }

    /** Totals of 10 and 14 have the standard error 2; of one degree of freedom 97.5 % is at 12.706. */
    @Test
    void utilities_are_totals_of_episodes_with_students_interval() {
        RunResult.RejectedJob rejected = new RunResult.RejectedJob(worth(5).job(), 1, "");
        RunResult first = new RunResult(List.of(worth(10), worth(0)), List.of(rejected), 4, 1, 1, 1, "a");
        RunResult second = new RunResult(List.of(worth(14)), List.of(), 4, 1, 1, 1, "b");
        UtilityFigures both = Objects.requireNonNull(UtilityFigures.of(List.of(first, second)));

        assertThat(both.total()).isEqualTo(12);
        assertThat(Objects.requireNonNull(both.interval())).isCloseTo(2 * 12.7062047362, within(1e-8));
        assertThat(both.admitted()).isEqualTo(3 / 4.0);
        assertThat(both.gaining()).isEqualTo(2 / 4.0);
        assertThat(Objects.requireNonNull(UtilityFigures.of(List.of(second))).interval())
                .isNull();
        RunResult plain = Jobs.run(4, Jobs.job("ann", 1, 0, 0, 10));
        assertThat(UtilityFigures.of(List.of(plain))).isNull();
        RunResult refusing = new RunResult(plain.jobs(), List.of(rejected), 4, 1, 1, 1, "c");
        assertThat(Objects.requireNonNull(UtilityFigures.of(List.of(plain, refusing)))
                        .total())
                .as("the job with a value was rejected")
                .isZero();
    }

    @Test
    void regret_is_the_share_of_the_bound_that_is_missed() {
        assertThat(Objects.requireNonNull(new UtilityFigures(75, null, 100.0, 1, 1).regret()))
                .isEqualTo(0.25);
        assertThat(new UtilityFigures(0, null, 0.0, 1, 1).regret()).isNull();
        assertThat(new UtilityFigures(75, null, null, 1, 1).regret()).isNull();
    }
}
