package org.trainyard.experiments.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.RestartCost;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.topology.Clusters;

class TimedSchedulerTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Topology ONE_GPU = Clusters.resolve("1x1");

    private long workedNanos;

    /**
     * First come, first served on one GPU; a wait takes 1 us, the start of job i 1000 (i + 1) us, pushing out 500 us.
     */
    private Decision decide(SimView view) {
        if (view.runningCount() == 1 && view.arrived() == 3 && view.preemptions(0) == 0 && view.firstRunning() == 0) {
            workedNanos += 500_000;
            return new Decision.Preempt(0);
        }
        int job = view.firstWaiting();
        if (job == SimView.NONE || view.runningCount() > 0) {
            workedNanos += 1_000;
            return Decision.WAIT;
        }
        workedNanos += 1_000_000L * (job + 1);
        return new Decision.Start(job, Placement.of(ONE_GPU, 0));
    }

    @Test
    void a_job_costs_what_was_thought_until_each_decision_about_it() {
        Workload workload = new Workload(
                List.of(
                        Runs.job(0, 0, 0, 1).job(),
                        Runs.job(1, 10 * SECOND, 0, 1).job(),
                        Runs.job(2, 20 * SECOND, 0, 1).job()),
                new double[] {1_000, 1_000, 1_000});
        Scheduler fifo = this::decide;
        TimedScheduler timed = new TimedScheduler(fifo, () -> workedNanos);
        new World(
                        ONE_GPU,
                        new RingPerformance(ONE_GPU, InterferenceModel.NONE),
                        new Simulator.Options(RestartCost.ofNanos(0), false, null))
                .simulator(workload)
                .run(timed);

        // Start 0, wait, (1 comes) wait, (2 comes) push out 0, start 1, wait, (1 ends) start 2, wait, (2 ends) start 0,
        // wait, and perhaps
        // wait at the end.
        Latencies calls = timed.decidingCalls();
        assertThat(calls.count()).isEqualTo(5);
        assertThat(calls.microseconds(0)).isEqualTo(500);
        assertThat(calls.microseconds(1)).isEqualTo(3_000);
        Latencies jobs = timed.perJob();
        assertThat(jobs.count()).isEqualTo(3);
        // Job 1: its start. Job 0: two starts, being pushed out after two waits, and one more wait. Job 2: its start
        // after a wait.
        assertThat(jobs.microseconds(0)).isEqualTo(2_000);
        assertThat(jobs.microseconds(0.5)).isEqualTo(1_000 + 2 + 500 + 1 + 1_000);
        assertThat(jobs.microseconds(1)).isEqualTo(3_000 + 1);
        assertThat(timed.nanos()).isEqualTo(workedNanos);
    }

    @Test
    void what_two_episodes_took_adds_up() {
        Latencies both = Latencies.of(new long[] {4_000, 1_000}).plus(Latencies.of(new long[] {3_000, 2_000, 9_000}));

        assertThat(both.count()).isEqualTo(5);
        assertThat(both.microseconds(0.5)).isEqualTo(3);
        assertThat(both.microseconds(1)).isEqualTo(9);
        assertThat(Latencies.of(new long[0]).microseconds(0.99)).isZero();
    }
}
