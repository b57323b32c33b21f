package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trainyard.env.simulation.Worlds.SECOND;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.Workload;

/** Jobs that may not start yet, and jobs that outlive their time limits. */
class DependencyTrackerTest {
    private final Topology small = Topologies.small();
    private final List<String> log = new ArrayList<>();

    /** Starts every waiting job on the first free GPU. */
    private Decision first(SimView view) {
        int job = view.firstWaiting();
        for (int gpu = 0; job != SimView.NONE && gpu < small.gpus(); gpu++) {
            if (view.cluster().owner(gpu) == Cluster.FREE) {
                return new Decision.Start(job, Placement.of(small, new int[] {gpu}));
            }
        }
        return Decision.WAIT;
    }

    private void note(long at, EventKind kind, int job, int argument, @Nullable Placement where) {
        log.add("%d %s %d".formatted(at / SECOND, kind, job));
    }

    private RunResult run(Worlds jobs) {
        return jobs.simulator(small, new Simulator.Options(RestartCost.FREE, true, this::note))
                .run(this::first);
    }

    private static long[] starts(RunResult result) {
        return result.jobs().stream()
                .mapToLong(job -> job.firstStartNanos() / SECOND)
                .toArray();
    }

    @Test
    void a_run_that_outlives_its_limit_is_killed_and_counted() {
        RunResult result = run(new Worlds()
                .job(1, 0, 100)
                .saying(terms -> terms.limitNanos(60 * SECOND))
                .job(1, 0, 60)
                .saying(terms -> terms.limitNanos(60 * SECOND)));

        assertThat(log).endsWith("60 FINISH 1", "60 TIMEOUT 0");
        assertThat(result.jobs()).extracting(JobOutcome::timedOut).containsExactly(true, false);
        assertThat(result.jobs().get(0).onGpus().undisturbedNanos()).isEqualTo(60 * SECOND);
        assertThat(result.jobs().get(0).onGpus().placementNanos()).isZero();
    }

    @Test
    void a_job_that_is_killed_before_it_did_any_work_tells_predictors_nothing() {
        List<Double> learned = new ArrayList<>();
        RuntimePredictor predictor = new RuntimePredictor() {
            @Override
            public double predictSeconds(JobSpec job) {
                return 100;
            }

            @Override
            public void finished(JobSpec job, double idealSeconds) {
                learned.add(idealSeconds);
            }
        };
        Workload jobs = new Worlds()
                .job(1, 0, 100)
                .saying(terms -> terms.limitNanos(60 * SECOND))
                .job(1, 0, 30)
                .workload();
        boolean[] preempted = {false};
        RunResult result = new World(small, new RatedPerformance(), new Simulator.Options(900 * SECOND, true))
                .telling(told -> predictor)
                .simulator(jobs)
                .run(view -> {
                    if (view.runningCount() == 2 && !preempted[0]) {
                        preempted[0] = true;
                        return new Decision.Preempt(0);
                    }
                    return first(view);
                });

        assertThat(result.jobs().get(0).timedOut()).isTrue();
        assertThat(learned).containsExactly(30.0);
    }

    @Test
    void a_job_arrives_at_its_begin_time() {
        RunResult result = run(new Worlds().job(1, 5, 10).saying(terms -> terms.delayNanos(30 * SECOND)));

        assertThat(log).containsExactly("5 HOLD 0", "35 ARRIVE 0", "35 START 0", "45 FINISH 0");
        JobOutcome job = result.jobs().get(0);
        assertThat(job.heldNanos()).isEqualTo(30 * SECOND);
        assertThat(job.queueingNanos()).isZero();
        assertThat(job.jctNanos()).isEqualTo(40 * SECOND);
    }

    /** Job 0 runs from 0 to 100 s, or to its limit of 40 s; job 1 depends on it. */
    @ParameterizedTest
    @CsvSource({
        "afterok:job0, 0, 100", "afterany:job0, 0, 100", "afterany:job0, 40, 40", "afternotok:job0, 40, 40",
        "after:job0, 0, 0", "after:job0+1, 0, 60", "afterok:nobody, 0, 0", "'afterok:job0,after:job0', 0, 100",
        "afternotok:job0?afterok:job0, 0, 100", "afterok:job0(unfulfilled), 0, 100"
    })
    void a_job_starts_when_its_dependencies_hold(String dependency, long limit, long start) {
        RunResult result = run(new Worlds()
                .job(1, 0, 100)
                .saying(terms -> terms.limitNanos(limit * SECOND))
                .job(1, 0, 10)
                .saying(terms -> terms.dependency(dependency)));

        assertThat(starts(result)).containsExactly(0, start);
    }

