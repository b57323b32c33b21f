package org.trainyard.env.scheduling.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.gpusets.GpuRule;
import org.trainyard.env.scheduling.gpusets.SetChoice;
import org.trainyard.env.scheduling.interruption.EvictionPlan;
import org.trainyard.env.scheduling.interruption.Interruptions;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Interiors;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.generator.ModelCatalog;

class EvictionPlannersTest {
    private static final double ANY = Double.POSITIVE_INFINITY;
    private static final ServerSpec SLOW = new ServerSpec(GpuType.V100, 2, 4, false);
    private static final ServerSpec FAST = new ServerSpec(GpuType.A100, 2, 4, true);
    private static final Topology MIXED = new Topology.Builder("mixed", Fabric.DEFAULT)
            .rack(List.of(SLOW, SLOW, FAST))
            .rack(List.of(FAST, SLOW))
            .build();
    private static final Topology LINKED = new Topology.Builder("linked", Fabric.DEFAULT)
            .rack(List.of(linked("dgx1v"), linked("dgx1v"), linked("pcie")))
            .rack(List.of(linked("pairs")))
            .build();

    private static ServerSpec linked(String interior) {
        return ServerSpec.ofV100(8).with(Interiors.named(interior));
    }

    /** A job of 1000 s on every server, all of its GPUs, and others that wait. */
    private static SimView full(Topology topology, TimedJobs jobs) {
        Simulator simulator = jobs.simulator(topology);
        simulator.advance();
        for (int server = 0; server < topology.servers(); server++) {
            int first = topology.firstGpu(server);
            int[] all = IntStream.range(first, first + topology.gpusOn(server)).toArray();
            simulator.apply(new Decision.Start(server, Placement.of(topology, all)));
        }
        simulator.apply(Decision.waitUntil(TimedJobs.SECOND));
        simulator.advance();
        return simulator.view();
    }

    private static TimedJobs running(Topology topology) {
        TimedJobs jobs = TimedJobs.list();
        for (int server = 0; server < topology.servers(); server++) {
            jobs.job(topology.gpusOn(server), 0, 1_000);
        }
        return jobs;
    }

    private static EvictionPlanners planners(SimView view, SetChoice choice) {
        return new EvictionPlanners(
                new Interruptions.Agents(view.topology(), InterferenceModel.NONE, choice),
                view,
                SimView::predictedRemainingSeconds,
                new PlacementBuilder(view.topology(), view.cluster()));
    }

    @Test
    void there_is_a_planner_for_each_run_of_servers_of_equally_fast_gpus() {
        SimView view = full(MIXED, running(MIXED).job(4, 0, 100));
        EvictionPlanners planners = planners(view, new SetChoice(MIXED, GpuRule.BOTH));
        planners.begin(5);

        assertThat(planners.count()).isEqualTo(3).isEqualTo(EvictionPlanners.count(MIXED));
        assertThat(List.of(planners.speed(0), planners.speed(1), planners.speed(2)))
                .containsExactly(0.5, 1.0, 0.5);
        assertThat(List.of(planners.linkedSpeed(0), planners.linkedSpeed(1), planners.linkedSpeed(2)))
                .containsExactly(0.5, 1.0, 0.5);
        for (int planner = 0; planner < 3; planner++) {
            assertThat(planners.isByLinks(planner)).isFalse();
            EvictionPlan plan = Objects.requireNonNull(planners.plan(planner, ANY));
            assertThat(plan.server(0)).isEqualTo(2 * planner);
            // Of 1000 s there are 999 left: a move would cost 60 of them, but no server has room.
            assertThat(plan.cost()).isEqualTo(100 / 999.0);
            assertThat(planners.plan(planner, 100 / 999.0)).isNull();
            assertThat(planners.kept(plan)).isSameAs(plan);
        }
        assertThat(planners.own()).isEqualTo(1);
        assertThat(planners.harm()).isZero();
    }

