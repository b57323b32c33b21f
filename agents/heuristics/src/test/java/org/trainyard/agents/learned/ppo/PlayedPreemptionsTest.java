package org.trainyard.agents.learned.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.learned.LearnedWorlds;
import org.trainyard.agents.learned.auction.AuctionWorlds;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.reward.Reward;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

/** The preemptions of a play, which agents make where the preemption of running jobs is installed. */
class PlayedPreemptionsTest {
    /** Costs the hour of a preemption, beside the jobs in the system. */
    private record HourOfPreemption() implements Reward {
        @Override
        public double perHour(SimView view, int job) {
            return -1;
        }

        @Override
        public double ofPreemption(SimView view, int job) {
            return -1 - view.nowNanos() / 3600e9;
        }
    }

    @Test
    void a_play_records_what_each_preemption_costs_in_the_segment_in_which_it_happens() {
        Topology topology = Objects.requireNonNull(Topologies.parse("3x4"));
        Simulator simulator = LearnedWorlds.world(topology).simulator(LearnedWorlds.random(1, 40));
        BidPolicy policy = AuctionWorlds.policy(new BidNetwork(1));
        Deployment preempting = new Deployment(topology, Domains.racks(topology), true, LearnedWorlds.BELIEF);
        EpisodeRecord record = new EpisodeRecord();
        new EpisodePlayer(policy, new HourOfPreemption(), AuctionWorlds.schedule(2, 10, null, true, true))
                .play(simulator, preempting, RandomStreams.stream(1, "test/play"), record);

        double preemptions = 0;
        for (int s = 0; s < record.segments; s++) {
            double here = record.costAtOnce[s] / (1 + record.hours[s]);
            assertThat(here).isCloseTo(Math.round(here), within(1e-9));
            preemptions += here;
        }
        double expected = simulator.result().jobs().stream()
                .mapToInt(job -> job.preemptions())
                .sum();
        assertThat(preemptions).isCloseTo(expected, within(1e-6));
        assertThat(expected).isGreaterThan(5);
    }
}
