package org.trainyard.agents.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.learned.LearnedWorlds;
import org.trainyard.agents.learned.auction.BidEncoder;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.agents.learned.bids.InitialBids;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.topology.Topology;
import org.trainyard.gnn.cluster.ClusterEncoder;

/** Decisions of agents that bid for a live cluster, which are those of a simulation. */
class LiveReplayTest {
    private static final int SEEDS = 3;

    @Test
    void agents_that_bid_by_a_network_with_preemption_give_a_live_cluster_the_event_log_of_their_simulation() {
        long failures = 0;
        long preemptions = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            RecordedRun.Original original = RecordedRun.Original.random(seed, seed > 1);
            Topology topology = original.world().topology();
            Deployment deployment = new Deployment(topology, Domains.racks(topology), true, LearnedWorlds.BELIEF);
            BidNetwork network = InitialBids.patient(8, 2, RandomStreams.stream(seed, "network"));
            RandomGenerator noise = RandomStreams.stream(seed, "noise");
            for (int w = 0; w < network.weights().length; w++) {
                network.weights()[w] += (float) (0.5 * noise.nextGaussian());
            }
            BidEncoder encoder = BidEncoder.random(ClusterEncoder.Kind.HIERARCHICAL, 6, 2, null, seed);
            BidNetwork wider = InitialBids.withInputs(network, encoder.inputs(), RandomStreams.stream(seed, "wider"));
            RecordedRun plain =
                    RecordedRun.replays(original, () -> policy(network, null).scheduler(deployment));
            RecordedRun encoded =
                    RecordedRun.replays(original, () -> policy(wider, encoder).scheduler(deployment));
            failures += plain.failures();
            preemptions += plain.preemptions() + encoded.preemptions();
        }
        assertThat(failures).isPositive();
        assertThat(preemptions).isPositive();
    }

    private static BidPolicy policy(BidNetwork network, @Nullable BidEncoder encoder) {
        return new BidPolicy(network, encoder, new AuctionSettings(RemainingTime.GITTINS, 6, 4, 2, true, true));
    }
}
