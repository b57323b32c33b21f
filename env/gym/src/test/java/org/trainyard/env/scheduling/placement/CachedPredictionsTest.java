package org.trainyard.env.scheduling.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.FreezableModel;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;

/**
 * Predictions for a part of a GPU, the last job, beside jobs on servers of two GPUs, by beliefs that count neighbours.
 */
class CachedPredictionsTest {
    private static final Offset<Double> ROUNDING = within(1e-12);
    private static final ServerSpec SHARED = ServerSpec.ofV100(2).with(GpuSharing.FRACTIONS);
    private static final Demand PART = Demand.ofGpus(1).withGpuMilli(400);

    /** So much for each neighbour, twice as much for one on several servers; changed by a new revision. */
    private static final class Belief implements InterferenceModel {
        private double perNeighbour;
        private int revision;

        Belief(double perNeighbour) {
            this.perNeighbour = perNeighbour;
        }

        @Override
        public double slowdown(ModelProfile victim, Colocation place) {
            return 1
                    + perNeighbour
                            * IntStream.range(0, place.count())
                                    .map(i -> place.spansServers(i) ? 2 : 1)
                                    .sum();
        }

        @Override
        public int revision() {
            return revision;
        }
    }

    private static Topology servers(ServerSpec... specs) {
        return new Topology.Builder("shared", Fabric.DEFAULT)
                .rack(List.of(specs))
                .build();
    }

    private static void predictOn(InterferenceCost costs, SimView view, int job, int gpu) {
        costs.update(view);
        costs.predictOn(view, job, gpu, costs.contentByGpu(view, view.topology().serverOf(gpu)));
    }

    /** A V100 is half as fast as an A100. */
    @Test
    void a_part_of_a_slower_gpu_is_slower_by_its_speed_and_its_neighbour() {
        Topology topology = servers(SHARED, SHARED.with(GpuType.A100));
        Simulator simulator = TimedJobs.list()
                .job(PART, 0, 100)
                .job(PART, 0, 100)
                .job(PART, 0, 100)
                .simulator(topology);
        simulator.advance();
        simulator.start(0, Placement.of(topology, 0));
        simulator.start(1, Placement.of(topology, 2));
        SimView view = simulator.view();
        InterferenceCost costs = new InterferenceCost(topology, new Belief(0.25), (any, job) -> job == 2 ? 100 : 50);

        predictOn(costs, view, 2, 0);
        assertThat(costs.own()).isCloseTo(1.25 / 0.5, ROUNDING);
        assertThat(costs.harm()).isCloseTo(0.25 * 0.5, ROUNDING);
        predictOn(costs, view, 2, 2);
        assertThat(costs.own()).isCloseTo(1.25, ROUNDING);
        assertThat(costs.of(view, view.job(2), Placement.of(topology, 0)))
                .isCloseTo(1.25 / 0.5 - 1 + 0.25 * 0.5, ROUNDING);
        assertThat(costs.of(view, view.job(2), Placement.of(topology, 3))).isCloseTo(0.25 + 0.25 * 0.5, ROUNDING);
    }

    @Test
    void a_belief_that_has_learned_predicts_anew() {
        Topology topology = servers(SHARED, SHARED);
        Simulator simulator =
                TimedJobs.list().job(PART, 0, 100).job(PART, 0, 100).simulator(topology);
        simulator.advance();
        simulator.start(0, Placement.of(topology, 0));
        SimView view = simulator.view();
        Belief belief = new Belief(0.125);
        InterferenceCost costs = new InterferenceCost(topology, belief, (any, job) -> 100);
        for (double perNeighbour : new double[] {0.125, 0.375, 0.25}) {
            belief.perNeighbour = perNeighbour;
            belief.revision++;
            long before = costs.epoch();
            costs.update(view);
            assertThat(costs.epoch()).isGreaterThan(before);

            costs.predict(view, 1, 0, 1, false);
            assertThat(costs.own()).isEqualTo(1 + perNeighbour);
            assertThat(costs.harm()).isEqualTo(perNeighbour);
            assertThat(costs.mostHarm(0)).isEqualTo(perNeighbour);
            predictOn(costs, view, 1, 0);
            assertThat(costs.own()).isEqualTo(1 + perNeighbour);
            assertThat(costs.harm()).isEqualTo(perNeighbour);
        }
    }

