package org.trainyard.experiments.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.distributed.ThreadWorkerPool;

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
            LogReplays runs = new LogReplays(
                    LogReplays.world(one, InterferenceModel.NONE, 1),
                    workers,
                    new LogReplays.Limits(null, 60, 30),
                    null);
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
}
