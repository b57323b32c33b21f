package org.trainyard.env.scheduling.preemption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.DecisionQueue;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

/** Plans worked out by hand, for a job that waits with 60 s left. */
class WholeGpuVictimsTest {
    private final List<Double> seconds = new ArrayList<>();
    private final TimedJobs jobs = TimedJobs.list();

    /** A job that has so many seconds left, to be estimated. */
    private WholeGpuVictimsTest job(int gpus, double secondsLeft) {
        jobs.job(gpus, 0, 10_000);
        seconds.add(secondsLeft);
        return this;
    }

    /** Starts the jobs before the last on the GPUs of these numbers,. */
    private SimView start(String cluster, int[]... gpus) {
        Topology topology = Objects.requireNonNull(Topologies.parse(cluster));
        Simulator simulator = jobs.simulator(topology);
        simulator.advance();
        for (int job = 0; job < gpus.length; job++) {
            simulator.apply(new Decision.Start(job, Placement.of(topology, gpus[job])));
        }
        return simulator.view();
    }

    private PreemptionPlanner planner(SimView view, int from, int to, InterferenceModel belief) {
        return new PreemptionPlanner(
                view,
                from,
                to,
                (any, job) -> seconds.get(job),
                new PlacementPreview(view.topology(), belief),
                false,
                PreemptionCharge.NONE);
    }

    /** The plan for the last job: its victims, where they go, and where the job starts. */
    private String plan(String cluster, int[]... gpus) {
        SimView view = start(cluster, gpus);
        PreemptionPlanner planner = planner(view, 0, view.topology().servers(), InterferenceModel.NONE);
        return text(planner.plan(gpus.length));
    }

    private String text(@Nullable PreemptionPlan plan) {
        if (plan == null) {
            return "none";
        }
        StringBuilder text = new StringBuilder();
        double paid = 0;
        for (int v = 0; v < plan.size(); v++) {
            boolean isPreempted = plan.target(v) == SimView.NONE;
            text.append(plan.victim(v)).append(isPreempted ? ", " : " to " + plan.target(v) + ", ");
            paid += 60 / seconds.get(plan.victim(v));
        }
        assertThat(plan.cost()).isCloseTo(paid, within(1e-12));
        for (int i = 0; i < plan.servers(); i++) {
            text.append(i == 0 ? "on " : " and ").append(plan.server(i));
        }
        return text.toString();
    }

    private static int[] gpus(int first, int count) {
        return IntStream.range(first, first + count).toArray();
    }

    /**
     * Losses of 1, 2 and 3 tenths: all three free two GPUs too many, as many as the second, which is the dearest that
     * can stay.
     */
    @Test
    void the_dearest_victims_that_are_not_needed_are_spared_first() {
        job(1, 600).job(2, 300).job(4, 200).job(5, 60);

        assertThat(plan("1x7", gpus(0, 1), gpus(1, 2), gpus(3, 4))).isEqualTo("0, 2, on 0");
    }

    @Test
    void a_victim_that_alone_frees_enough_lets_the_cheaper_ones_before_it_stay() {
        job(1, 600).job(2, 300).job(5, 200).job(5, 60);

        assertThat(plan("1x8", gpus(0, 1), gpus(1, 2), gpus(3, 5))).isEqualTo("2, on 0");
    }

    @Test
    void no_victim_has_as_little_time_left_as_the_job_that_waits() {
        job(4, 60).job(4, 61).job(4, 60);
        assertThat(plan("1x8", gpus(0, 4), gpus(4, 4))).isEqualTo("1, on 0");
    }

    @Test
    void without_such_victims_there_is_no_plan() {
        job(4, 60).job(4, 59).job(4, 60);
        assertThat(plan("1x8", gpus(0, 4), gpus(4, 4))).isEqualTo("none");
    }

    /** A move costs 60 s over what the victim has left, as its preemption does here, and goes first. */
    @Test
    void a_victim_moves_to_the_server_with_the_fewest_free_gpus_that_no_other_victim_has_taken() {
        job(2, 600).job(2, 500).job(6, 61).job(5, 61).job(8, 60);

        assertThat(plan("1x3x8", gpus(0, 2), gpus(2, 2), gpus(8, 6), gpus(16, 5)))
                .isEqualTo("0 to 1, 1 to 2, on 0");
    }

