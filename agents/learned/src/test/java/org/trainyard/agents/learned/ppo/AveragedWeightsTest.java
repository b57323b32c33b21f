package org.trainyard.agents.learned.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.trainyard.agents.learned.auction.AuctionWorlds;
import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.agents.learned.bids.InitialBids;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.env.gym.reward.JctReward;

/**
 * The running mean of the weights, which is kept, and the decay of the scores, update by update: 0.8 of the mean stays,
 * 0.1 of the scores goes at first.
 */
class AveragedWeightsTest {
    private static final int UPDATES = 4;
    private final BidNetwork trained = InitialBids.random(8, RandomStreams.stream(1, "test/weights"));

    private Ppo ppo(double learningRate) {
        LearnerSettings.Auction settings = AuctionWorlds.settings(UPDATES, learningRate);
        return new Ppo(
                AuctionWorlds.policy(trained),
                settings.optimiser(),
                settings.schedule(),
                Rollouts.Episodes.of(
                        AuctionWorlds.deployment(), JctReward::new, number -> () -> AuctionWorlds.simulator(number)),
                WorkerPool.SEQUENTIAL,
                1);
    }

    @Test
    void the_first_update_is_kept_as_it_is_and_later_ones_by_a_fifth() {
        try (Ppo ppo = ppo(0.01)) {
            float[] untrained = trained.weights().clone();
            ppo.update();
            float[] mean = trained.weights().clone();
            assertThat(mean).isNotEqualTo(untrained);
            assertThat(ppo.policy().network().weights()).containsExactly(mean);

            for (int update = 2; update <= UPDATES; update++) {
                ppo.update();
                for (int w = 0; w < mean.length; w++) {
                    mean[w] = (float) (0.8 * mean[w] + 0.2 * trained.weights()[w]);
                }
                assertThat(ppo.policy().network().weights()).containsExactly(mean, within(1e-7f));
            }
            assertThat(ppo.policy().network().weights()).isNotEqualTo(trained.weights());
        }
    }

    /**
     * With steps too small to change a weight the decay is all that happens: 0.9 at first, then nearer to 1 by a
     * quarter of the rest each time.
     */
    @Test
    void scores_decay_most_before_the_first_update_and_least_before_the_last() {
        try (Ppo ppo = ppo(1e-30)) {
            int weight = trained.layout().outAt(BidKind.START.index());
            for (double kept : new double[] {0.9, 0.925, 0.95, 0.975}) {
                float before = trained.weights()[weight];
                assertThat(before).isNotZero();
                ppo.update();
                assertThat(trained.weights()[weight] / before).isCloseTo((float) kept, within(1e-6f));
            }
        }
    }
}
