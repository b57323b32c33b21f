package org.trainyard.env.scheduling.preemption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.DecisionSink;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/** Plans on servers of four GPUs that jobs share, for a job that waits with 300 s left; a move costs 60 s. */
class SharedVictimsByHandTest {
    private static final Demand HALF = Demand.ofGpus(1).withGpuMilli(500);
    private static final double MINE = 300;

    private final ServerSpec server =
            ServerSpec.ofV100(4).with(GpuSharing.FRACTIONS).withHost(8_000, 16_000);
    private final TimedJobs jobs = TimedJobs.list();
    private final List<Double> seconds = new ArrayList<>();
    private final List<Placement> places = new ArrayList<>();
    private Topology topology = Topology.uniform("parts", Fabric.DEFAULT, 1, 3, server, 1);
    private @Nullable Simulator simulator;

    private SharedVictimsByHandTest servers(int count) {
        topology = Topology.uniform("parts", Fabric.DEFAULT, 1, count, server, 1);
        return this;
    }

    /** A job that runs on some GPUs and has so many seconds left, to be estimated. */
    private SharedVictimsByHandTest runs(Demand demand, double left, int... gpus) {
        jobs.job(demand, 0, 10_000);
        seconds.add(left);
        places.add(Placement.of(topology, gpus));
        return this;
    }

    /** A job that needs no GPU, but CPU of a server. */
    private SharedVictimsByHandTest runsOn(int onServer, long cpuMilli, double left) {
        jobs.job(new Demand(0, 0, 0, Demand.WHOLE, cpuMilli, 0, true, List.of()), 0, 10_000);
        seconds.add(left);
        places.add(Placement.onServer(topology, onServer));
        return this;
    }

    private SharedVictimsByHandTest runs(int gpus, double left, int... held) {
        return runs(Demand.ofGpus(gpus), left, held);
    }

    private SimView start(Demand waiting) {
        jobs.job(waiting, 0, 10_000);
        seconds.add(MINE);
        Simulator made =
                new World(topology, new RatedPerformance(), new Simulator.Options(0, true)).simulator(jobs.workload());
        simulator = made;
        made.advance();
        for (int job = 0; job < places.size(); job++) {
            made.apply(new Decision.Start(job, places.get(job)));
        }
        made.apply(Decision.waitUntil(TimedJobs.SECOND));
        made.advance();
        return made.view();
    }

    private SharedGpuPreemption planner(SimView view, boolean moves) {
        return new SharedGpuPreemption(
                view, InterferenceModel.NONE, (any, job) -> seconds.get(job), moves, PreemptionCharge.NONE);
    }

    /** The victims, where they go, the servers of the job and the cost of the plan for it. */
    private String planFor(Demand waiting) {
        SimView view = start(waiting);
        return text(planner(view, true).plan(places.size()));
    }

    private static String text(@Nullable PreemptionPlan plan) {
        if (plan == null) {
            return "none";
        }
        StringBuilder text = new StringBuilder();
        for (int v = 0; v < plan.size(); v++) {
            text.append(plan.victim(v));
            text.append(plan.target(v) == SimView.NONE ? ", " : " to " + plan.target(v) + ", ");
        }
        for (int i = 0; i < plan.servers(); i++) {
            text.append(i == 0 ? "on " : " and ").append(plan.server(i));
        }
        return text.append(String.format(Locale.ROOT, " for %.4f", plan.cost())).toString();
    }

    /** Of two racks of two servers the first is free, and all of it is needed. */
    @Test
    void a_gang_wider_than_a_rack_takes_a_free_one_without_victims_and_makes_room_in_the_next() {
        topology = Topology.uniform("parts", Fabric.DEFAULT, 2, 2, server, 1);
        runs(4, 600, 8, 9, 10, 11).runs(4, 400, 12, 13, 14, 15);

        assertThat(planFor(Demand.ofGpus(12))).isEqualTo("0, on 0 and 1 and 2 for 0.5000");
    }

