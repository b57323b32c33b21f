package org.trainyard.env.scheduling.preemption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.scheduling.interruption.PreemptionOverhead;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.PreemptionRules;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

/** Restarts cost 30 s, and jobs are saved every 40 s. Job 0 runs for 100 s, job 1 for 50 s after its restart. */
class PreemptionOverheadTest {
    private static final Topology ONE = Topologies.parse("1x8");
    private final Simulator simulator = new World(
                    ONE,
                    new RatedPerformance(),
                    new Simulator.Options(30 * TimedJobs.SECOND, true)
                            .with(PreemptionRules.FREE.savingEvery(40 * TimedJobs.SECOND)))
            .simulator(TimedJobs.list()
                    .job(2, 0, 500)
                    .job(4, 0, 500)
                    .job(3, 0, 500)
                    .workload());
    private final SimView view = simulator.view();

    @BeforeEach
    void run() {
        simulator.advance();
        simulator.apply(new Decision.Start(0, Placement.of(ONE, 0, 1)));
        simulator.apply(new Decision.Start(1, Placement.of(ONE, 2, 3, 4, 5)));
        simulator.apply(new Decision.Preempt(1));
        simulator.apply(Decision.waitUntil(20 * TimedJobs.SECOND));
        simulator.advance();
        simulator.apply(new Decision.Start(1, Placement.of(ONE, 2, 3, 4, 5)));
        simulator.apply(Decision.waitUntil(100 * TimedJobs.SECOND));
        simulator.advance();
    }

    @Test
    void a_plan_costs_the_restarts_and_the_lost_work_of_all_its_victims() {
        PreemptionPlan plan = new PreemptionPlan();
        plan.add(0, SimView.NONE);
        plan.add(1, SimView.NONE);
        // Job 0 has run for 100 s, of which 20 s are unsaved; job 1 for 50 s after its restart, of which 10 s are.
        PreemptionOverhead overhead = PreemptionOverhead.of(view, plan, (any, job) -> job == 0 ? 100 : 200, 2, 60);

        assertThat(overhead.restarts()).isCloseTo(30 / 100.0 + 30 / 200.0, within(1e-12));
        assertThat(overhead.lostWork()).isCloseTo(20 / 100.0 + 10 / 200.0, within(1e-12));
        assertThat(overhead.share()).isCloseTo((50 * 2 + 40 * 4) / (60.0 * 3), within(1e-12));
        assertThat(overhead.preemptions()).isOne();
    }

    @Test
    void a_second_counts_where_less_is_left() {
        PreemptionPlan plan = new PreemptionPlan();
        plan.add(0, SimView.NONE);
        PreemptionOverhead overhead = PreemptionOverhead.of(view, plan, (any, job) -> 0.5, 2, 0.25);

        assertThat(overhead).isEqualTo(new PreemptionOverhead(30, 20, 50 * 2 / 3.0, 0));
        assertThat(PreemptionOverhead.ofMove(view, 0, 0.5, 0.25)).isEqualTo(new PreemptionOverhead(30, 20, 50, 0));
    }

    @Test
    void a_move_costs_its_own_restart_over_the_time_that_it_saves() {
        PreemptionOverhead overhead = PreemptionOverhead.ofMove(view, 1, 200, 80);

        assertThat(overhead).isEqualTo(new PreemptionOverhead(30 / 200.0, 10 / 200.0, 40 / 80.0, 1));
    }

    @Test
    void a_charge_is_weighed_and_lowers_a_rank_by_its_share() {
        PreemptionCharge half = new PreemptionCharge(0.5);

        assertThat(half.seconds(view, 0)).isEqualTo(25);
        assertThat(half.share(view, 0, 100)).isEqualTo(0.25);
        assertThat(half.share(view, 0, 0.1)).isEqualTo(25);
        assertThat(PreemptionCharge.NONE.seconds(view, 0)).isZero();
        assertThat(PreemptionCharge.restartShare(240)).isEqualTo(0.25);
        assertThat(PreemptionCharge.restartShare(6)).isOne();
        // Job 0 has 400 s left, of which the charge is a sixteenth.
        assertThat(half.isAbove(view, 0, 16, 14.9)).isTrue();
        assertThat(half.isAbove(view, 0, 16, 15)).isFalse();
        assertThat(PreemptionCharge.NONE.isAbove(view, 0, 16, 17)).isTrue();
    }
}
