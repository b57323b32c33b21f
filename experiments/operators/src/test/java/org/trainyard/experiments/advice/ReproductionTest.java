package org.trainyard.experiments.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.distributed.ThreadWorkerPool;
import org.trainyard.experiments.simulation.FreeWait;

class ReproductionTest {
    private static final int JOBS = 100;
    private static final long SECOND = 1_000_000_000L;

    /** Jobs of 1 GPU and 1000 s, one every 10 s, that waited so many seconds. */
    private static LogOutcome waiting(IntToLongFunction waitSeconds) {
        List<TraceJob> jobs = new ArrayList<>();
        for (int job = 0; job < JOBS; job++) {
            long submit = 10 * SECOND * job;
            long start = submit + waitSeconds.applyAsLong(job) * SECOND;
            jobs.add(new TraceJob("j" + job, submit, Demand.ofGpus(1), 1000 * SECOND, null, null, null, null)
                    .ran(new LoggedRun(start, start + 1000 * SECOND)));
        }
        return LogOutcome.past(jobs, 8, true);
    }

    private static Reproduction.Trust trust(
            IntToLongFunction past, IntToLongFunction replay, @Nullable Double cycleStarts) {
        LogOutcome replayed = waiting(replay);
        return new Reproduction(waiting(past), replayed, List.of(), 1, replayed, replayed, replayed, cycleStarts)
                .trust();
    }

    /** All jobs waited 1000 s, and some of them wait longer in the replay: by a minute at most is no difference. */
    @ParameterizedTest
    @CsvSource({
        "15, 1000, GOOD",
        "15, 1160, GOOD",
        "15, 1161, FAIR",
        "15, 1300, FAIR",
        "15, 1400, WEAK",
        "20, 1100, GOOD",
        "21, 1100, FAIR",
        "100, 1060, GOOD"
    })
    void trust_is_good_where_both_waits_and_starts_agree(int longer, long seconds, Reproduction.Trust trust) {
        assertThat(trust(job -> 1000, job -> job < longer ? seconds : 1000, null))
                .isEqualTo(trust);
    }

    /** The same waits, of other jobs. */
    @Test
    void starts_that_differ_are_no_good_though_the_waits_have_the_same_distribution() {
        assertThat(trust(job -> 100L * job, job -> 100L * (JOBS - 1 - job), null))
                .isEqualTo(Reproduction.Trust.FAIR);
        assertThat(trust(job -> 100L * job, job -> 100L * (JOBS - 1 - job), 0.79))
                .isEqualTo(Reproduction.Trust.FAIR);
        assertThat(trust(job -> 100L * job, job -> 100L * (JOBS - 1 - job), 0.8))
                .isEqualTo(Reproduction.Trust.GOOD);
    }

    /**
     * Five jobs of 400 s one after the other wait for 800 s on average, and waited for 1000 s. Of 0.75 to 1.33 ten
     * halvings leave less than a thousandth.
     */
    @Test
    void durations_are_fitted_to_the_mean_wait_of_the_past() {
        Topology one = Objects.requireNonNull(Topologies.parse("1x1"));
        List<TraceJob> jobs = IntStream.range(0, 5)
                .mapToObj(job -> new TraceJob("j" + job, 0, Demand.ofGpus(1), 400 * SECOND, null, null, null, null)
                        .ran(new LoggedRun(500 * SECOND * job, (500L * job + 400) * SECOND)))
                .toList();
        try (ThreadWorkerPool workers = new ThreadWorkerPool()) {
            LogReplays runs =
                    new LogReplays(LogReplays.world(one, 1), workers, new LogReplays.Limits(null, 60, 30), null);
            List<LogReplays.Candidate> fifo = List.of(runs.candidate(SchedulerRegistry.named("fifo"), "fifo", false));
            Reproduction found = Reproduction.of(
                    LogOutcome.past(jobs, 1, true),
                    runs.run("replay", fifo, jobs, 1),
                    runs,
                    fifo,
                    jobs,
                    new int[] {0, 1, 2, 3, 4},
                    null);

            assertThat(found.unfitted().waits().mean()).isEqualTo(800);
            assertThat(found.durationFactor()).isCloseTo(1.25, within(0.001));
            assertThat(found.nearest().waits().mean()).isCloseTo(1000, within(0.8));
        }
    }

    private static Reproduction found(@Nullable String own, LogOutcome... replays) {
        try (ThreadWorkerPool workers = new ThreadWorkerPool()) {
            LogReplays runs = new LogReplays(
                    LogReplays.world(Topologies.parse("1x1"), 1), workers, new LogReplays.Limits(null, 60, 30), own);
            LogOutcome past = all("past", 1000);
            return Reproduction.of(past, List.of(replays), runs, List.of(), List.of(), new int[] {0, 1, 2, 3}, 0.9);
        }
    }

