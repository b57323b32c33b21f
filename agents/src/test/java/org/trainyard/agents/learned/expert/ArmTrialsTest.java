package org.trainyard.agents.learned.expert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.Workload;

class ArmTrialsTest {
    private final Workload workload = ForkWorlds.episode(11);
    private final BidPolicy policy = ForkWorlds.policy(2);

    private GreedyPlay play(Simulator simulator) {
        return new GreedyPlay(
                workload,
                simulator,
                policy.auctioneer(simulator.view(), ForkWorlds.deployment()),
                new BidRanking(policy.network()));
    }

    private List<DecisionPoint> points() {
        List<DecisionPoint> points = new ArrayList<>();
        GreedyPlay play = play(ForkWorlds.WORLD.simulator(workload));
        play.finish(0.02, contested -> {
            if (contested % 10 == 0) {
                points.add(play.point(ForkWorlds.WORLD));
            }
        });
        assertThat(points).hasSize((play.contested() + 9) / 10).hasSizeGreaterThan(6);
        return points;
    }

    @Test
    void a_greedy_play_ends_like_the_scheduler_and_stopping_by_changes_nothing() {
        Simulator simulator = ForkWorlds.WORLD.simulator(workload);
        GreedyPlay play = play(simulator);
        play.finish(0.02, contested -> play.point(ForkWorlds.WORLD));
        assertThat(simulator.result().eventLogSha256())
                .isEqualTo(ForkWorlds.WORLD
                        .simulator(workload)
                        .run(policy.toInferencePolicy().scheduler(ForkWorlds.deployment()))
                        .eventLogSha256());
        assertThat(play.waits()).isBetween(0, play.auctions());
    }

    @Test
    void in_the_true_future_and_to_the_end_the_policys_own_bid_costs_the_rest_of_the_episode() {
        Simulator whole = ForkWorlds.WORLD.simulator(workload);
        play(whole).finish(0.02, contested -> {});
        BidRanking ranking = new BidRanking(policy.network());
        for (DecisionPoint point : points()) {
            ranking.rank(point.auctioneer().open(), point.auctioneer().mayWait());
            int own = ranking.best();
            Simulator fork = ForkWorlds.WORLD.fork(point.simulator(), workload);
            double cost =
                    new GreedyPlay(workload, fork, point.auctioneer().fork(fork.view()), ranking).costOf(own, 1000, 5);
            assertThat(cost).isCloseTo((whole.jobSeconds() - point.simulator().jobSeconds()) / 3600, within(1e-9));
        }
    }

    @Test
    void at_a_horizon_the_cost_has_the_work_that_is_left_and_its_price() {
        DecisionPoint point = points().get(5);
        double cheap = cost(point, 0);
        double dear = cost(point, 1);
        assertThat(dear).isGreaterThan(cheap);
        assertThat(cost(point, 0.5)).isCloseTo((cheap + dear) / 2, within(1e-9));
    }

    private double cost(DecisionPoint point, double backlogPrice) {
        BidRanking ranking = new BidRanking(policy.network());
        Simulator fork = ForkWorlds.WORLD.fork(point.simulator(), workload);
        return new GreedyPlay(workload, fork, point.auctioneer().fork(fork.view()), ranking)
                .costOf(1, 1.5, backlogPrice);
    }

    @Test
    void trials_leave_their_point_as_it_was_and_equal_numbers_give_equal_labels() {
        ArmTrials trials = new ArmTrials(policy.network(), ForkWorlds.settings(1, 0.01), ForkWorlds.WORLD);
        int matter = 0;
        for (DecisionPoint point : points()) {
            LabelledDecision one = trials.label(point, RandomStreams.stream(4, "test/futures"));
            LabelledDecision again = trials.label(point, RandomStreams.stream(4, "test/futures"));
            assertThat(one.costs().arms()).isBetween(2, 4);
            for (int arm = 0; arm < one.costs().arms(); arm++) {
                assertThat(again.bid(arm)).isEqualTo(one.bid(arm));
                assertThat(again.costs().advantage(arm)).isEqualTo(one.costs().advantage(arm));
                assertThat(one.probability(one.bid(arm))).isPositive();
            }
            matter += one.costs().matters() ? 1 : 0;
        }
        assertThat(matter).isPositive();
    }
}