    /** Five on each of four GPUs, of which none has another place. */
    @Test
    void a_whole_server_of_twenty_parts_costs_all_of_them() {
        servers(1);
        for (int job = 0; job < 20; job++) {
            runs(Demand.ofGpus(1).withGpuMilli(200), 3_000, job % 4);
        }

        assertThat(planFor(Demand.ofGpus(4))).startsWith("0, 1, 2, 3, ").endsWith("16, 17, 18, 19, on 0 for 2.0000");
    }

    @Test
    void a_victim_moves_where_that_costs_less_and_is_preempted_where_it_has_no_other_place() {
        runs(4, 1_000, 0, 1, 2, 3).runs(3, 600, 4, 5, 6).runs(1, 600, 8).runs(3, 290, 9, 10, 11);

        // Job 0 has no room elsewhere; job 1 neither, and job 3 has less time left than the one that waits.
        assertThat(planFor(Demand.ofGpus(4))).isEqualTo("0, on 0 for 0.3000");
    }

    @Test
    void a_move_costs_its_restart_and_goes_to_the_server_with_the_fewest_free_gpus() {
        servers(3).runs(2, 600, 0, 1).runs(1, 310, 4).runs(2, 310, 8, 9);

        assertThat(planFor(Demand.ofGpus(4))).isEqualTo("0 to 2, on 0 for 0.1000");
    }

    @Test
    void two_victims_of_a_server_do_not_move_to_the_same_place() {
        servers(3).runs(1, 600, 0).runs(1, 600, 1).runs(4, 320, 4, 5, 6, 7).runs(3, 310, 8, 9, 10);

        // The second is preempted: a tenth and a half.
        assertThat(planFor(Demand.ofGpus(4))).isEqualTo("0 to 2, 1, on 0 for 0.6000");
    }

    @Test
    void two_victims_of_a_server_move_to_two_servers() {
        servers(4)
                .runs(1, 600, 0)
                .runs(1, 300.5, 1)
                .runs(4, 320, 4, 5, 6, 7)
                .runs(3, 310, 8, 9, 10)
                .runs(2, 70, 12, 13);

        assertThat(planFor(Demand.ofGpus(4))).isEqualTo("0 to 2, 1 to 3, on 0 for 0.2997");
    }

    @Test
    void a_planner_without_moves_preempts() {
        servers(2).runs(1, 600, 0).runs(3, 320, 4, 5, 6);
        SimView view = start(Demand.ofGpus(4));

        assertThat(text(planner(view, true).plan(2))).isEqualTo("0 to 1, on 0 for 0.1000");
        assertThat(text(planner(view, false).plan(2))).isEqualTo("0, on 0 for 0.5000");
    }

    /** GPUs 2 and 3 have a price of 0.4 each, below the 0.75 of the others, but their job costs 0.8 as a whole. */
    @Test
    void the_gpus_of_least_price_are_cleared_of_all_jobs_on_them() {
        servers(1).runs(HALF, 600, 0).runs(HALF, 1_200, 0).runs(HALF, 400, 1).runs(2, 375, 2, 3);

        assertThat(planFor(Demand.ofGpus(1))).isEqualTo("3, on 0 for 0.8000");
    }

    @Test
    void a_gang_clears_one_server_after_the_other_and_a_victim_on_both_counts_once() {
        servers(3).runs(6, 3_000, 0, 1, 2, 3, 4, 5).runs(2, 2_000, 6, 7).runs(4, 400, 8, 9, 10, 11);

        assertThat(planFor(Demand.ofGpus(8))).isEqualTo("0, 1, on 0 and 1 for 0.2500");
    }

    @Test
    void host_resources_must_suffice_once_the_victims_have_gone() {
        servers(2)
                .runs(Demand.ofGpus(2).withHost(6_000, 10_000), 600, 0, 1)
                .runs(Demand.ofGpus(2).withHost(2_000, 6_000), 400, 2, 3)
                .runs(Demand.ofGpus(4).withHost(8_000, 16_000), 320, 4, 5, 6, 7);

        SimView view = start(Demand.ofGpus(2).withHost(6_000, 10_000));
        assertThat(text(planner(view, true).plan(3))).isEqualTo("0, on 0 for 0.5000");
    }

