package org.trainyard.experiments.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.distributed.ThreadWorkerPool;
import org.trainyard.experiments.metrics.JobMetric;
import org.trainyard.experiments.traces.LoggedDurations;

/** Replays of jobs of a few seconds on two servers with four GPUs. */
class LogReplaysTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Topology TWO = Topologies.parse("2x4");

    @TempDir
    private Path folder;

    private static TraceJob job(String name, int gpus, long submit, long seconds) {
        return new TraceJob(name, submit * SECOND, Demand.ofGpus(gpus), seconds * SECOND, null, "u", null, null);
    }

    private static <T> T with(Topology topology, @Nullable String own, Function<LogReplays, T> made) {
        try (ThreadWorkerPool workers = new ThreadWorkerPool()) {
            return made.apply(
                    new LogReplays(LogReplays.world(topology, 1), workers, new LogReplays.Limits(null, 60, 30), own));
        }
    }

    private static double[] waits(String scheduler, double factor, double delaySeconds, TraceJob... jobs) {
        return with(TWO, null, replays -> {
            List<LogReplays.Candidate> one = replays.registered(List.of(jobs), true).stream()
                    .filter(candidate -> candidate.name().equals(scheduler))
                    .toList();
            return replays.delayed(delaySeconds)
                    .run("test", one, List.of(jobs), factor)
                    .get(0)
                    .values(JobMetric.WAIT);
        });
    }

    /** Three jobs of all GPUs for 100 s, submitted at once and at 50 s. */
    @ParameterizedTest
    @CsvSource({"1, 0, 0, 100, 150", "1.5, 0, 0, 150, 250", "1, 10, 10, 110, 160"})
    void durations_are_scaled_and_starts_delayed(double factor, double delay, double a, double b, double c) {
        assertThat(waits("fifo", factor, delay, job("a", 8, 0, 100), job("b", 8, 0, 100), job("c", 8, 50, 100)))
                .containsExactly(a, b, c);
    }

    /**
     * Three GPUs of each server are held until 100 s, so that two are free on two servers; four servers' worth needs
     * both.
     */
    @ParameterizedTest
    @CsvSource({"fifo, 0", "'fifo (gangs on the fewest servers)', 99"})
    void a_narrow_order_waits_for_the_fewest_servers(String scheduler, double wait) {
        assertThat(waits(
                        scheduler,
                        1,
                        0,
                        job("a", 3, 0, 100),
                        job("b", 3, 0, 100),
                        job("gang", 2, 1, 100),
                        job("all", 8, 300, 10)))
                .containsExactly(0, 0, wait, 0);
    }

    private static List<String> names(boolean isSearch, TraceJob... jobs) {
        return with(
                TWO,
                null,
                replays -> replays.registered(List.of(jobs), isSearch).stream()
                        .map(LogReplays.Candidate::name)
                        .toList());
    }

    @Test
    void a_ranking_has_each_scheduler_once_and_a_search_variants_of_it() {
        TraceJob plain = job("a", 1, 0, 10);
        TraceJob limited =
                plain.on(SubmissionTerms.NONE.but().limitNanos(20 * SECOND).build());

        assertThat(names(false, limited))
                .contains("fifo", "sjf", "easy", "slurm")
                .doesNotContain("random")
                .doesNotHaveDuplicates()
                .noneMatch(name -> name.contains("(") || name.contains("/"));
        assertThat(names(true, plain))
                .contains(
                        "sjf (knowing run times)",
                        "fifo (gangs on the fewest servers)",
                        "fifo-backfill (gangs on the fewest servers)",
                        "sjf (gangs on the fewest servers)",
                        "sjf (gangs on the fewest servers) (knowing run times)")
                .doesNotContain("fifo (knowing run times)")
                .noneMatch(name -> name.startsWith("slurm (sched"));
        assertThat(names(true, limited).stream()
                        .filter(name -> name.startsWith("slurm (") && !name.contains("knowing")))
                .containsExactly(
                        "slurm (sched/builtin)",
                        "slurm (bf_continue,bf_interval=30,sched_interval=60)",
                        "slurm (bf_continue,bf_interval=30,sched_interval=60,bf_job_part_count_reserve=1)");
    }

    @Test
    void a_replay_is_made_once() {
        List<TraceJob> jobs = List.of(job("a", 8, 0, 100), job("b", 8, 0, 100));

        boolean isKept = with(TWO, null, replays -> {
            List<LogReplays.Candidate> fifo =
                    List.of(replays.candidate(SchedulerRegistry.named("fifo"), "fifo", false));
            LogOutcome first = replays.run("test", fifo, jobs, 1).get(0);
            LogOutcome longer = replays.run("test", fifo, jobs, 2).get(0);
            assertThat(longer.values(JobMetric.WAIT)).containsExactly(0, 200);
            assertThat(replays.stopped()).isEmpty();
            return replays.run("test", fifo, jobs, 1).get(0) == first;
        });

        assertThat(isKept).isTrue();
    }

    /** The server's own Slurm in order of submission, as EASY, and without each weight that counts. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PriorityWeightAge = 1000 # days;PriorityWeightQOS=0;priorityweightfairshare=7"
                        + "|PriorityType=priority/basic;bf_job_part_count_reserve=1;PriorityWeightAge=0;"
                        + "priorityweightfairshare=0",
                "SchedulerParameters=bf_continue, bf_job_part_count_reserve=1|PriorityType=priority/basic",
                "SchedulerParameters=bf_job_part_count_reserve=10|PriorityType=priority/basic;bf_job_part_count_reserve=1"
            })
    void settings_of_the_own_slurm_are_ranked_too(String conf, String settings) throws IOException {
        Path file = folder.resolve("slurm.conf");
        Files.write(file, List.of(conf.split(";", -1)));

        List<String> names = with(
                TWO,
                "slurm:" + file,
                replays -> replays.settings().stream()
                        .map(LogReplays.Candidate::name)
                        .toList());

        assertThat(names)
                .isEqualTo(Stream.of(settings.split(";", -1))
                        .map(one -> "slurm (" + one + ")")
                        .toList());
    }

    @Test
    void only_a_slurm_with_files_has_settings_of_its_own() {
        assertThat(with(TWO, null, LogReplays::settings)).isEmpty();
        assertThat(Stream.of("slurm:/c/slurm.conf", "kueue:q.yaml", "slurm", "fifo", "volcano:q.yaml")
                        .map(LogReplays::isOwn))
                .containsExactly(true, true, false, false, false);
    }

    @Test
    void a_candidate_keeps_what_it_is_under_another_name_and_cost() {
        LogReplays.Candidate slurm = LogReplays.Candidate.slurm(
                "mine", SlurmFiles.DEFAULT.with(List.of("PreemptType=preempt/qos", "PreemptMode=REQUEUE")), TWO, 30);
        LogReplays.Candidate later = slurm.named("other").restartingIn(300);

        assertThat(slurm.preempts()).isTrue();
        assertThat(slurm.limits()).isEqualTo(LoggedDurations.Told.LIMITS_OF_EACH_RUN);
        assertThat(LogReplays.Candidate.slurm("plain", SlurmFiles.DEFAULT, TWO, 30)
                        .limits())
                .isEqualTo(LoggedDurations.Told.LIMITS);
        assertThat(later.name()).isEqualTo("other (restarts of 5 min)");
        assertThat(later.restartSeconds()).isEqualTo(300);
        assertThat(later.preempts()).isTrue();
        assertThat(later.isTold()).isFalse();
    }

    /** A job of nine GPUs fits nowhere. */
    @Test
    void jobs_that_fit_nowhere_are_left_out() {
        List<TraceJob> jobs = List.of(job("a", 8, 0, 100), job("b", 9, 0, 100));

        List<String> fitting = with(
                TWO,
                null,
                replays -> replays.fitting(jobs).stream().map(TraceJob::id).toList());
        List<Long> leftOut = with(
                TWO,
                null,
                replays -> replays.account(jobs, List.of(new LeftOut("has no end", 3, 0))).all().stream()
                        .map(LeftOut::jobs)
                        .toList());

        assertThat(fitting).containsExactly("a");
        assertThat(leftOut).containsExactlyInAnyOrder(3L, 1L);
    }

    /** Jobs of 100 s on all GPUs, one every 90 s, that ran one after the other. */
    @Test
    void the_nearest_scheduler_to_a_queue_is_strict_fifo() {
        List<TraceJob> jobs = IntStream.range(0, 30)
                .mapToObj(i ->
                        job("j" + i, 8, 90L * i, 100).ran(new LoggedRun(100L * i * SECOND, 100L * (i + 1) * SECOND)))
                .toList();

        NearestScheduler nearest = NearestScheduler.of(TWO, jobs, null, List.of(), 1);
        NearestScheduler own = NearestScheduler.of(TWO, jobs, "easy", List.of(), 1);

        assertThat(nearest.name()).isEqualTo("fifo");
        assertThat(nearest.distance()).isZero();
        assertThat(nearest.isTold()).isFalse();
        assertThat(nearest.fresh().get()).isNotSameAs(nearest.fresh().get());
        assertThat(own.name()).isEqualTo("easy");
        assertThat(own.distance()).isZero();
    }

    @Test
    void a_scheduler_is_named_or_refused() {
        assertThat(NearestScheduler.named("--scheduler", "fifo", TWO, 1).distance())
                .isNaN();
        assertThat(Objects.requireNonNull(NearestScheduler.named("--scheduler", "fifo", TWO, 1)
                        .fresh()
                        .get()))
                .isNotNull();
        assertThatThrownBy(() -> NearestScheduler.named("--scheduler", "past", TWO, 1))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("--scheduler");
        assertThatThrownBy(() -> NearestScheduler.of(TWO, List.of(job("a", 1, 0, 10)), null, List.of(), 1))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("jobs that say when they started and ended, or --scheduler");
    }
}
