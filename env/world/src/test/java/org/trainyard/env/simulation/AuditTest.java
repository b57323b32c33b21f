package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/** Spoils a healthy state in one place at a time. */
class AuditTest {
    private final Topology small = Topologies.small();
    private final Placement where = Placement.of(small, 0, 1);
    private final Simulator simulator = new Worlds().job(2, 0, 10).job(1, 0, 10).simulator(small, 0);
    private final State state = (State) simulator.view();

    @BeforeEach
    void one_job_runs_and_one_waits() {
        simulator.advance();
        simulator.apply(new Decision.Start(0, where));
    }

    @Test
    void a_healthy_state_passes() {
        assertThatCode(() -> Audit.check(state)).doesNotThrowAnyException();
    }

    @Test
    void a_gpu_freed_behind_the_jobs_back_is_caught() {
        state.cluster.release(0, Demand.ofGpus(1), where);

        assertThatThrownBy(() -> Audit.check(state)).hasMessageStartingWith("audit: jobs on server 0");
    }

    @Test
    void gpus_held_by_a_job_that_is_elsewhere_are_caught() {
        state.row(0).placement = Placement.of(small, 8, 9);

        assertThatThrownBy(() -> Audit.check(state)).hasMessageContaining("which is elsewhere");
    }

    @Test
    void a_job_in_the_wrong_list_is_caught() {
        state.waiting.remove(1);

        assertThatThrownBy(() -> Audit.check(state)).hasMessageContaining("waiting: recomputed 1, kept 0");
    }

    @Test
    void a_placement_without_a_run_is_caught() {
        state.row(1).placement = Placement.of(small, 5);

        assertThatThrownBy(() -> Audit.check(state)).hasMessageContaining("placement of job 1");
    }

    @Test
    void a_miscounted_completion_is_caught() {
        state.done++;

        assertThatThrownBy(() -> Audit.check(state)).hasMessageContaining("done");
    }

    @Test
    void a_held_job_that_no_list_has_is_caught() {
        state.waiting.remove(1);
        state.row(1).state = JobState.HELD;

        assertThatThrownBy(() -> Audit.check(state)).hasMessage("audit: held: recomputed 1, kept 0");
    }

    @Test
    void a_running_job_that_no_list_has_is_caught() {
        state.running.remove(0);

        assertThatThrownBy(() -> Audit.check(state)).hasMessage("audit: running: recomputed 1, kept 0");
    }
}
