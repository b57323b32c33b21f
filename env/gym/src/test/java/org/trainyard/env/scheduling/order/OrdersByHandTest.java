package org.trainyard.env.scheduling.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.RuntimePredictor;

/** Ranks and their bounds of a job that is predicted to run for 1,000 s, at several ages. */
class OrdersByHandTest {
    private static final Topology TOPOLOGY = Topologies.small();
    private static final double HALF = 0.5;

    private final TimedJobs jobs = TimedJobs.list()
            .job(4, 0, 5000)
            .job(1, 0, 5000)
            .job(3, 0, 5000)
            .job(Demand.ofGpus(1).withGpuMilli(500), 0, 5000)
            .job(30, 0, 5000);
    private final Simulator simulator = simulator();
    private final SimView view = simulator.view();

    private Simulator simulator() {
        RuntimePredictor predictor = new RuntimePredictor() {
            @Override
            public double predictSeconds(JobSpec job) {
                return 1000;
            }

            @Override
            public void finished(JobSpec job, double idealSeconds) {}
        };
        Simulator made = new World(
                        TOPOLOGY,
                        new RatedPerformance(),
                        InterferenceModel.NONE,
                        ignored -> predictor,
                        new Simulator.Options(0, true),
                        1)
                .simulator(jobs.workload());
        made.advance();
        made.apply(new Decision.Start(0, Placement.of(TOPOLOGY, 0, 1, 2, 3)));
        return made;
    }

    private void at(long seconds) {
        simulator.apply(Decision.waitUntil(seconds * TimedJobs.SECOND));
        simulator.advance();
        assertThat(view.progressSeconds(0)).isCloseTo(seconds, within(1e-9));
    }

    @Test
    void the_remaining_time_is_the_predicted_one_but_a_quarter_of_the_age_at_least() {
        double[][] expected = {{0, 1000, 200}, {400, 600, 200}, {799, 201, 200}, {840, 210, 210}, {2000, 500, 500}};
        for (double[] row : expected) {
            if (row[0] > 0) {
                at((long) row[0]);
            }
            assertThat(ResidualTimeFloor.seconds(view, 0)).isCloseTo(row[1], within(1e-6));
            assertThat(ResidualTimeFloor.RANK.of(view, 0)).isEqualTo(ResidualTimeFloor.seconds(view, 0));
            assertThat(ResidualTimeFloor.leastSeconds(view, 0))
                    .isCloseTo(row[2], within(1e-6))
                    .isLessThan(row[2]);
            assertThat(ResidualTimeFloor.RANK.atMost(view, 0, 3000)).isCloseTo(Math.max(row[1], 750), within(1e-6));
            assertThat(ResidualTimeFloor.RANK.bounds(view)).isZero();
        }
        assertThat(ResidualTimeFloor.seconds(view, 1)).as("it waits").isEqualTo(1000);
    }

    @Test
    void a_rank_by_width_is_the_time_times_a_power_of_the_gpus() {
        WidthWeightedRank root = new WidthWeightedRank(ResidualTimeFloor.RANK, HALF);
        at(600);
        assertThat(root.of(view, 1)).isEqualTo(1000);
        assertThat(root.of(view, 2)).isEqualTo(1000 * Math.sqrt(3));
        assertThat(root.of(view, 3)).as("half a GPU").isEqualTo(1000);
        assertThat(root.of(view, 4)).isEqualTo(1000 * Math.sqrt(30));
        assertThat(root.of(view, 0)).isCloseTo(800, within(1e-6));
        assertThat(root.atMost(view, 0, 2000)).isCloseTo(1000, within(1e-6));
        assertThat(new WidthWeightedRank(ResidualTimeFloor.RANK, 1).of(view, 4)).isEqualTo(30_000);
        assertThat(new WidthWeightedRank(ResidualTimeFloor.RANK, 0).of(view, 4)).isEqualTo(1000);
        assertThat(new WidthWeightedRank(new Bounds(7), 1).bounds(view)).isEqualTo(7);
    }

    /** A constant rank of so many versions of bounds. */
    private record Bounds(long version) implements BoundedRank {
        @Override
        public double of(SimView view, int job) {
            return 5;
        }

        @Override
        public double atMost(SimView view, int job, double untilSeconds) {
            return untilSeconds;
        }

        @Override
        public long bounds(SimView view) {
            return version;
        }
    }
}