    /** With a frozen layer a model presses half as much on PCIe. */
    private static final class Halved implements FreezableModel {
        @Override
        public int blockLayers() {
            return 1;
        }

        @Override
        public int mostLayers() {
            return 1;
        }

        @Override
        public ModelProfile left(ModelProfile model, int layers) {
            return layers == 0 ? model : model(0.25);
        }

        @Override
        public int stages() {
            return 1;
        }

        @Override
        public int stage(double progress) {
            return 0;
        }

        @Override
        public double progressLeft(int layers, int stage) {
            return 1;
        }

        @Override
        public double penalty(int layers, int stage) {
            return 0;
        }

        @Override
        public boolean dropsBetween(double from, double to) {
            return false;
        }
    }

    private static ModelProfile model(double pcie) {
        return new ModelProfile("model " + pcie, 1, 0, 1, new Pressure(0, pcie, 0), new Pressure(0, 1, 0));
    }

    /** Each of two jobs has one of two GPUs. */
    @Test
    void a_job_that_freezes_layers_slows_others_less_from_then_on() {
        Topology topology = servers(ServerSpec.ofV100(2));
        Simulator simulator = TimedJobs.list()
                .job(model(0.5).attaching(FreezableModel.class, new Halved()), 1, 0, 100)
                .job(model(0.5), 1, 0, 100)
                .simulator(topology);
        simulator.advance();
        simulator.start(0, Placement.of(topology, 0));
        SimView view = simulator.view();
        InterferenceCost costs =
                new InterferenceCost(topology, new AnalyticInterference(0, 1, 0, 0), (any, job) -> 100);
        costs.predict(view, 1, 0, 1, false);
        assertThat(costs.own()).isEqualTo(1.25);

        simulator.apply(new Decision.Freeze(0, 1));
        costs.predict(view, 1, 0, 1, false);
        assertThat(costs.own()).isEqualTo(1.125);
    }

    @Test
    void a_part_of_one_gpu_is_one_where_gpus_are_shared_alone() {
        SimView shared =
                TimedJobs.list().job(1, 0, 9).simulator(servers(SHARED)).view();
        SimView whole = TimedJobs.list()
                .job(1, 0, 9)
                .simulator(servers(ServerSpec.ofV100(2)))
                .view();

        assertThat(InterferenceCost.isPartOfOneGpu(shared, PART)).isTrue();
        assertThat(InterferenceCost.isPartOfOneGpu(shared, Demand.ofGpus(2).withGpuMilli(400)))
                .isFalse();
        assertThat(InterferenceCost.isPartOfOneGpu(shared, Demand.ofGpus(1))).isFalse();
        assertThat(InterferenceCost.isPartOfOneGpu(whole, PART)).isFalse();
    }

    /** Job 0 has a GPU of the first and of the second server, job 1 one of the third. */
    @Test
    void a_neighbour_on_several_servers_is_not_taken_for_one_on_this_alone() {
        Topology topology = servers(SHARED, SHARED, SHARED);
        Simulator simulator =
                TimedJobs.list().job(2, 0, 100).job(1, 0, 100).job(PART, 0, 100).simulator(topology);
        simulator.advance();
        simulator.start(0, Placement.of(topology, 0, 2));
        simulator.start(1, Placement.of(topology, 4));
        SimView view = simulator.view();
        InterferenceCost costs = new InterferenceCost(topology, new Belief(0.125), (any, job) -> 100);

        for (int again = 0; again < 2; again++) {
            predictOn(costs, view, 2, 1);
            assertThat(costs.own()).isEqualTo(1.25);
            predictOn(costs, view, 2, 5);
            assertThat(costs.own()).isEqualTo(1.125);
            costs.predict(view, 2, 0, 1, false);
            assertThat(costs.own()).isEqualTo(1.25);
            costs.predict(view, 2, 2, 1, false);
            assertThat(costs.own()).isEqualTo(1.125);
        }
    }
}