    @Test
    void room_is_made_where_every_server_of_a_planner_is_for_the_job() {
        Demand four = Demand.ofGpus(4);
        SimView view = full(
                MIXED,
                running(MIXED)
                        .job(four.onTypes(List.of("V100")), 0, 100)
                        .job(four.withHost(1, 0), 0, 100)
                        .job(four.onOneServer(), 0, 100)
                        .job(four.onTypes(List.of("V100", "A100")), 0, 100));
        EvictionPlanners planners = planners(view, new SetChoice(MIXED, GpuRule.BOTH));
        boolean[][] expected = {{true, false, true}, {false, false, false}, {true, true, true}, {true, true, true}};

        for (int job = 0; job < 4; job++) {
            planners.begin(5 + job);
            for (int planner = 0; planner < 3; planner++) {
                assertThat(planners.plan(planner, ANY) != null)
                        .as("job %d, planner %d", job, planner)
                        .isEqualTo(expected[job][planner]);
            }
        }
    }

    @Test
    void where_links_differ_there_is_a_planner_for_each_run_of_equal_servers_besides() {
        ModelProfile heavy = Objects.requireNonNull(ModelCatalog.standard().find("vgg16"));
        SimView view = full(
                LINKED,
                running(LINKED).job(heavy, 3, 0, 100).job(heavy, 9, 0, 100).job(1, 0, 100));
        SetChoice choice = new SetChoice(LINKED, GpuRule.BOTH);
        EvictionPlanners planners = planners(view, choice);

        assertThat(planners.count()).isEqualTo(4).isEqualTo(EvictionPlanners.count(LINKED));
        assertThat(IntStream.range(0, 4).mapToObj(planners::isByLinks)).containsExactly(false, true, true, true);
        planners.begin(4);
        assertThat(planners.linkedSpeed(0)).isEqualTo(1);
        int[] firsts = {0, 2, 3};
        for (int planner = 1; planner < 4; planner++) {
            int first = firsts[planner - 1];
            assertThat(planners.linkedSpeed(planner)).isEqualTo(1 / choice.widestOf(view.job(4), first, 0b11111111, 3));
            assertThat(Objects.requireNonNull(planners.plan(planner, ANY)).server(0))
                    .isEqualTo(first);
        }
        assertThat(planners.linkedSpeed(2)).isLessThan(planners.linkedSpeed(1));
        planners.begin(5);
        assertThat(planners.linkedSpeed(1)).as("wider than a server").isZero();
        planners.begin(6);
        assertThat(planners.linkedSpeed(1)).as("of one GPU").isZero();
        assertThat(planners.speed(1)).isEqualTo(1);
    }

    @Test
    void a_kept_plan_for_shared_gpus_outlives_the_next() {
        Topology parts = Topology.uniform(
                "parts", Fabric.DEFAULT, 1, 2, ServerSpec.ofV100(4).with(GpuSharing.FRACTIONS), 1);
        SimView view = full(parts, running(parts).job(4, 0, 100).job(2, 0, 500));
        EvictionPlanners planners = planners(view, new SetChoice(parts, GpuRule.BOTH));
        assertThat(planners.count()).isOne();
        assertThat(planners.isByLinks(5)).isFalse();
        planners.begin(2);
        EvictionPlan plan = Objects.requireNonNull(planners.plan(0, ANY));
        EvictionPlan kept = planners.kept(plan);
        assertThat(plan.cost()).isEqualTo(100 / 999.0);
        planners.begin(3);
        assertThat(Objects.requireNonNull(planners.plan(0, ANY)).cost()).isEqualTo(500 / 999.0);

        assertThat(kept.cost()).isEqualTo(100 / 999.0);
        assertThat(List.of(kept.size(), kept.victim(0), kept.server(0))).containsExactly(1, 0, 0);
        assertThat(planners.own()).isEqualTo(1);
    }
}
