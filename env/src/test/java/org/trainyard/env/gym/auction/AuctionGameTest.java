package org.trainyard.env.gym.auction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.reward.JctReward;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;

/** The cost of a step is the discounted integral of the cost per hour, also over many instants. */
class AuctionGameTest {
    /** The costs of an episode: from an hour on, so much per hour. */
    private static final class Costs implements AuctionGame.CostSink {
        private final List<double[]> pieces = new ArrayList<>();
        private double endHour = Double.NaN;

        @Override
        public void add(double hour, double costPerHour, SimView view) {
            pieces.add(new double[] {hour, costPerHour});
        }

        @Override
        public void end(double hour, SimView view) {
            endHour = hour;
        }

        /** Pieces between two hours, and their integral weighted by {@code exp(-(t - from) / tau)}. */
        double[] integral(double from, double to, double tau) {
            double sum = 0;
            int count = 0;
            for (int i = 0; i < pieces.size(); i++) {
                double start = Math.max(from, pieces.get(i)[0]);
                double end = Math.min(to, i + 1 < pieces.size() ? pieces.get(i + 1)[0] : to);
                if (end > start) {
                    count++;
                    sum += pieces.get(i)[1] * tau * (Math.exp(-(start - from) / tau) - Math.exp(-(end - from) / tau));
                }
            }
            return new double[] {count, sum};
        }
    }

    private static Simulator simulator(Topology topology) {
        Workload workload = RandomWorkloads.ofFewModels(5, 40, topology.gpus());
        return new Simulator(
                topology,
                workload,
                new RingPerformance(topology, AnalyticInterference.DEFAULT),
                RuntimePredictor.oracle(workload),
                new Simulator.Options(30_000_000_000L, true));
    }

    private static Auctioneer auctioneer(Simulator simulator) {
        return new Auctioneer(
                simulator.view(),
                new AuctionSettings(RemainingTime.GITTINS, 6, 5, 2, true, true),
                Domains.racks(simulator.view().topology()),
                AnalyticInterference.DEFAULT);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.3, 4})
    void a_step_costs_the_discounted_integral_since_the_last_choice(double tauHours) {
        AuctionGame game = new AuctionGame(new JctReward(), tauHours);
        Simulator simulator = simulator(Topologies.small());
        Costs costs = new Costs();
        game.begin(simulator, auctioneer(simulator), costs);
        RandomGenerator random = RandomStreams.stream(3, "test/bids");
        int overSeveral = 0;
        double dearest = 0;
        while (!game.isOver()) {
            double before = game.hour();
            int first = game.firstLegal();
            game.play(first + random.nextInt(game.auction().size() - first));
            double now = game.isOver() ? costs.endHour : game.hour();
            double[] expected = costs.integral(before, now, tauHours);

            assertThat(game.elapsedHours()).isEqualTo(now - before, within(1e-9));
            assertThat(game.discount()).isEqualTo(Math.exp(-(now - before) / tauHours), within(1e-9));
            assertThat(game.cost()).isEqualTo(expected[1], within(1e-9 * (1 + expected[1])));
            overSeveral += expected[0] > 1 ? 1 : 0;
            dearest = Math.max(dearest, game.cost());
        }
        assertThat(overSeveral).isGreaterThan(3);
        assertThat(dearest).isPositive();
        assertThat(game.isDone()).isTrue();
    }

    @Test
    void without_a_horizon_nothing_is_discounted() {
        AuctionGame game = new AuctionGame(new JctReward(), Double.POSITIVE_INFINITY);
        Simulator simulator = simulator(Topologies.small());
        game.begin(simulator, auctioneer(simulator), null);
        double sum = game.cost();
        while (!game.isOver()) {
            game.play(game.auction().size() - 1);
            assertThat(game.discount()).isEqualTo(1);
            sum += game.cost();
        }
        assertThat(sum).isEqualTo(simulator.jobSeconds() / 3600, within(1e-6));
    }
}
