package org.trainyard.env.gym.auction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;

/** Offers of many agents against one choice among all bids. */
class BiddingAgentsTest {
    private static final Topology TOPOLOGY = Topologies.medium();

    /** Scores each bid by random weights of its kind and columns. */
    private static AuctionScorer scorer(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/weights");
        float[] weights = new float[BidKind.COUNT * BidColumn.COUNT];
        for (int w = 0; w < weights.length; w++) {
            weights[w] = (float) (0.5 * random.nextGaussian());
        }
        return auction -> {
            float[] scores = new float[auction.size()];
            for (int bid = 0; bid < scores.length; bid++) {
                for (int c = 0; c < BidColumn.COUNT; c++) {
                    scores[bid] += weights[auction.kind(bid).index() * BidColumn.COUNT + c]
                            * auction.columns()[bid * BidColumn.COUNT + c];
                }
            }
            return scores;
        };
    }

    private static Simulator simulator(long seed) {
        Workload workload = RandomWorkloads.ofFewModels(seed, 120, 64);
        return new World(
                        TOPOLOGY,
                        new RingPerformance(TOPOLOGY, AnalyticInterference.DEFAULT),
                        new Simulator.Options(30_000_000_000L, true))
                .simulator(workload);
    }

    private static Auctioneer auctioneer(Simulator simulator, Domains domains) {
        return new Auctioneer(
                simulator.view(),
                new AuctionSettings(RemainingTime.GITTINS, 6, 5, 2, false, true),
                domains,
                AnalyticInterference.DEFAULT);
    }

    private static Domains domains(int count) {
        return count == 0 ? Domains.racks(TOPOLOGY) : Domains.even(TOPOLOGY, count);
    }

    @ParameterizedTest(name = "{0} domains, 0 for one in each rack")
    @ValueSource(ints = {0, 1, 3, 16})
    void the_highest_offer_is_the_bid_of_the_highest_score(int count) {
        Domains domains = domains(count);
        Simulator simulator = simulator(3);
        Auctioneer auctioneer = auctioneer(simulator, domains);
        AuctionScorer scorer = scorer(3);
        BiddingAgents agents = new BiddingAgents(scorer);
        RandomGenerator random = RandomStreams.stream(3, "test/bids");
        int[] auctions = new int[2];
        while (simulator.advance()) {
            simulator.apply(auctioneer.play(simulator, (auction, firstLegal) -> {
                int best = agents.choose(auction, firstLegal);
                assertThat(best).isEqualTo(scorer.offer(auction, firstLegal).bid());
                assertThat(agents.scores()).startsWith(scorer.score(auction));
                auctions[0]++;
                auctions[1] += auction.owners() > 2 ? 1 : 0;
                return random.nextInt(4) == 0 ? best : random.nextInt(firstLegal, auction.size());
            }));
        }
        assertThat(auctions[0]).isGreaterThan(150);
        if (count != 1) {
            assertThat(auctions[1]).as("auctions in which several agents bid").isGreaterThan(50);
        }
    }

    @Test
    void an_agent_is_shown_its_own_bids_alone_with_the_gpus_that_they_take_and_leave() {
        Auction auction = new Auction();
        int[] owners = {-1, 2, 0, 2, 2, 0};
        for (int bid = 0; bid < owners.length; bid++) {
            auction.add(bid == 0 ? BidKind.WAIT : BidKind.START, owners[bid], bid - 1);
            auction.addServer(bid, 1, 0);
            auction.servers().setGpus(bid, 10 + bid, 20 + bid);
        }
        List<List<Integer>> shown = new ArrayList<>();
        BiddingAgents agents = new BiddingAgents(own -> {
            List<Integer> jobs = new ArrayList<>();
            float[] scores = new float[own.size() + 1];
            for (int bid = 0; bid < own.size(); bid++) {
                assertThat(own.agent(bid)).isEqualTo(own.agent(0));
                assertThat(own.servers().taken(bid)).isEqualTo(11 + own.job(bid));
                assertThat(own.servers().left(bid)).isEqualTo(21 + own.job(bid));
                jobs.add(own.job(bid));
                scores[bid] = own.job(bid) == 2 || own.job(bid) == 3 ? 5 : -own.job(bid);
            }
            shown.add(jobs);
            return scores;
        });

        assertThat(agents.choose(auction, 0)).isEqualTo(3);
        assertThat(shown).containsExactlyInAnyOrder(List.of(-1), List.of(0, 2, 3), List.of(1, 4));
        assertThat(agents.scores()).startsWith(1, 0, -1, 5, 5, -4);
    }

    @Test
    void of_equal_prices_the_lower_bid_wins() {
        Offer low = new Offer(2, 1);
        Offer high = new Offer(5, 1);
        assertThat(Offer.higher(low, high)).isSameAs(low);
        assertThat(Offer.higher(high, low)).isSameAs(low);
        assertThat(Offer.higher(new Offer(9, 1.5), low)).isEqualTo(new Offer(9, 1.5));
        assertThat(Offer.higher(null, high)).isSameAs(high);
        assertThatThrownBy(() -> new Offer(1, Double.NaN)).hasMessageContaining("NaN");
        for (int nan = 0; nan < 3; nan++) {
            double[] scores = {3, 2, 1};
            scores[nan] = Double.NaN;
            assertThatThrownBy(() -> Offer.highest(bid -> scores[bid], 0, 3)).hasMessageContaining("bid (" + nan + ")");
        }
        assertThat(Offer.highest(bid -> Double.NEGATIVE_INFINITY, 1, 3).bid()).isEqualTo(1);
    }
}
