package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trainyard.env.simulation.Worlds.SECOND;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;

/** Costs of restarts, rules of preemption, time limits and sums of a run, in numbers worked out by hand. */
class RulesAndResultsTest {
    private static final Pressure NONE = new Pressure(0, 0, 0);

    /** 15 s and three times the gradients at 100 MB/s, at most 250 s. */
    @ParameterizedTest
    @CsvSource({"0, 15", "1e9, 45", "7.8e9, 249", "1e11, 250"})
    void a_restart_reads_a_checkpoint_of_three_times_the_gradients(double gradientBytes, long seconds) {
        JobSpec job = new JobSpec(0, "job", 0, 1, new ModelProfile("model", 1, gradientBytes, 1, NONE, NONE), 1);

        assertThat(RestartCost.BySize.MEASURED.nanos(job, 7 * SECOND)).isEqualTo(seconds * SECOND);
        assertThat(new RestartCost.Fixed(2.5).nanos(job, 7 * SECOND)).isEqualTo(2_500_000_000L);
        assertThat(RestartCost.ofNanos(30 * SECOND)).isEqualTo(new RestartCost.Fixed(30));
        assertThat(RestartCost.FREE.nanos(job, 7 * SECOND)).isZero();
    }

    @Test
    void a_job_may_be_preempted_after_its_least_run_and_not_more_often_than_allowed() {
        PreemptionRules rules = new PreemptionRules(5, 10, 0, 2);

        assertThat(rules.fromNanos(0, 100)).isEqualTo(110);
        assertThat(rules.fromNanos(1, 100)).isEqualTo(110);
        assertThat(rules.fromNanos(2, 100)).isEqualTo(Long.MAX_VALUE);
        assertThat(rules.fromNanos(0, Long.MAX_VALUE - 10)).isEqualTo(Long.MAX_VALUE);
        assertThat(rules.fromNanos(0, Long.MAX_VALUE - 9)).isEqualTo(Long.MAX_VALUE);
        assertThat(rules.savingEvery(7)).isEqualTo(new PreemptionRules(7, 10, 0, 2));
        assertThat(rules.allowsMigration()).isTrue();
        assertThat(new PreemptionRules(5, 10, 1, 2).allowsMigration()).isFalse();
        assertThat(new PreemptionRules(5, 10, 0, 0).allowsMigration()).isFalse();
        assertThat(new PreemptionRules(5, 10, 1, 1).allowsAny()).isTrue();
    }

    /** Limits of 40 and 30 s, from 10 and 15 s on: the second job ends first; one without a limit never. */
    @Test
    void limits_count_from_the_last_start_and_only_where_they_are_enforced() {
        Workload jobs = new Worlds()
                .job(1, 0, 99)
                .saying(terms -> terms.limitNanos(40 * SECOND))
                .job(1, 0, 99)
                .saying(terms -> terms.limitNanos(30 * SECOND))
                .job(1, 0, 99)
                .workload();
        TimeLimits limits = new TimeLimits(jobs.slots(), true);
        limits.start(jobs.job(0), 10 * SECOND);
        limits.start(jobs.job(1), 15 * SECOND);
        limits.start(jobs.job(2), 0);
        assertThat(List.of(limits.nextNanos(), (long) limits.nextJob())).containsExactly(45 * SECOND, 1L);
        limits.stop(jobs.job(1));
        assertThat(List.of(limits.nextNanos(), (long) limits.nextJob())).containsExactly(50 * SECOND, 0L);
        limits.stop(jobs.job(0));
        limits.stop(jobs.job(2));
        assertThat(limits.nextNanos()).isEqualTo(Long.MAX_VALUE);
        TimeLimits reported = new TimeLimits(jobs.slots(), false);
        reported.start(jobs.job(0), 0);
        assertThat(reported.nextNanos()).isEqualTo(Long.MAX_VALUE);
    }

    /** Job 0 restarts for 30 s at once and is stopped after 20; job 1 has run for the 20. */
    @Test
    void a_job_that_did_no_work_tells_nothing_of_run_times() {
        Topology small = Topologies.small();
        List<String> learned = new ArrayList<>();
        Simulator simulator = new World(small, new RatedPerformance(), new Simulator.Options(30 * SECOND, true))
                .telling(all -> new RuntimePredictor() {
                    @Override
                    public double predictSeconds(JobSpec job) {
                        return 100;
                    }

                    @Override
                    public void finished(JobSpec job, double idealSeconds) {
                        learned.add(job.name() + " " + idealSeconds);
                    }
                })
                .simulator(new Worlds()
                        .job(1, 0, 99)
                        .saying(terms -> terms.limitNanos(20 * SECOND))
                        .job(1, 0, 99)
                        .saying(terms -> terms.limitNanos(20 * SECOND))
                        .workload());
        simulator.advance();
        simulator.start(0, Placement.of(small, 0));
        simulator.preempt(0);
        simulator.start(0, Placement.of(small, 0));
        simulator.start(1, Placement.of(small, 1));
        simulator.apply(Decision.WAIT);
        while (simulator.advance()) {
            simulator.apply(Decision.WAIT);
        }

        assertThat(simulator.isDone()).isTrue();
        assertThat(learned).containsExactly("job1 20.0");
        assertThat(simulator.outcome(0).timedOut()).isTrue();
        assertThat(simulator.outcome(0).endNanos()).isEqualTo(20 * SECOND);
    }