    /** Four jobs that waited as long. */
    private static LogOutcome all(String name, double wait) {
        return LogOutcomeTest.outcome(name, 0, wait, wait, wait, wait);
    }

    /** Waits of 1,000 s are e^0.05 shorter than those of 1,054 s, with a minute on both. */
    @ParameterizedTest
    @CsvSource({"1053, slurm:own, 0.9", "1055, srtf,", "949, slurm:own, 0.9"})
    void slurm_as_the_cluster_configures_it_is_the_nearest_unless_another_is_clearly_nearer(
            double wait, String nearest, @Nullable Double cycleStarts) {
        Reproduction found = found("slurm:own", all("easy", 1010), all("slurm:own", wait), all("srtf", 1000));

        assertThat(found.nearestName()).isEqualTo(nearest);
        assertThat(found.cycleStarts()).isEqualTo(cycleStarts);
        assertThat(found.managed().name()).isEqualTo(nearest.equals("srtf") ? "slurm:own" : nearest);
        assertThat(found.foreign().name()).isEqualTo("easy");
    }

    /** Others within a thousandth of the nearest are named, but not the nearest in other words. */
    @Test
    void schedulers_as_near_as_the_nearest_are_named_once() {
        Reproduction found = found(
                null,
                all("srtf (knowing run times)", 1001),
                all("srtf", 1000),
                all("las", 1001),
                all("tiresias", 1002),
                all("fifo (x)", 1003));

        assertThat(found.nearestName()).isEqualTo("srtf");
        assertThat(found.alike()).containsExactly("las");
        assertThat(found.managed().name()).isEqualTo("fifo (x)");
        assertThat(found.foreign().name()).isEqualTo("fifo (x)");
        assertThat(found(null, all("srtf", 990), all("las", 1000)).managed().name())
                .as("where no manager runs any of them")
                .isEqualTo("las");
    }

    /**
     * Starts that are minutes off are no good; means less than 2 % off, and 15 % of the cluster's own, are not fitted.
     */
    @ParameterizedTest
    @CsvSource({"easy, 1538, false", "easy, 1541, true", "slurm:own, 1799, false", "slurm:own, 1801, true"})
    void what_is_near_is_not_fitted(String name, double longer, boolean isFitted) {
        LogOutcome replay = LogOutcomeTest.outcome(name, 0, 500, 500, longer, longer);
        if (isFitted) {
            assertThatThrownBy(() -> found("slurm:own", replay, all("fifo", 9000)))
                    .isInstanceOf(NoSuchElementException.class);
        } else {
            assertThat(found("slurm:own", replay, all("fifo", 9000)).nearest())
                    .extracting(LogOutcome::name)
                    .isEqualTo(name);
        }
    }

    /**
     * The part left out, or that no replay explains, lowers trust from a twentieth, and makes it weak from a quarter
     * on.
     */
    @ParameterizedTest
    @CsvSource({"0.05, GOOD", "0.051, FAIR", "0.25, FAIR", "0.251, WEAK"})
    void trust_falls_with_the_load_left_out(double share, Reproduction.Trust trust) {
        LogOutcome past = all("past", 1000);
        Reproduction good = Reproduction.of(past, all("fifo", 1000), null);
        Advice.Held held = new Advice.Held(new FreeWait(100, 90, 80, 0), share, 0, false);

        assertThat(good.trust(share, null)).isEqualTo(trust);
        assertThat(good.trust(0, held)).isEqualTo(trust);
        assertThat(good.trust(0, new Advice.Held(held.past(), share, 0, true)))
                .as("where replays reckon with CPUs and memory")
                .isEqualTo(share > 0.25 ? Reproduction.Trust.WEAK : Reproduction.Trust.GOOD);
        assertThat(Reproduction.of(past, all("fifo", 1250), null).trust(share, null))
                .isEqualTo(share > 0.25 ? Reproduction.Trust.WEAK : Reproduction.Trust.FAIR);
    }

    @Test
    void errors_are_told_with_the_minute_that_does_not_count() {
        assertThat(Reproduction.of(all("past", 1000), all("fifo", 1050), null).errors())
                .isEqualTo(
                        "nothing was fitted; the mean wait is off by 5 % (under a minute) and the p95 by 5 % (under a"
                                + " minute); 100 % of the jobs start within a minute of their start");
        Reproduction fitted = new Reproduction(
                all("past", 1000), all("fifo", 1004), List.of(), 1.2, all("fifo", 700), all("x", 0), all("x", 0), 0.75);
        assertThat(fitted.errors())
                .isEqualTo(
                        "durations were fitted to the mean wait, which was off by 30 %; the p95, which was not fitted, is"
                                + " off by 0 %; 0 % of the jobs start within a minute of their start, and 75 % of the starts of the"
                                + " controller's log are made from the state of their cycle");
    }
}
