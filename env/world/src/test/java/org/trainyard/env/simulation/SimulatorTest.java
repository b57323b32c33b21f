package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.trainyard.env.simulation.Worlds.SECOND;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

class SimulatorTest {
    // 2 racks x 4 servers x 4 GPUs.
    private final Topology small = Topologies.small();

    private Decision start(int job, int... gpus) {
        return new Decision.Start(job, Placement.of(small, gpus));
    }

    @Test
    void a_preempted_job_keeps_its_progress_and_pays_the_restart() {
        Simulator simulator = new Worlds().job(1, 0, 100).job(1, 40, 10).simulator(small, 30);
        simulator.advance();
        simulator.apply(start(0, 0));
        simulator.apply(Decision.WAIT);
        simulator.advance();
        simulator.apply(new Decision.Preempt(0));

        assertThat(simulator.view().progressSeconds(0)).isEqualTo(40);
        assertThat(simulator.view().state(0)).isEqualTo(JobState.WAITING);
        assertThat(simulator.view().queuedSinceNanos(0)).isEqualTo(40 * SECOND);

        simulator.apply(Decision.waitUntil(60 * SECOND));
        simulator.advance();
        simulator.apply(start(0, 5));
        simulator.apply(start(1, 6));
        simulator.apply(Decision.waitUntil(65 * SECOND));
        simulator.advance();
        assertThat(simulator.view().progressSeconds(0)).as("still restarting").isEqualTo(40);
        simulator.apply(Decision.WAIT);
        simulator.advance();
        simulator.apply(Decision.WAIT);
        assertThat(simulator.advance()).isFalse();

        JobOutcome outcome = simulator.outcome(0);
        assertThat(outcome.endNanos()).isEqualTo((60 + 30 + 60) * SECOND);
        assertThat(outcome.runNanos()).isEqualTo((40 + 30 + 60) * SECOND);
        assertThat(outcome.queueingNanos()).isEqualTo(20 * SECOND);
        assertThat(outcome.preemptions()).isEqualTo(1);
        assertThat(outcome.firstStartNanos()).isZero();
    }

    @Test
    void what_a_view_shows_of_progress_does_not_tell_the_true_work() {
        List<Double> seen = new ArrayList<>();
        for (double factor : new double[] {1, 1e12}) {
            Simulator simulator = new Worlds().job(1, 0, 100 * factor).simulator(small, 30);
            simulator.advance();
            simulator.apply(start(0, 0));
            simulator.apply(Decision.waitUntil(12_345_678_901L));
            simulator.advance();
            simulator.apply(new Decision.Preempt(0));
            seen.add(simulator.view().progressSeconds(0));
        }

        assertThat(seen).containsExactly(12.345678901, 12.345678901);
    }

    @Test
    void illegal_decisions_throw_and_change_nothing() {
        Simulator simulator =
                new Worlds().job(2, 0, 10).job(1, 0, 10).job(1, 5, 10).simulator(small, 0);
        simulator.advance();
        simulator.apply(start(0, 0, 1));
        String before = simulator.eventLog().sha256();

        assertThatThrownBy(() -> simulator.apply(start(1, 1))).hasMessageContaining("not all free");
        assertThatThrownBy(() -> simulator.apply(start(1, 2, 3))).hasMessageContaining("it needs (1)");
        assertThatThrownBy(() -> simulator.apply(start(0, 2, 3))).hasMessageContaining("RUNNING");
        assertThatThrownBy(() -> simulator.apply(start(2, 2))).hasMessageContaining("unknown");
        assertThatThrownBy(() -> simulator.apply(new Decision.Preempt(1))).hasMessageContaining("WAITING");
        assertThatThrownBy(() -> simulator.apply(new Decision.Preempt(-1))).hasMessageContaining("unknown");
        assertThatThrownBy(() -> simulator.apply(new Decision.Forward(0, 1))).hasMessageContaining("RUNNING");
        assertThatThrownBy(() -> simulator.apply(Decision.waitUntil(0))).hasMessageContaining("already");

        assertThat(simulator.eventLog().sha256()).isEqualTo(before);
        assertThat(simulator.decisions()).isEqualTo(1);
        assertThat(simulator.view().cluster().free()).isEqualTo(30);
        simulator.apply(start(1, 2));
    }

    @Test
    void time_passes_only_after_a_wait_and_decisions_come_only_before() {
        Simulator simulator = new Worlds().job(1, 0, 10).simulator(small, 0);
        assertThatThrownBy(() -> simulator.apply(start(0, 0))).isInstanceOf(IllegalStateException.class);
        simulator.advance();

        assertThatThrownBy(simulator::advance).hasMessageContaining("after a Wait");
    }

    @Test
    void a_scheduler_that_waits_on_an_idle_cluster_is_told_so() {
        Simulator simulator = new Worlds().job(1, 0, 10).simulator(small, 0);

        assertThatThrownBy(() -> simulator.run(view -> Decision.WAIT)).hasMessageContaining("1 job is waiting");
    }

    @Test
    void a_scheduler_that_starts_and_preempts_for_ever_is_stopped() {
        Simulator simulator = new Worlds().job(1, 0, 10).simulator(small, 0);

        assertThatThrownBy(() -> simulator.run(view -> view.runningCount() > 0 ? new Decision.Preempt(0) : start(0, 0)))
                .hasMessageContaining("decisions at one instant (0 h 0 min 0.000 s)");
    }

    @Test
    void the_future_may_not_be_asked_about() {
        Simulator simulator = new Worlds().job(1, 0, 10).job(1, 5, 10).simulator(small, 0);
        simulator.advance();

        assertThat(simulator.view().arrived()).isEqualTo(1);
        assertThatThrownBy(() -> simulator.view().job(1)).hasMessageContaining("not been submitted");
    }

    @Test
    void neighbours_slow_each_other_down_and_leaving_ones_set_the_rest_free() {
        // Pressures and sensitivities are all 1/2. Job 0 and 1 share server 0 and its socket: pressure 1/4 each way on
        // both scopes, so the slowdown is 1 + (0.6 + 1.0) x 1/2 x 1/2 x 1/4 = 1.1.
        Simulator simulator = new Worlds()
                .job(1, 0, 100)
                .job(1, 0, 50)
                .simulator(small, 0, new RingPerformance(small, AnalyticInterference.DEFAULT));
        simulator.advance();
        simulator.apply(start(0, 0));
        simulator.apply(start(1, 1));
        assertThat(simulator.view().slowdown(0)).isCloseTo(1.1, within(1e-12));
        assertThat(simulator.view().rate(0)).isCloseTo(1 / 1.1, within(1e-12));
        simulator.apply(Decision.WAIT);
        simulator.advance();
        simulator.apply(Decision.WAIT);
        simulator.advance();

        assertThat(simulator.outcome(1).endNanos()).isEqualTo(55 * SECOND);
        assertThat(simulator.outcome(0).endNanos()).isEqualTo(105 * SECOND);
        assertThat(simulator.outcome(0).meanSlowdown()).isCloseTo((1.1 * 55 + 50) / 105, within(1e-9));
    }

    @Test
    void a_job_larger_than_the_cluster_is_refused_at_once() {
        assertThatThrownBy(() -> new Worlds().job(33, 0, 10).simulator(small, 0))
                .hasMessageContaining("needs (33) GPUs, the cluster has (32)");
    }
}