    private static JobOutcome outcome(int id, long submit, long end) {
        JobSpec job =
                new JobSpec(id, "job" + id, submit * SECOND, 1, new ModelProfile("model", 1, 0, 1, NONE, NONE), 1);
        JobOutcome.TimeOnGpus onGpus = new JobOutcome.TimeOnGpus(10 * SECOND, 4 * SECOND, 3 * SECOND, 2 * SECOND);
        return new JobOutcome(job, submit * SECOND, end * SECOND, onGpus, 0, 0, 1, 1, 1, 0, 0, 5 * SECOND, false);
    }

    @Test
    void a_result_sums_up_its_completed_jobs_and_counts_reasons_of_the_others() {
        List<RunResult.RejectedJob> rejected = List.of(
                new RunResult.RejectedJob(outcome(4, 50, 60).job(), 1, "too wide"),
                new RunResult.RejectedJob(outcome(0, 0, 60).job(), 1),
                new RunResult.RejectedJob(outcome(3, 40, 60).job(), 1, "too wide"));
        RunResult result =
                new RunResult(List.of(outcome(1, 20, 80), outcome(2, 30, 60)), rejected, 8, 120, 9, 9, "hash");

        assertThat(result.makespanSeconds()).isEqualTo(60);
        assertThat(result.meanJctSeconds()).isEqualTo(45);
        assertThat(result.gpuUtilisation()).isEqualTo(120 / (60.0 * 8));
        assertThat(result.submitted()).extracting(JobSpec::id).containsExactly(0, 1, 2, 3, 4);
        assertThat(result.rejections()).isEqualTo(Map.of("too wide", 2, "", 1));
        assertThat(result.rejections().keySet()).containsExactly("too wide", "");
        JobOutcome first = result.jobs().get(0);
        assertThat(first.queueingNanos()).isEqualTo((60 - 10 - 5) * SECOND);
        assertThat(first.onGpus().placementNanos()).isEqualTo(SECOND);
        assertThat(first.jctSlowdown()).isEqualTo(15);
        RunResult none = new RunResult(List.of(), List.of(), 8, 0, 0, 0, "hash");
        assertThat(List.of(none.makespanSeconds(), none.meanJctSeconds(), none.gpuUtilisation()))
                .containsOnly(0.0);
    }

    /** From 11 to 21 s all servers, or the second of two, are out of service. */
    @ParameterizedTest
    @CsvSource({
        "0, 11, false",
        "0, 12, true",
        "1, 10, false",
        "1, 11, true",
        "11, 1, true",
        "20, 1, true",
        "21, 99, false"
    })
    void a_limit_crosses_a_maintenance_that_begins_before_it_ends(long now, long limit, boolean crosses) {
        Outages outages = new Outages.Maintained(
                Outages.NONE, List.of(new MaintenanceWindow(new Outage(11 * SECOND, 21 * SECOND), List.of(1, 0))));
        Maintenance maintenance = new Maintenance(outages, 2);
        maintenance.moveTo(now * SECOND);
        JobSpec job = new Worlds()
                .job(1, 0, 9)
                .saying(terms -> terms.limitNanos(limit * SECOND))
                .workload()
                .job(0);

        assertThat(maintenance.crossesAll(job)).isEqualTo(crosses);
        assertThat(maintenance.isToCome()).isEqualTo(now < 21);
        assertThat(maintenance.bound(job)).isSameAs(job);
        Maintenance ofOne = new Maintenance(
                new Outages.Maintained(
                        Outages.NONE, List.of(new MaintenanceWindow(new Outage(11 * SECOND, 21 * SECOND), List.of(1)))),
                2);
        ofOne.moveTo(now * SECOND);
        assertThat(ofOne.crossesAll(job)).isFalse();
        assertThat(ofOne.crosses(1, limit * SECOND)).isEqualTo(crosses);
        assertThat(ofOne.crosses(0, limit * SECOND)).isFalse();
        assertThat(ofOne.bound(job).demand().lastsNanos()).isEqualTo(limit * SECOND);
    }
}