    @Test
    void a_server_whose_cheapest_gpus_leave_too_little_cpu_or_memory_is_passed_over() {
        servers(2)
                .runs(Demand.ofGpus(2).withHost(6_000, 10_000), 600, 0, 1)
                .runs(Demand.ofGpus(2).withHost(2_000, 6_000), 400, 2, 3)
                .runs(Demand.ofGpus(4).withHost(8_000, 16_000), 320, 4, 5, 6, 7);
        SimView view = start(Demand.ofGpus(2).withHost(6_001, 10_000));

        assertThat(text(planner(view, true).plan(3))).isEqualTo("2, on 1 for 0.9375");
    }

    @Test
    void memory_counts_as_cpu_does() {
        servers(2)
                .runs(Demand.ofGpus(2).withHost(6_000, 10_000), 600, 0, 1)
                .runs(Demand.ofGpus(2).withHost(2_000, 6_000), 400, 2, 3)
                .runs(Demand.ofGpus(4).withHost(8_000, 16_000), 320, 4, 5, 6, 7);
        SimView view = start(Demand.ofGpus(2).withHost(6_000, 10_001));

        assertThat(text(planner(view, true).plan(3))).isEqualTo("2, on 1 for 0.9375");
    }

    @Test
    void a_victim_on_two_servers_gives_each_its_part_of_the_host_resources() {
        servers(2)
                .runs(Demand.ofGpus(4).withHost(8_000, 16_000), 1_000, 0, 4, 5, 6)
                .runs(Demand.ofGpus(3).withHost(6_000, 12_000), 320, 1, 2, 3);

        // On server 1 the first frees 6,000 of 8,000, and 2,000 were free; the gang of three needs all.
        assertThat(planFor(Demand.ofGpus(3).withHost(8_000, 16_000))).isEqualTo("0, on 1 for 0.3000");
    }

    @Test
    void nobody_moves_twice_at_one_instant() {
        servers(2).runs(1, 600, 0).runs(3, 320, 4, 5, 6);
        SimView view = start(Demand.ofGpus(4));
        Simulator running = Objects.requireNonNull(simulator);
        for (int job = 0; job < 2; job++) {
            running.apply(new Decision.Preempt(job));
            running.apply(new Decision.Start(job, places.get(job)));
        }

        assertThat(text(planner(view, true).plan(2))).isEqualTo("0, on 0 for 0.5000");
        running.apply(Decision.waitUntil(2 * TimedJobs.SECOND));
        running.advance();
        assertThat(text(planner(view, true).plan(2))).isEqualTo("0 to 1, on 0 for 0.1000");
    }

    @Test
    void a_job_of_a_part_moves_to_a_whole_free_gpu_and_starts_on_the_first_there() {
        servers(2).runs(HALF, 600, 0).runs(1, 320, 4).runs(2, 310, 5, 6);
        SimView view = start(Demand.ofGpus(4));
        SharedGpuPreemption planner = planner(view, true);
        PreemptionPlan plan = Objects.requireNonNull(planner.plan(3));
        assertThat(text(plan)).isEqualTo("0 to 1, on 0 for 0.1000");
        List<String> decided = new ArrayList<>();
        planner.carryOut(plan, new PlacementBuilder(topology, view.cluster()), new DecisionSink() {
            @Override
            public void start(int job, Placement placement) {
                decided.add("start " + job + " on " + placement.gpu(0));
            }

            @Override
            public void preempt(int job) {
                decided.add("preempt " + job);
            }

            @Override
            public void forward(int job, int domain) {
                throw new AssertionError("a plan forwards no job");
            }
        });

        assertThat(decided).containsExactly("preempt 0", "start 0 on 7");
    }

