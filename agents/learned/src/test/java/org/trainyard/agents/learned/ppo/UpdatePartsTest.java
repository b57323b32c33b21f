package org.trainyard.agents.learned.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.learned.auction.AuctionWorlds;
import org.trainyard.agents.learned.bids.InitialBids;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.reward.JctReward;
import org.trainyard.env.gym.reward.Reward;
import org.trainyard.env.simulation.SimView;

/** How far the parts of an update keep several threads busy, by counted work: each thread takes the next part. */
class UpdatePartsTest {
    /** Instants that were played so far. */
    private int instants;

    /** Of each call of the pool, the instants of its parts; those of gradients play none and are equal shares. */
    private final List<List<Integer>> calls = new ArrayList<>();

    private final class Counted implements Reward {
        private final Reward jct = new JctReward();

        @Override
        public double perHour(SimView view, int job) {
            return jct.perHour(view, job);
        }

        @Override
        public double perHour(SimView view) {
            instants++;
            return jct.perHour(view);
        }
    }

    private void each(int count, IntConsumer work) {
        List<Integer> parts = new ArrayList<>();
        for (int part = 0; part < count; part++) {
            int before = instants;
            work.accept(part);
            parts.add(instants - before);
        }
        calls.add(parts);
    }

    /** The work of all parts over that of the thread that has most, as they are taken in their order. */
    private static double speedUp(List<Integer> parts, int threads) {
        List<Integer> busy = new ArrayList<>(Collections.nCopies(threads, 0));
        for (int part : parts) {
            int next = busy.indexOf(Collections.min(busy));
            busy.set(next, busy.get(next) + part);
        }
        return parts.stream().mapToInt(Integer::intValue).sum() / (double) Collections.max(busy);
    }

    @Test
    void plays_are_worth_almost_all_of_two_and_four_threads_and_gradients_two() {
        WorkerPool pool = this::each;
        Rollouts.Episodes episodes = Rollouts.Episodes.of(
                AuctionWorlds.deployment(), Counted::new, number -> () -> AuctionWorlds.simulator(number));
        LearnerSettings.Auction settings = AuctionWorlds.settings(2, 0.01);
        try (Ppo ppo = new Ppo(
                AuctionWorlds.policy(InitialBids.random(8, RandomStreams.stream(1, "test/weights"))),
                settings.optimiser(),
                settings.schedule(),
                episodes,
                pool,
                1)) {
            ppo.update();
        }
        List<Integer> plays = calls.get(0);
        assertThat(plays).hasSize(8);
        assertThat(speedUp(plays, 1)).isEqualTo(1);
        assertThat(speedUp(plays, 2)).isGreaterThan(1.8);
        assertThat(speedUp(plays, 4)).isGreaterThan(3.4);
        assertThat(speedUp(plays, 8)).isGreaterThan(6);
        assertThat(calls.subList(1, calls.size())).isNotEmpty().allSatisfy(gradients -> {
            List<Integer> equal = Collections.nCopies(gradients.size(), 1);
            assertThat(speedUp(equal, 2)).isCloseTo(2, within(0.01));
            assertThat(speedUp(equal, 8)).as("there are two parts").isCloseTo(2, within(0.01));
        });
    }
}
