package org.trainyard.agents.learned.expert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.simulation.Simulator;

class ImprovedBidsTest {
    private final BidPolicy policy = ForkWorlds.policy(1);

    /** The first auction of an episode with at least five bids. */
    private Auction auction() {
        List<DecisionPoint> points = new ArrayList<>();
        Simulator simulator = ForkWorlds.WORLD.simulator(ForkWorlds.episode(2));
        Auctioneer auctioneer = policy.auctioneer(simulator.view(), ForkWorlds.deployment());
        GreedyPlay play =
                new GreedyPlay(ForkWorlds.episode(2), simulator, auctioneer, new BidRanking(policy.network()));
        play.finish(1e-6, contested -> points.add(play.point(ForkWorlds.WORLD)));
        return points.stream()
                .map(point -> point.auctioneer().open())
                .filter(auction -> auction.size() >= 5)
                .findFirst()
                .orElseThrow();
    }

    /** A decision with equal probabilities, in which bids 1, 2 and 3 were tried. */
    private static LabelledDecision label(Auction auction, double[]... costs) {
        double[] probabilities = new double[auction.size()];
        Arrays.fill(probabilities, 1.0 / auction.size());
        return LabelledDecision.of(auction, true, probabilities, new int[] {1, 2, 3}, new ArmCosts(costs));
    }

    @Test
    void the_better_bids_gain_from_the_worse_and_those_not_tried_keep_their_probability() {
        LabelledDecision label = label(auction(), new double[] {10, 9, 11}, new double[] {20, 18.8, 21});
        double[] target = new ImprovedBids(List.of(label), 1).target(label);

        assertThat(Arrays.stream(target).sum()).isCloseTo(1, within(1e-12));
        assertThat(target[0]).isEqualTo(1.0 / target.length);
        assertThat(target[4]).isEqualTo(1.0 / target.length);
        assertThat(target[2]).isGreaterThan(target[1]);
        assertThat(target[1]).isGreaterThan(target[3]);
    }

    @Test
    void an_uncertain_advantage_counts_less_than_a_sure_one() {
        Auction auction = auction();
        LabelledDecision sure = label(auction, new double[] {10, 9, 10.5}, new double[] {20, 18.9, 20.5});
        LabelledDecision vague = label(auction, new double[] {10, 4, 10.5}, new double[] {20, 23.9, 20.5});
        ImprovedBids improved = new ImprovedBids(List.of(sure, vague), 1);

        assertThat(improved.target(sure)[2]).isGreaterThan(improved.target(vague)[2]);
        assertThat(improved.target(vague)[2]).isGreaterThan(1.0 / auction.size());
    }

    @Test
    void a_decision_without_consequences_stays_as_it_is() {
        LabelledDecision label = label(auction(), new double[] {10, 10, 10}, new double[] {20, 20, 20});
        assertThat(new ImprovedBids(List.of(label), 1).target(label)).containsOnly(1.0 / label.bids());
    }
}