    @Test
    void the_charge_of_a_restart_and_of_lost_work_is_added_to_the_cost() {
        servers(1).runs(4, 600, 0, 1, 2, 3);
        jobs.job(Demand.ofGpus(4), 0, 10_000);
        seconds.add(MINE);
        Simulator charged = new World(
                        topology, new RatedPerformance(), new Simulator.Options(50 * TimedJobs.SECOND, true))
                .simulator(jobs.workload());
        charged.advance();
        charged.apply(new Decision.Start(0, places.get(0)));
        charged.apply(Decision.waitUntil(5_000 * TimedJobs.SECOND));
        charged.advance();
        SharedGpuPreemption planner = new SharedGpuPreemption(
                charged.view(), InterferenceModel.NONE, (any, job) -> seconds.get(job), true, new PreemptionCharge(2));

        // Of 10,000 s there are 5,000 left, and a restart costs twice 50 s: 0.5 and 0.02.
        assertThat(Objects.requireNonNull(planner.plan(1)).cost()).isCloseTo(0.52, within(1e-12));
    }

    @Test
    void a_gang_too_wide_for_its_one_server_gets_no_plan() {
        servers(2).runs(4, 600, 0, 1, 2, 3).runs(4, 600, 4, 5, 6, 7);
        SimView view = start(Demand.ofGpus(5).onOneServer());

        assertThat(planner(view, true).plan(2)).isNull();
    }

    @Test
    void a_job_of_parts_of_several_gpus_gets_no_plan() {
        servers(1).runs(4, 600, 0, 1, 2, 3);
        SimView view = start(Demand.ofGpus(2).withGpuMilli(500));

        assertThat(planner(view, true).plan(1)).isNull();
    }

    /** Of the 15,999 thousandths four of eight workers need 7,999.5, for which a server of 7,999 has no room. */
    @Test
    void a_gang_finds_its_part_of_the_host_resources_on_every_server_rounded_up() {
        servers(3)
                .runsOn(0, 1, 100)
                .runs(4, 3_000, 0, 1, 2, 3)
                .runs(4, 2_000, 4, 5, 6, 7)
                .runs(4, 1_000, 8, 9, 10, 11);

        assertThat(planFor(Demand.ofGpus(8).withHost(15_999, 0))).isEqualTo("2, 3, on 1 and 2 for 0.4500");
    }

    @Test
    void a_job_on_more_gpus_than_it_was_submitted_for_frees_what_it_holds() {
        servers(1).runs(Demand.ofGpus(2).elastic(1, 4).withHost(4_000, 8_000), 600, 0, 1, 2, 3);

        assertThat(planFor(Demand.ofGpus(4).withHost(8_000, 16_000))).isEqualTo("0, on 0 for 0.5000");
    }

    @ParameterizedTest
    @CsvSource({"2000, 4000, '0, on 0 for 0.5000'", "2001, 4000, none", "2000, 4001, none"})
    void a_job_on_fewer_gpus_than_it_was_submitted_for_frees_what_it_holds(long cpuMilli, long memoryMib, String plan) {
        servers(1)
                .runs(Demand.ofGpus(2).elastic(1, 2).withGpuMilli(600).withHost(4_000, 8_000), 600, 0)
                .runs(Demand.ofGpus(3).withHost(6_000, 12_000), 290, 1, 2, 3);

        assertThat(planFor(HALF.withHost(cpuMilli, memoryMib))).isEqualTo(plan);
    }

    @Test
    void a_job_without_gpus_is_no_victim_of_a_job_for_a_part_of_one() {
        servers(1).runsOn(0, 8_000, 10_000).runs(1, 600, 0).runs(3, 290, 1, 2, 3);

        assertThat(planFor(HALF)).isEqualTo("1, on 0 for 0.5000");
    }

    @ParameterizedTest
    @CsvSource({"500, '0, on 0 for 0.5000'", "800, '0, on 0 for 0.5000'", "801, none"})
    void a_part_fits_beside_the_job_that_stays(int milli, String plan) {
        servers(1)
                .runs(Demand.ofGpus(1).withGpuMilli(600), 600, 0)
                .runs(Demand.ofGpus(1).withGpuMilli(200), 290, 0)
                .runs(3, 290, 1, 2, 3);

        assertThat(planFor(Demand.ofGpus(1).withGpuMilli(milli))).isEqualTo(plan);
    }
}
