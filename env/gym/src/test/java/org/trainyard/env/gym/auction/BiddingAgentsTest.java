package org.trainyard.env.gym.auction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.auction.BiddingAgents.BiddingAgent;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;

/** Offers of many agents against one choice among all bids. */
class BiddingAgentsTest {
    private static final Topology TOPOLOGY = Topologies.medium();
    private static final int DRAWS = 20_000;

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
                new AuctionSettings(RemainingTime.GITTINS, 6, 5, 2, true, true),
                domains,
                AnalyticInterference.DEFAULT);
    }

    private static Domains domains(int count) {
        return count == 0 ? Domains.racks(TOPOLOGY) : Domains.even(TOPOLOGY, count);
    }

    @ParameterizedTest(name = "{0} domains, 0 for one in each rack")
    @ValueSource(ints = {0, 1, 3, 16})
    void the_highest_offer_without_noise_is_the_bid_of_the_highest_score(int count) {
        Domains domains = domains(count);
        Simulator simulator = simulator(3);
        Auctioneer auctioneer = auctioneer(simulator, domains);
        AuctionScorer scorer = scorer(3);
        Chooser agents = BiddingAgents.greedy(scorer, domains.count());
        RandomGenerator random = RandomStreams.stream(3, "test/bids");
        int[] auctions = new int[2];
        while (simulator.advance()) {
            simulator.apply(auctioneer.play(simulator, (auction, firstLegal) -> {
                int best = agents.choose(auction, firstLegal);
                assertThat(best).isEqualTo(Chooser.greedy(scorer).choose(auction, firstLegal));
                auctions[0]++;
                auctions[1] += auction.owners() > 2 ? 1 : 0;
                return random.nextInt(4) == 0 ? best : random.nextInt(firstLegal, auction.size());
            }));
        }
        assertThat(auctions[0]).isGreaterThan(250);
        if (count != 1) {
            assertThat(auctions[1]).as("auctions in which several agents bid").isGreaterThan(50);
        }
    }

    /** An auction of many bids in the middle of an episode; the same whatever the domains. */
    private static Auction auction(Domains domains) {
        Simulator simulator = simulator(5);
        Auctioneer auctioneer = auctioneer(simulator, domains);
        RandomGenerator random = RandomStreams.stream(5, "test/bids");
        while (simulator.advance()) {
            Decision wait = null;
            while (wait == null) {
                auctioneer.startBeneficiary(simulator);
                Auction open = auctioneer.open();
                if (open.size() > 25 && auctioneer.firstLegal() == 0) {
                    return open;
                }
                wait = auctioneer.win(random.nextInt(auctioneer.firstLegal(), open.size()), simulator);
            }
            simulator.apply(wait);
        }
        throw new AssertionError("no auction has so many bids");
    }

    private static double[] softmax(float[] scores, int firstLegal) {
        double[] probabilities = new double[scores.length];
        double sum = 0;
        for (int bid = firstLegal; bid < scores.length; bid++) {
            probabilities[bid] = Math.exp(scores[bid]);
            sum += probabilities[bid];
        }
        for (int bid = 0; bid < scores.length; bid++) {
            probabilities[bid] /= sum;
        }
        return probabilities;
    }

    /**
     * Pearson's statistic of so many draws by exploring agents, less its quantile at 0.999; bids expected less than
     * five times count together.
     */
    private static double excess(Auction auction, int domains, int firstLegal, long seed) {
        AuctionScorer scorer = scorer(7);
        double[] expected = softmax(scorer.score(auction), firstLegal);
        Chooser agents = BiddingAgents.exploring(scorer, domains, seed);
        int[] drawn = new int[auction.size()];
        for (int i = 0; i < DRAWS; i++) {
            drawn[agents.choose(auction, firstLegal)]++;
        }
        double statistic = 0;
        int cells = 0;
        double rareExpected = 0;
        int rareDrawn = 0;
        for (int bid = 0; bid < drawn.length; bid++) {
            double mean = DRAWS * expected[bid];
            if (mean < 5) {
                rareExpected += mean;
                rareDrawn += drawn[bid];
            } else {
                statistic += (drawn[bid] - mean) * (drawn[bid] - mean) / mean;
                cells++;
            }
        }
        if (rareExpected > 5) {
            statistic += (rareDrawn - rareExpected) * (rareDrawn - rareExpected) / rareExpected;
            cells++;
        }
        assertThat(cells).isGreaterThan(10);
        double k = cells - 1;
        // E. Wilson, M. Hilferty: The distribution of chi-square, 1931.
        double quantile = k * Math.pow(1 - 2 / (9 * k) + 3.09 * Math.sqrt(2 / (9 * k)), 3);
        return statistic - quantile;
    }

    @ParameterizedTest(name = "{0} domains, 0 for one in each rack")
    @ValueSource(ints = {0, 1, 2, 16})
    void offers_with_noise_are_draws_from_one_softmax_over_all_bids_whatever_the_number_of_agents(int count) {
        Domains domains = domains(count);
        Auction auction = auction(domains);

        assertThat(Arrays.copyOf(auction.columns(), auction.size() * BidColumn.COUNT))
                .isEqualTo(Arrays.copyOf(auction(domains(1)).columns(), auction.size() * BidColumn.COUNT));
        assertThat(auction.owners()).isGreaterThan(count == 1 ? 1 : 2);
        assertThat(excess(auction, domains.count(), 0, 11)).isNegative();
        assertThat(excess(auction, domains.count(), 1, 12))
                .as("without the reserve")
                .isNegative();
    }

    @Test
    void agents_that_share_their_noise_draw_something_else() {
        Domains domains = domains(0);
        Auction auction = auction(domains);
        AuctionScorer scorer = scorer(7);
        double[] expected = softmax(scorer.score(auction), 0);
        int[] drawn = new int[auction.size()];
        for (int i = 0; i < DRAWS; i++) {
            Offer best = null;
            for (int owner = -1; owner < domains.count(); owner++) {
                RandomGenerator same = RandomStreams.stream(i, "test/shared");
                best = Offer.higher(best, new BiddingAgent(owner, scorer, same).offer(auction));
            }
            drawn[Objects.requireNonNull(best).bid()]++;
        }
        double statistic = 0;
        for (int bid = 0; bid < drawn.length; bid++) {
            double mean = DRAWS * expected[bid];
            statistic += (drawn[bid] - mean) * (drawn[bid] - mean) / mean;
        }
        assertThat(statistic).as("the test above would notice").isGreaterThan(1000);
    }

    @Test
    void an_agent_is_shown_its_own_bids_alone() {
        Domains domains = domains(0);
        Auction auction = auction(domains);
        for (int i = 0; i < auction.owners(); i++) {
            int owner = auction.owner(i);
            int[] shown = new int[1];
            Offer offer = new BiddingAgent(
                            owner,
                            own -> {
                                shown[0] = own.size();
                                for (int bid = 0; bid < own.size(); bid++) {
                                    assertThat(own.agent(bid)).isEqualTo(owner);
                                }
                                return new float[own.size()];
                            },
                            null)
                    .offer(auction);
            assertThat(shown[0]).isPositive().isLessThan(auction.size());
            assertThat(offer).isEqualTo(new Offer(auction.firstOf(owner), 0));
        }
        assertThat(new BiddingAgent(domains.count(), own -> new float[0], null).offer(auction))
                .isNull();
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
    }
}
