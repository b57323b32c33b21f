package org.trainyard.env.scheduling.preemption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.gym.RandomPlay;
import org.trainyard.env.scheduling.order.BoundedRank;
import org.trainyard.env.scheduling.order.RemainingTimeEstimator;
import org.trainyard.env.scheduling.order.WidthWeightedRank;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

class RemainingBoundTest {
    private static final Topology TOPOLOGY = Topologies.small();
    private static final double HALF = 0.5;

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

    /**
     * Of a job that is predicted to run for 1,000 s, at a progress of 600 s, which grows by 60 + 20 s at a second each.
     */
    @Test
    void a_bound_holds_while_progress_grows_by_a_tenth_and_a_fiftieth_of_the_prediction() {
        Simulator simulator = TimedJobs.list().job(4, 0, 1000).simulator(TOPOLOGY);
        simulator.advance();
        simulator.apply(new Decision.Start(0, Placement.of(TOPOLOGY, 0, 1, 2, 3)));
        simulator.apply(Decision.waitUntil(600 * TimedJobs.SECOND));
        simulator.advance();
        SimView view = simulator.view();

        RemainingBound bound = new RemainingBound(new Bounds(7));
        assertThat(bound.version(view)).isEqualTo(7);
        bound.find(view, 0);
        assertThat(bound.most()).isCloseTo(680, within(1e-4)).isGreaterThan(680);
        assertThat(bound.untilNanos()).isCloseTo(680 * TimedJobs.SECOND, within(10L));

        RemainingBound plain = new RemainingBound((now, job) -> 10 * now.progressSeconds(job));
        assertThat(plain.version(view)).isZero();
        plain.find(view, 0);
        assertThat(plain.most()).isCloseTo(6000, within(1e-6));
        assertThat(plain.untilNanos()).isEqualTo(view.nowNanos());
    }

    /**
     * No rank of a job that stays where it is exceeds the bound found for it, at a speed of 1 iteration in 0.05 to 1 s.
     */
    @Test
    void no_rank_exceeds_its_bound_while_the_bound_holds() {
        RemainingTimeEstimator estimator = new RemainingTimeEstimator();
        RemainingBound bound = new RemainingBound(new WidthWeightedRank(estimator, HALF));
        WidthWeightedRank rank = new WidthWeightedRank(estimator, HALF);
        double[] most = new double[60];
        long[] until = new long[60];
        long[] version = new long[60];
        Placement[] where = new Placement[60];
        int[] held = {0};
        RandomPlay.play(3, TOPOLOGY, now -> {
            long current = bound.version(now);
            for (int job = now.firstRunning(); job != SimView.NONE; job = now.nextRunning(job)) {
                if (now.placement(job) == where[job] && current == version[job] && now.nowNanos() <= until[job]) {
                    assertThat(rank.of(now, job)).isLessThanOrEqualTo(most[job]);
                    held[0] += now.nowNanos() == until[job] ? 0 : 1;
                } else {
                    bound.find(now, job);
                    most[job] = bound.most();
                    until[job] = bound.untilNanos();
                    version[job] = current;
                    where[job] = now.placement(job);
                    assertThat(BoundedRank.mostSpeed(now, job))
                            .isEqualTo(now.rateAlone(job) / now.job(job).idealIterationsPerSecond());
                }
            }
        });
        assertThat(held[0]).isGreaterThan(100);
    }
}
