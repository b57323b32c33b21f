package org.trainyard.env.gym.auction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;

class AuctioneerForkTest {
    private static final List<Topology> CLUSTERS = Stream.of("small", "medium", "leaf-spine:2x2x2x4@2", "3x4")
            .map(name -> Objects.requireNonNull(Topologies.parse(name)))
            .toList();

    /** A play of bids drawn by the number of the auction, so that equal states have equal choices. */
    private static final class Play {
        private final long seed;
        private final Workload workload;
        private Simulator simulator;
        private Auctioneer auctioneer;
        private int auctions;
        private BidKind last = BidKind.WAIT;

        Play(long seed) {
            this.seed = seed;
            Topology topology = CLUSTERS.get((int) (seed % CLUSTERS.size()));
            RemainingTime[] orders = RemainingTime.values();
            RemainingTime order = orders[(int) (seed / CLUSTERS.size() % orders.length)];
            workload = RandomWorkloads.ofFewModels(seed, 60, topology.gpus());
            simulator = new Simulator(
                    topology,
                    workload,
                    new RingPerformance(topology, AnalyticInterference.DEFAULT),
                    predictor(),
                    new Simulator.Options(30_000_000_000L, true));
            auctioneer = new Auctioneer(
                    simulator.view(),
                    new AuctionSettings(order, 6, 5, 2, true, true),
                    Domains.racks(topology),
                    AnalyticInterference.DEFAULT);
        }

        private RuntimePredictor predictor() {
            return RuntimePredictor.lognormal(workload, 0.8, seed);
        }

        Play fork() {
            Play fork = new Play(seed);
            fork.simulator = simulator.fork(predictor());
            fork.auctioneer = auctioneer.fork(fork.simulator.view());
            fork.auctions = auctions;
            return fork;
        }

        /** Plays so many auctions, or to the end; false at the end. */
        boolean play(int count) {
            for (int i = 0; i < count; i++) {
                if (!simulator.isAsking() && !simulator.advance()) {
                    return false;
                }
                auctioneer.settle(simulator);
                Auction auction = auctioneer.open();
                int from = auctioneer.mayWait() ? 0 : 1;
                RandomGenerator random = RandomStreams.stream(seed, "test/auction/" + auctions++);
                int bid = from + random.nextInt(auction.size() - from);
                last = auction.kind(bid);
                Decision wait = auctioneer.win(bid, simulator);
                if (wait != null) {
                    simulator.apply(wait);
                }
            }
            return true;
        }

        /** The bids of an auction now, with their columns. */
        List<String> bids() {
            Auction auction = auctioneer.open();
            int columns = BidColumn.COUNT;
            return IntStream.range(0, auction.size())
                    .mapToObj(bid -> "%s %d %d %s"
                            .formatted(
                                    auction.kind(bid),
                                    auction.job(bid),
                                    auction.length(bid),
                                    Arrays.toString(
                                            Arrays.copyOfRange(auction.columns(), bid * columns, (bid + 1) * columns))))
                    .toList();
        }

        String finish() {
            play(Integer.MAX_VALUE);
            return simulator.result().eventLogSha256();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void a_fork_with_equal_choices_ends_with_the_log_of_the_original_and_leaves_it_alone(long seed) {
        String uninterrupted = new Play(seed).finish();
        Play original = new Play(seed);
        int forks = 0;
        while (original.play(7)) {
            assertThat(original.fork().finish()).isEqualTo(uninterrupted);
            forks++;
        }
        assertThat(forks).isGreaterThan(8);
        assertThat(original.finish()).isEqualTo(uninterrupted);
    }

    @Test
    void after_a_bid_for_patience_the_bids_are_those_of_a_fork_that_has_asked_nobody_yet() {
        int compared = 0;
        for (long seed = 1; seed <= 12; seed++) {
            Play original = new Play(seed);
            while (original.play(1)) {
                if (original.last == BidKind.PATIENCE) {
                    assertThat(original.bids()).isEqualTo(original.fork().bids());
                    compared++;
                }
            }
        }
        assertThat(compared).isGreaterThan(80);
    }
}
