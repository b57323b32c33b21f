package org.trainyard.experiments.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.advice.NearestScheduler;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.simulation.LoggedServers;

/** Forecasts of past jobs whose waits follow from a rule, so that forecasts, estimates and errors do. */
class ForecastBacktestTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Topology FOUR = Objects.requireNonNull(Topologies.parse("1x4"));
    private static final Topology MANY = Objects.requireNonNull(Topologies.parse("12x8"));

    private static TraceJob job(int number, Demand demand, long submit, long start) {
        return new TraceJob("j" + number, submit * SECOND, demand, 100 * SECOND, null, null, null, null)
                .ran(new LoggedRun(start * SECOND, (start + 100) * SECOND));
    }

    /** Job n comes at 50 n s and starts at 100 n s, when the job before ends. */
    private static List<TraceJob> oneByOne(int jobs) {
        return IntStream.range(0, jobs)
                .mapToObj(n -> job(n, Demand.ofGpus(4), 50L * n, 100L * n))
                .toList();
    }

    private static StartForecaster fifo(Topology topology) {
        return new StartForecaster(topology, NearestScheduler.named("--scheduler", "fifo", topology, 1), 2, 1);
    }

    private static JsonNode backtest(List<TraceJob> jobs, long endSecond, int most) {
        return JsonText.read(
                ForecastBacktest.of(fifo(FOUR), jobs, new LoggedServers(FOUR, jobs), 4, endSecond * SECOND, most)
                        .json("fifo"));
    }

    private static List<String> tested(JsonNode answer) {
        List<String> ids = new ArrayList<>();
        answer.get("forecasts").forEach(one -> ids.add(one.get("job").asText()));
        return ids;
    }

    /**
     * Of 60 jobs those with numbers 40, 42 .. 58 are forecast, exactly. Job n = 2 r comes when job r starts, which has
     * waited 50 r s, while those of numbers r + 1 to n - 1 wait, the first for 50 r - 50 s; those before have waited 25
     * r s on average.
     */
    @Test
    void forecasts_and_estimates_have_their_errors() {
        JsonNode answer = backtest(oneByOne(60), 1_000_000, 10);

        assertThat(tested(answer))
                .containsExactly("j40", "j42", "j44", "j46", "j48", "j50", "j52", "j54", "j56", "j58");
        assertThat(answer.get("jobs").asInt()).isEqualTo(10);
        for (JsonNode one : answer.get("forecasts")) {
            double wait = 50 * Double.parseDouble(one.get("job").asText().substring(1));
            assertThat(one.get("waited_s").asDouble()).isEqualTo(wait);
            assertThat(one.at("/simulated_wait_s/p10").asDouble()).isEqualTo(wait);
            assertThat(one.at("/wait_s/p90").asDouble()).isCloseTo(wait, within(1e-6));
            assertThat(one.get("gpus").asInt()).isEqualTo(4);
        }
        assertThat(answer.get("coverage_80").asDouble()).isEqualTo(1);
        assertThat(answer.at("/error_s/mean").asDouble()).isCloseTo(0, within(1e-6));
        double[] errors = {75 * 24.5, 75 * 24.5, 50 * 24.5, 50 * 24.5 + 50, 100};
        for (int i = 0; i < errors.length; i++) {
            assertThat(answer.at("/others/%d/error_s/mean".formatted(i)).asDouble())
                    .isCloseTo(errors[i], within(1e-6));
            assertThat(answer.at("/others/%d/error_s/median".formatted(i)).asDouble())
                    .isCloseTo(errors[i], within(1e-6));
        }
        assertThat(answer.at("/others/4/name").asText()).isEqualTo(WaitEstimator.WORK_AHEAD.words());
    }

    /** Of the 54 jobs that had started at 5,300 s the last third are 36 to 53; a job without GPUs is not forecast. */
    @Test
    void jobs_that_start_after_the_end_and_those_without_gpus_are_not_judged() {
        List<TraceJob> jobs = new ArrayList<>(oneByOne(60));
        assertThat(tested(backtest(jobs, 5300, 100)))
                .hasSize(18)
                .startsWith("j36", "j37")
                .endsWith("j53");
        jobs.set(44, job(44, new Demand(0, 0, 0, Demand.WHOLE, 1000, 0, true, List.of()), 50 * 44, 50 * 44));
        assertThat(tested(backtest(jobs, 1_000_000, 10))).hasSize(9).doesNotContain("j44");
    }

    /** Jobs that come every 600 s to a cluster that is never full, and wait as long as those of their width do. */
    private static List<TraceJob> held(int jobs, int wideFrom, long narrowWait, long wideWait) {
        return IntStream.range(0, jobs)
                .mapToObj(n -> {
                    boolean isWide = n >= wideFrom && n % 2 == 1;
                    long submit = 600L * n;
                    return job(n, Demand.ofGpus(isWide ? 9 : 1), submit, submit + (isWide ? wideWait : narrowWait));
                })
                .toList();
    }

    private static ForecastBacktest before(List<TraceJob> jobs, int most) {
        return ForecastBacktest.before(fifo(MANY), jobs, new LoggedServers(MANY, jobs), most);
    }

    /** Simulated waits are nothing; with 20 wide ones they teach the wide, with 14 the others do as well. */
    @ParameterizedTest
    @CsvSource({"60, 20, 16, 7000, 20", "60, 20, 8, 3000, 20", "60, 32, 16, 3000, 40"})
    void jobs_of_a_width_are_calibrated_by_their_like(int jobs, int wideFrom, int gpus, long seconds, int taught) {
        ForecastBacktest backtest = before(held(jobs, wideFrom, 3000, 7000), 40);
        long late = 1_000_000 * SECOND;

        Calibration calibration = backtest.calibration(late, gpus, ForecastRule.SIMULATED);

        assertThat(calibration.size()).isEqualTo(taught);
        assertThat(calibration.apply(new Quantiles(0, 0, 0)).p50()).isCloseTo(seconds, within(1e-6));
    }

    /**
     * Fifteen simulated forecasts are wrong until they are corrected, when the waits of similar jobs are right; as long
     * as fewer than fifteen jobs have started the simulation stays. Of the jobs from number 20 on, number n starts at
     * 600 n + 3,000 s.
     */
    @ParameterizedTest
    @CsvSource({"33, SIMULATED", "34, MEAN_OF_SIMILAR", "59, MEAN_OF_SIMILAR"})
    void the_rule_that_was_nearest_is_used(int started, ForecastRule rule) {
        ForecastBacktest backtest = before(held(60, 60, 3000, 0), 40);

        assertThat(backtest.rule((600L * started + 3000) * SECOND)).isEqualTo(rule);
    }

    @Test
    void an_exact_simulation_is_the_rule() {
        List<TraceJob> jobs = oneByOne(60);
        assertThat(ForecastBacktest.before(fifo(FOUR), jobs, new LoggedServers(FOUR, jobs), 20)
                        .rule(1_000_000 * SECOND))
                .isEqualTo(ForecastRule.SIMULATED);
    }

    /** At 36,000 s the last nine jobs wait; for how much longer nobody knows, and the others waited 6,000 s. */
    @ParameterizedTest
    @ValueSource(longs = {6000, 90_000})
    void waits_that_go_on_teach_no_more_than_how_long_they_have_lasted(long lastWaits) {
        List<TraceJob> jobs = IntStream.range(0, 60)
                .mapToObj(n -> job(n, Demand.ofGpus(1), 600L * n, 600L * n + (n > 50 ? lastWaits : 6000)))
                .toList();

        Quantiles learned = before(jobs, 40)
                .calibration(36_000 * SECOND, 1, ForecastRule.SIMULATED)
                .apply(new Quantiles(0, 0, 0));

        assertThat(learned.p50()).isCloseTo(6000, within(1e-6));
        assertThat(learned.p90()).isCloseTo(6000, within(1e-6));
    }

    /**
     * At 600 n s the last four jobs before wait on, for 600, 1,200, 1,800 and 2,400 s; the moments are those of jobs
     * 20, 30, 40 and 50.
     */
    @Test
    void jobs_that_waited_together_teach_together() {
        List<TraceJob> jobs = held(60, 60, 3000, 0);
        Calibration learned =
                ForecastBacktest.waiting(fifo(MANY), jobs, new LoggedServers(MANY, jobs), 1_000_000 * SECOND, 40);

        assertThat(learned.size()).isEqualTo(16);
        assertThat(learned.apply(new Quantiles(0, 0, 0)).p50()).isCloseTo(1200, within(1e-6));
    }
}