    /** Job 0 starts at 20 s, job 1 at once; a minute counts from the later start, whichever job is named last. */
    @ParameterizedTest
    @ValueSource(strings = {"after:job0+1:job1+1", "after:job1+1:job0+1"})
    void a_delay_counts_from_the_latest_start(String dependency) {
        RunResult result = run(new Worlds()
                .job(1, 0, 100)
                .saying(terms -> terms.delayNanos(20 * SECOND))
                .job(1, 0, 100)
                .job(1, 0, 10)
                .saying(terms -> terms.dependency(dependency)));

        assertThat(starts(result)).containsExactly(20, 0, 80);
    }

    /**
     * One task of an array starts 20 s after the other; a minute counts from the later start, whichever task that is.
     */
    @ParameterizedTest
    @CsvSource({"20, 0", "0, 20"})
    void a_delay_counts_from_the_latest_start_of_an_array(long first, long second) {
        RunResult result = run(new Worlds()
                .job(1, 0, 100)
                .saying(terms ->
                        terms.array(new SubmissionTerms.ArrayTask("9", 0, 2)).delayNanos(first * SECOND))
                .job(1, 0, 100)
                .saying(terms ->
                        terms.array(new SubmissionTerms.ArrayTask("9", 1, 2)).delayNanos(second * SECOND))
                .job(1, 0, 10)
                .saying(terms -> terms.dependency("after:9+1")));

        assertThat(starts(result)).containsExactly(first, second, 80);
    }

    @ParameterizedTest
    @CsvSource({"afterok:job0, 40, 40", "afternotok:job0, 0, 100", "'afterok:job0,afterany:job0', 40, 40"})
    void a_job_whose_dependency_can_never_hold_is_turned_away(String dependency, long limit, long at) {
        RunResult result = run(new Worlds()
                .job(1, 0, 100)
                .saying(terms -> terms.limitNanos(limit * SECOND))
                .job(1, 0, 10)
                .saying(terms -> terms.dependency(dependency))
                .job(1, 0, 10)
                .saying(terms -> terms.dependency("afterok:job1")));

        assertThat(result.rejected()).extracting(job -> job.job().id()).containsExactly(1, 2);
        assertThat(log).endsWith(at + " ARRIVE 2", at + " REJECT 2");
    }

    @Test
    void no_more_tasks_of_an_array_run_at_once_than_its_limit() {
        Worlds jobs = new Worlds();
        for (int task = 0; task < 7; task++) {
            int number = task;
            jobs.job(1, 0, 10 + task).saying(terms -> terms.array(new SubmissionTerms.ArrayTask("9", number, 2)));
        }
        jobs.job(1, 0, 1).saying(terms -> terms.dependency("afterany:9"));
        jobs.job(1, 0, 1).saying(terms -> terms.dependency("afterok:9_2"));

        assertThat(starts(run(jobs))).containsExactly(0, 0, 10, 11, 22, 24, 36, 52, 22);
    }

    @ParameterizedTest
    @CsvSource({"afterok", "before:3", "afterok:3+5", "singleton:3", "17"})
    void a_dependency_that_slurm_does_not_know_is_refused(String dependency) {
        Worlds jobs = new Worlds().job(1, 0, 1).saying(terms -> terms.dependency(dependency));

        assertThatThrownBy(() -> run(jobs))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("job job0, dependency")
                .hasMessageContaining(dependency);
    }

    /** The dependency holds from 300 s on, the job may begin at 600 s. */
    @Test
    void a_job_with_a_begin_time_after_its_dependency_starts_at_its_begin_time() {
        RunResult result = run(new Worlds()
                .job(1, 0, 100)
                .job(1, 0, 10)
                .saying(terms -> terms.delayNanos(600 * SECOND).dependency("after:job0+5")));

        assertThat(starts(result)).containsExactly(0, 600);
    }
}