    @Test
    void a_gang_clears_servers_one_after_the_other_and_no_victim_moves_to_one_of_them() {
        job(2, 600).job(2, 300).job(6, 200).job(16, 60);

        // Server 0 is cleared first, to server 2; then server 1, whose victim has no room left and is preempted.
        assertThat(plan("1x3x8", gpus(0, 2), gpus(8, 2), gpus(16, 6))).isEqualTo("0 to 2, 1, on 0 and 1");
    }

    @Test
    void a_planner_of_some_servers_has_no_plan_for_a_job_wider_than_they_are() {
        job(8, 600).job(8, 600).job(8, 600).job(17, 60);
        SimView view = start("1x3x8", gpus(0, 8), gpus(8, 8), gpus(16, 8));

        assertThat(planner(view, 0, 2, InterferenceModel.NONE).plan(3)).isNull();
        assertThat(text(planner(view, 0, 3, InterferenceModel.NONE).plan(3))).isEqualTo("0, 1, 2, on 0 and 1 and 2");
    }

    @Test
    void a_plan_costs_less_than_its_limit_and_once_found_stands_for_any_above_its_cost() {
        job(4, 240).job(4, 60);
        SimView view = start("1x4", gpus(0, 4));
        PreemptionPlanner planner = planner(view, 0, 1, InterferenceModel.NONE);

        assertThat(planner.plan(1, 0.25)).isNull();
        assertThat(planner.plan(1, 0.2)).isNull();
        PreemptionPlan plan = planner.plan(1, 0.26);
        assertThat(text(plan)).isEqualTo("0, on 0");
        assertThat(planner.plan(1)).isSameAs(plan);
        assertThat(planner.plan(1, 0.25)).isNull();
        assertThat(planner.plan(1, 0.2501)).isSameAs(plan);
    }

    /** Beside a neighbour it costs the slowdowns of both, and on the empty server an eighth for two GPUs left over. */
    @ParameterizedTest
    @CsvSource({"0.06, 1", "0.0625, 1", "0.07, 2"})
    void a_victim_moves_where_slowdowns_and_gpus_left_over_cost_least(double perNeighbour, int server) {
        job(2, 600).job(2, 61).job(4, 60);
        SimView view = start("1x3x4", gpus(0, 2), gpus(4, 2));
        InterferenceModel belief = (victim, place) -> 1 + perNeighbour * place.count();
        PreemptionPlanner planner = planner(view, 0, 1, belief);
        PreemptionPlan plan = Objects.requireNonNull(planner.plan(2));
        assertThat(text(plan)).isEqualTo("0 to 1, on 0");
        DecisionQueue decisions = new DecisionQueue();
        planner.carryOut(plan, new PlacementBuilder(view.topology(), view.cluster()), decisions);

        assertThat(decisions.remove()).isEqualTo(new Decision.Preempt(0));
        assertThat(decisions.remove())
                .isEqualTo(new Decision.Start(0, Placement.of(view.topology(), server == 1 ? gpus(6, 2) : gpus(8, 2))));
        assertThat(decisions.isEmpty()).isTrue();
    }

    @Test
    void a_server_costs_at_least_its_cheapest_gpus_the_last_victim_in_part() {
        ServerJobs there = new ServerJobs();
        there.begin(3);
        there.gpus = new int[] {2, 2, 4};
        there.gpusInAll = new int[] {2, 2, 8};
        there.seconds = new double[] {400, 200, 800};
        there.restart = new double[] {0.125, 0.25, Double.POSITIVE_INFINITY};

        // By GPU: a 64th for the gang, and where two GPUs are free elsewhere a 16th and an eighth.
        assertThat(there.leastCost(1, 100, 2)).isEqualTo(1 / 64.0);
        assertThat(there.leastCost(4, 100, 2)).isEqualTo(4 / 64.0);
        assertThat(there.leastCost(5, 100, 2)).isEqualTo(8 / 64.0);
        assertThat(there.leastCost(8, 100, 2)).isEqualTo(28 / 64.0);
        assertThat(there.leastCost(9, 100, 2)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(there.leastCost(8, 100, 1)).as("all preempted").isEqualTo(52 / 64.0);
        assertThat(there.leastCost(6, 300, 1)).as("one has too little left").isEqualTo(60 / 64.0);
        assertThat(there.leastCost(7, 300, 1)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(there.held()).isEqualTo(8);
        assertThat(List.of(there.spans(0), there.spans(1), there.spans(2))).containsExactly(false, false, true);
    }
}
