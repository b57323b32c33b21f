package org.trainyard.agents.learned.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.trainyard.agents.ForSeeds;
import org.trainyard.agents.learned.auction.AuctionWorlds;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.bids.BidDistribution;
import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.agents.learned.bids.InitialBids;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.env.gym.reward.JctReward;
import org.trainyard.env.simulation.Simulator;

class EpisodePlayerTest {
    private static EpisodeRecord play(BidNetwork network, long seed) {
        EpisodeRecord record = new EpisodeRecord();
        Simulator simulator = AuctionWorlds.simulator(seed);
        new EpisodePlayer(
                        AuctionWorlds.policy(network),
                        new JctReward(),
                        AuctionWorlds.settings(1, 0.01).schedule())
                .play(
                        simulator,
                        AuctionWorlds.policy(network).auctioneer(simulator.view(), AuctionWorlds.deployment()),
                        RandomStreams.stream(seed, "test/play"),
                        record);
        assertThat(simulator.isDone()).isTrue();
        return record;
    }

    @ForSeeds
    void recorded_probabilities_are_those_of_the_recorded_bids(long seed) {
        BidNetwork network = InitialBids.random(6, RandomStreams.stream(seed, "test/weights"));
        EpisodeRecord record = play(network, seed);

        assertThat(record.auctions).isGreaterThan(20);
        BidDistribution distribution = new BidDistribution();
        float[] scratch = new float[6];
        for (int a = 0; a < record.auctions; a++) {
            int legal = record.firstLegal[a];
            assertThat(record.kinds[record.firstBid[a]]).isEqualTo((byte) BidKind.WAIT.index());
            assertThat(record.chosen[a]).isBetween(legal, record.bids[a] - 1);
            float[] scores = new float[record.bids[a]];
            double sum = 0;
            for (int bid = legal; bid < record.bids[a]; bid++) {
                int row = record.firstBid[a] + bid;
                scores[bid] = network.score(record.kinds[row], record.rows, row, new float[0], 0, scratch, 0);
                sum += Math.exp(scores[bid]);
            }
            distribution.set(scores, scores.length, legal);
            double all = 0;
            for (int bid = legal; bid < record.bids[a]; bid++) {
                all += distribution.probability(bid);
            }
            assertThat(all).isCloseTo(1, within(1e-12));
            int row = record.firstBid[a] + record.chosen[a];
            double score = network.score(record.kinds[row], record.rows, row, new float[0], 0, scratch, 0);
            assertThat((double) record.logProbability[a]).isCloseTo(score - Math.log(sum), within(1e-5));
        }
    }

    @ForSeeds
    void the_backlog_falls_by_what_jobs_cost_until_the_next_event(long seed) {
        EpisodeRecord record = new EpisodeRecord();
        Simulator simulator = AuctionWorlds.simulator(seed);
        BidPolicy policy = AuctionWorlds.policy(new BidNetwork(1));
        new EpisodePlayer(
                        policy,
                        new JctReward(),
                        AuctionWorlds.settings(1, 0.01, 2.0).schedule())
                .play(
                        simulator,
                        policy.auctioneer(simulator.view(), AuctionWorlds.deployment()),
                        RandomStreams.stream(seed, "test/play"),
                        record);

        int last = record.segments - 2;
        double left = record.hours[last + 1] - record.hours[last];
        // A single job runs until the end, perhaps slower than at best.
        assertThat(record.costPerHour[last]).isEqualTo(1);
        double backlog = record.figure(EpisodeRecord.BACKLOG, last, record.hours[last], 10);
        double ideal = -10 * Math.log1p(-backlog / 10);
        assertThat(ideal).isBetween(0.3 * left, left + 1e-6);
        assertThat(record.figure(EpisodeRecord.BACKLOG, last, record.hours[last] + ideal / 3, 10))
                .isCloseTo(10 * (1 - Math.exp(-2 * ideal / 30)), within(1e-6));
        assertThat(record.figure(0, last, record.hours[last] + left / 3, 10))
                .isEqualTo(record.figures[last * EpisodeRecord.FIGURES]);
        assertThat(record.figures[(last + 1) * EpisodeRecord.FIGURES + EpisodeRecord.BACKLOG])
                .isZero();
    }

    @ForSeeds
    void the_recorded_jobs_in_the_system_add_up_to_the_completion_times(long seed) {
        EpisodeRecord record = play(new BidNetwork(1), seed);

        double jobHours = 0;
        for (int s = 0; s < record.segments - 1; s++) {
            jobHours += record.costPerHour[s] * (record.hours[s + 1] - record.hours[s]);
        }
        assertThat(jobHours).isCloseTo(record.meanJctSeconds * AuctionWorlds.JOBS / 3600, within(1e-6));
        assertThat(record.costPerHour[record.segments - 1]).isZero();
        assertThat(record.waits()).isBetween(1, record.auctions);
    }
}
