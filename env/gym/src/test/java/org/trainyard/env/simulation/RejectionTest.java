package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trainyard.env.simulation.Worlds.SECOND;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;

class RejectionTest {
    private final Topology small = Topologies.small();

    /** Rejects every second job, and starts the others on the first GPU, one after the other. */
    private Decision everySecond(SimView view) {
        int job = view.firstWaiting();
        if (job == SimView.NONE) {
            return Decision.WAIT;
        }
        if (job % 2 == 1) {
            return new Decision.Reject(job);
        }
        return view.runningCount() > 0 ? Decision.WAIT : new Decision.Start(job, Placement.of(small, new int[] {0}));
    }

    @Test
    void a_rejected_job_ends_without_a_completion() {
        RunResult result = new Worlds()
                .job(1, 0, 100)
                .job(1, 10, 50)
                .job(1, 20, 30)
                .job(1, 30, 5)
                .simulator(small, 0)
                .run(this::everySecond);

        assertThat(result.jobs()).extracting(JobOutcome::endNanos).containsExactly(100 * SECOND, 130 * SECOND);
        assertThat(result.rejected())
                .extracting(rejected -> rejected.job().id())
                .containsExactly(1, 3);
        assertThat(result.rejected())
                .extracting(RunResult.RejectedJob::idealSeconds)
                .containsExactly(50.0, 5.0);
        assertThat(result.submitted()).extracting(JobSpec::id).containsExactly(0, 1, 2, 3);
        assertThat(result.meanJctSeconds()).isEqualTo((100 + 110) / 2.0);
        assertThat(result.decisions()).isEqualTo(4);
    }

    @Test
    void queues_forget_rejected_jobs_and_the_log_names_the_rejection() {
        List<EventKind> kinds = new ArrayList<>();
        Simulator simulator = new Worlds()
                .job(1, 0, 100)
                .job(1, 0, 50)
                .simulator(small, new Simulator.Options(RestartCost.FREE, true, (at, kind, job, argument, where) -> {
                    if (job == 0) {
                        kinds.add(kind);
                    }
                }));
        WaitingJobs queue = new WaitingJobs((view, job) -> job);
        simulator.advance();
        simulator.apply(new Decision.Reject(0));
        queue.update(simulator.view());

        assertThat(queue.first()).isEqualTo(1);
        assertThat(simulator.view().waitingCount()).isEqualTo(1);
        assertThat(kinds).containsExactly(EventKind.ARRIVE, EventKind.REJECT);
        assertThatThrownBy(() -> simulator.outcome(0)).hasMessageContaining("was rejected");
    }

    @Test
    void only_jobs_that_never_started_can_be_rejected() {
        Simulator simulator = new Worlds().job(1, 0, 100).simulator(small, 0);
        simulator.advance();
        simulator.apply(new Decision.Start(0, Placement.of(small, new int[] {0})));
        assertThatThrownBy(() -> simulator.apply(new Decision.Reject(0))).hasMessageContaining("RUNNING");
        simulator.apply(new Decision.Preempt(0));
        assertThatThrownBy(() -> simulator.apply(new Decision.Reject(0))).hasMessageContaining("started before");
    }

    @Test
    void a_run_with_rejections_goes_on_from_a_snapshot() {
        Worlds world = new Worlds().job(1, 0, 100).job(1, 10, 50).job(1, 20, 30).job(1, 30, 5);
        RunResult whole = world.simulator(small, 0).run(this::everySecond);
        Simulator simulator = world.simulator(small, 0);
        for (int step = 0; step < 3; step++) {
            simulator.advance();
            simulator.decide(this::everySecond);
        }

        Workload workload = world.workload();
        Simulator restored = new World(small, new RatedPerformance(), new Simulator.Options(0, true))
                .restore(simulator.snapshot(), workload);
        assertThat(restored.run(this::everySecond)).isEqualTo(whole);
    }
}
