package org.trainyard.experiments.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.simulation.MaintenanceWindow;
import org.trainyard.env.simulation.Outage;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.trace.log.RunGaps;
import org.trainyard.experiments.simulation.LoggedServers;

/** A moment at 1,000 s of a log of twelve GPUs, and the estimates of waits that it gives, worked out by hand. */
class WaitEstimatorTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long NOW = 1000 * SECOND;
    private static final Topology TOPOLOGY = Objects.requireNonNull(Topologies.parse("3x4"));

    private final List<TraceJob> jobs = new ArrayList<>();

    private static TraceJob job(String id, int gpus, double submit, double start, double end, String account) {
        long from = (long) (start * SECOND);
        long until = (long) (end * SECOND);
        return new TraceJob(id, (long) (submit * SECOND), gpus, until - from, null, null, null, null)
                .on(SubmissionTerms.NONE.but().account(account).build())
                .ran(new LoggedRun(from, until));
    }

    /** Twenty of two GPUs that waited 1 to 20 s, the odd ones of account a; five of four GPUs that waited 100 s. */
    private ClusterMoment moment() {
        jobs.clear();
        for (int i = 1; i <= 20; i++) {
            jobs.add(job("two" + i, 2, 10 * i, 11 * i, 11 * i + 50, i % 2 == 1 ? "a" : "b"));
        }
        for (int i = 0; i < 5; i++) {
            jobs.add(job("four" + i, 4, 300 + i, 400 + i, 500 + i, "a"));
        }
        jobs.add(job("runs", 3, 900, 950, 1200, "a"));
        jobs.add(job("first", 2, 960, 1500, 1600, "a"));
        jobs.add(job("second", 4, 970, 1500, 1600, "a"));
        return ClusterMoment.of(jobs, new LoggedServers(TOPOLOGY, jobs), NOW);
    }

    private static TraceJob asked(int gpus, double submit, String account) {
        return job("asked", gpus, submit, 2000, 2100, account);
    }

    /**
     * Like a job of two GPUs of account a: 1, 3 .. 19; of c: all of two GPUs; of four GPUs: all 26 that started. The
     * last that started waited 50 s. Ahead are 2 GPUs for 50 s, by the runs of two GPUs, and 4 for 60 s, by all ended
     * runs.
     */
    @ParameterizedTest
    @CsvSource({
        "MEAN_OF_SIMILAR, 2, a, 10",
        "MEAN_OF_SIMILAR, 2, c, 10.5",
        "MEAN_OF_SIMILAR, 4, a, 29.23076923076923",
        "MEDIAN_OF_SIMILAR, 2, a, 10",
        "MEDIAN_OF_SIMILAR, 2, b, 11",
        "MEDIAN_OF_SIMILAR, 2, c, 10.5",
        "MEDIAN_OF_SIMILAR, 4, a, 13.5",
        "LAST_STARTED, 2, a, 50",
        "HEAD_OF_LINE, 2, a, 40",
        "WORK_AHEAD, 2, a, 28.333333333333332"
    })
    void waits_are_estimated_from_the_past(WaitEstimator estimator, int gpus, String account, double seconds) {
        assertThat(estimator.seconds(moment(), asked(gpus, 1000, account), 12)).isCloseTo(seconds, within(1e-9));
    }

    @Test
    void nobody_ahead_and_enough_free_gpus_is_no_wait() {
        jobs.add(job("runs", 3, 900, 950, 1200, "a"));
        ClusterMoment moment = ClusterMoment.of(jobs, new LoggedServers(TOPOLOGY, jobs), NOW);
        assertThat(WaitEstimator.WORK_AHEAD.seconds(moment, asked(9, 1000, "a"), 12))
                .isZero();
        ClusterMoment empty = ClusterMoment.of(List.of(), new LoggedServers(TOPOLOGY, List.of()), NOW);
        for (WaitEstimator estimator : WaitEstimator.values()) {
            assertThat(estimator.seconds(empty, asked(1, 1000, "a"), 12)).isZero();
        }
    }

    /** Of the ten waits 1, 3 .. 19 of its like, those of at least the 7 s that it has waited. */
    @Test
    void rests_of_waits_begin_with_the_wait_so_far() {
        assertThat(WaitEstimator.rests(moment(), asked(2, 993, "a"))).containsExactly(0, 2, 4, 6, 8, 10, 12);
        assertThat(WaitEstimator.rests(moment(), asked(2, 1005, "a")))
                .hasSize(10)
                .startsWith(1, 3);
    }

    @ParameterizedTest
    @CsvSource({"'', 0", "'7', 7", "'9 1', 5", "'3 1 2', 2", "'4 1 2 9', 3"})
    void a_median_is_the_middle_or_the_mean_of_two(String values, double median) {
        double[] all = values.isEmpty()
                ? new double[0]
                : Arrays.stream(values.split(" ", -1))
                        .mapToDouble(Double::parseDouble)
                        .toArray();
        assertThat(WaitEstimator.median(all)).isEqualTo(median);
    }

    @Test
    void a_moment_has_what_ran_waited_and_ended_until_then() {
        ClusterMoment moment = moment();
        assertThat(moment.running()).extracting(one -> one.job().id()).containsExactly("runs");
        assertThat(moment.waiting()).extracting(TraceJob::id).containsExactly("first", "second");
        assertThat(moment.ended()).hasSize(25);
        assertThat(moment.gpusHeld()).isEqualTo(3);
        assertThat(moment.gpusWanted()).isEqualTo(6);
        assertThat(moment.gpusFree(TOPOLOGY)).isEqualTo(9);
        // A server of four GPUs, and one GPU of another.
        assertThat(moment.without(List.of(1, 3)).gpusFree(TOPOLOGY)).isEqualTo(4);
        assertThat(moment.ran()).hasSize(26);
        assertThat(moment.ran().get(25).durationNanos()).isEqualTo(50 * SECOND);
        assertThat(Objects.requireNonNull(moment.ran().get(25).past()).endNanos())
                .isEqualTo(NOW);
    }

    /** At its start a job runs, at its end it has ended; between two of its runs it waits. */
    @ParameterizedTest
    @CsvSource({
        "99.999, waiting, 0",
        "100, running, 100",
        "119.999, running, 100",
        "120, waiting, 0",
        "129.999, waiting, 0",
        "130, running, 130",
        "199.999, running, 130",
        "200, ended, 0"
    })
    void a_job_that_was_requeued_waits_between_its_runs(double now, String where, long start) {
        TraceJob job = job("j", 1, 0, 100, 200, "a")
                .attaching(RunGaps.class, new RunGaps(List.of(new RunGaps.Gap(20 * SECOND, 30 * SECOND))));
        ClusterMoment moment = ClusterMoment.of(
                List.of(job), new LoggedServers(TOPOLOGY, List.of(job)), Math.round(now * 1000) * (SECOND / 1000));

        assertThat(List.of(
                        moment.waiting().size(),
                        moment.running().size(),
                        moment.ended().size()))
                .isEqualTo(
                        switch (where) {
                            case "waiting" -> List.of(1, 0, 0);
                            case "running" -> List.of(0, 1, 0);
                            default -> List.of(0, 0, 1);
                        });
        if (where.equals("running")) {
            assertThat(moment.running().get(0).startNanos()).isEqualTo(start * SECOND);
        }
    }

    /** Now is the latest of starts and of run times so far, a nanosecond before it; jobs that are held do not wait. */
    @Test
    void a_live_moment_is_just_before_now() {
        List<TraceJob> all = List.of(
                job("over", 1, 0, 1, 50, "a"),
                job("open", 2, 0, 10, 9999, "a"),
                job("waits", 1, 60, 110, 200, "a"),
                job("held", 1, 70, 110, 200, "a"));
        ClusterMoment moment =
                ClusterMoment.live(all, new LoggedServers(TOPOLOGY, all), Map.of("open", 100.0), Set.of("held"));

        assertThat(moment.nowNanos()).isEqualTo(110 * SECOND - 1);
        assertThat(moment.waiting()).extracting(TraceJob::id).containsExactly("waits");
        assertThat(moment.running()).extracting(one -> one.job().id()).containsExactly("open");
        assertThat(moment.submitted()).hasSize(4);
    }

    /** A job that runs since 950 s with such a limit was not kept from a window that begins before its limit ends. */
    @ParameterizedTest
    @CsvSource({
        "0, 990, 1100, 990",
        "100, 990, 1100, 1050",
        "30, 990, 1100, 990",
        "150, 990, 1100, -1",
        "149, 990, 1100, 1099",
        "100, 900, 1000, -1",
        "10, 900, 1001, 960",
        "100, 900, 950, -1"
    })
    void maintenance_begins_where_the_limits_of_running_jobs_end(long limit, long from, long until, long begins) {
        TraceJob runs = job("runs", 1, 900, 950, 2000, "a");
        runs = runs.on(runs.terms().but().limitNanos(limit * SECOND).build());
        ClusterMoment moment = ClusterMoment.of(List.of(runs), new LoggedServers(TOPOLOGY, List.of(runs)), NOW);

        List<MaintenanceWindow> heeded =
                moment.heeding(List.of(new MaintenanceWindow(new Outage(from * SECOND, until * SECOND), List.of(0))));

        assertThat(heeded)
                .isEqualTo(
                        begins < 0
                                ? List.of()
                                : List.of(new MaintenanceWindow(
                                        new Outage(begins * SECOND, until * SECOND), List.of(0))));
    }

    /** Draws the number 0 at the draw of that place, and notes of how many it drew. */
    private static final class Draws implements RandomGenerator {
        private final List<Integer> bounds = new ArrayList<>();
        private final int hit;

        Draws(int hit) {
            this.hit = hit;
        }

        @Override
        public long nextLong() {
            throw new AssertionError("draws whole numbers below a bound");
        }

        @Override
        public int nextInt(int bound) {
            bounds.add(bound);
            return bounds.size() == hit ? 0 : 1;
        }
    }

    /**
     * Cancelled after 10, 20 and 30 s; others waited 5, 10, 25 and 40 s: of the six that waited 10 s one was cancelled
     * then, of the four that waited 20 s one, and of the two that waited 30 s one.
     */
    @Test
    void of_those_that_waited_as_long_one_was_cancelled() {
        List<TraceJob> others = new ArrayList<>();
        for (int wait : new int[] {40, 5, 25, 10}) {
            others.add(job("w" + wait, 1, 100, 100 + wait, 500, "a"));
        }
        CancelledWaits waits = new CancelledWaits(List.of(30 * SECOND, 10 * SECOND, 20 * SECOND), others, 100 * SECOND);
        TraceJob waiting = job("waits", 1, 990, 3000, 3100, "a");

        assertThat(drawn(waits, waiting, 990, 9, 6, 4, 2)).isEqualTo(Long.MAX_VALUE);
        assertThat(drawn(waits, waiting, 990, 2, 6, 4)).isEqualTo(1010 * SECOND);
        assertThat(drawn(waits, waiting, 1000, 1, 4)).isEqualTo(1010 * SECOND);
        assertThat(drawn(waits, waiting, 1001, 1, 4)).isEqualTo(1010 * SECOND);
        assertThat(drawn(waits, waiting, 1019, 1, 2)).isEqualTo(1020 * SECOND);
        assertThat(drawn(waits, waiting, 1020, 1)).isEqualTo(Long.MAX_VALUE);
        assertThat(waits.endsAfter(100 * SECOND - 1)).isFalse();
        assertThat(waits.endsAfter(100 * SECOND)).isTrue();
        assertThat(new CancelledWaits(List.of(), others, 0).endsAfter(1)).isFalse();
    }

    private static long drawn(CancelledWaits waits, TraceJob job, long now, int hit, Integer... bounds) {
        Draws draws = new Draws(hit);
        long drawn = waits.drawNanos(job, now * SECOND, draws);
        assertThat(draws.bounds).containsExactly(bounds);
        return drawn;
    }
}
