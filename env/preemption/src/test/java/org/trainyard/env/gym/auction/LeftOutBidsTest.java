package org.trainyard.env.gym.auction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.learned.LearnedWorlds;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topology;

/** Bids that cannot win by a score are left out, and never the one that would win. */
class LeftOutBidsTest {
    private static final Topology TOPOLOGY = LearnedWorlds.twoTypes();

    /** Short work first; counts the bids and the winners of each kind. */
    private static final class ShortWork implements Chooser.ByScore {
        private static final double LEAST_SECONDS = 900;

        private final Map<BidKind, Integer> shown = new EnumMap<>(BidKind.class);
        private final Map<BidKind, Integer> won = new EnumMap<>(BidKind.class);

        @Override
        public double score(Auction auction, int bid) {
            double work = auction.column(bid, BidColumn.REMAINING_WORK);
            double slow = auction.column(bid, BidColumn.SLOW_FOR_LONG);
            return switch (auction.kind(bid)) {
                case WAIT -> -0.2;
                case START -> 1 - work - 0.5 * slow - auction.column(bid, BidColumn.DEARER_THAN_CHEAPEST);
                case PATIENCE -> 0.75 - work - auction.column(bid, BidColumn.PATIENT_FOR_EVER);
                case MAKE_ROOM -> makingRoom(work, slow) - auction.column(bid, BidColumn.PLAN_COST);
                case MOVE ->
                    auction.column(bid, BidColumn.SAVED_TIME) < BidColumn.scaledTime(LEAST_SECONDS)
                            ? -1
                            : Math.min(moving() - 1e-3, auction.column(bid, BidColumn.SPEED_UP));
                case FORWARD -> throw new AssertionError("nobody to forward to");
            };
        }

        @Override
        public double makingRoom(double work, double slow) {
            return 1.4 - work - 0.5 * slow;
        }

        @Override
        public double moving() {
            return 0.4;
        }

        @Override
        public double leastSavedSeconds() {
            return LEAST_SECONDS;
        }

        /** Room is made by bids alone that beat all before them, and nobody bids to move beside a better bid. */
        void checkLeftOut(Auction auction) {
            double best = Double.NEGATIVE_INFINITY;
            for (int bid = 0; bid < auction.size(); bid++) {
                boolean isWorthIt = switch (auction.kind(bid)) {
                    case MAKE_ROOM -> score(auction, bid) > best - 2e-5;
                    case MOVE -> best < moving();
                    default -> true;
                };
                assertThat(isWorthIt)
                        .as("%s after a score of %f", auction.kind(bid), best)
                        .isTrue();
                best = Math.max(best, score(auction, bid));
            }
        }

        /** The highest score of an auction, whose bids are counted. */
        double best(Auction auction, int firstLegal) {
            for (int bid = 0; bid < auction.size(); bid++) {
                shown.merge(auction.kind(bid), 1, Integer::sum);
            }
            Offer best = offer(auction, firstLegal);
            won.merge(auction.kind(best.bid()), 1, Integer::sum);
            return best.price();
        }
    }

    private static Auctioneer auctioneer(SimView view) {
        return new Auctioneer(
                view,
                new AuctionSettings(RemainingTime.GITTINS_BY_WORK, 6, 5, 6, true, false),
                Domains.racks(TOPOLOGY),
                AnalyticInterference.DEFAULT);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void the_highest_score_is_as_high_where_bids_that_cannot_win_are_left_out(long seed) {
        Simulator simulator = new World(TOPOLOGY, new RatedPerformance(), new Simulator.Options(30_000_000_000L, true))
                .simulator(RandomWorkloads.ofFewModels(seed, 80, 8));
        Auctioneer auctioneer = auctioneer(simulator.view());
        Auctioneer sparing = auctioneer(simulator.view());
        ShortWork all = new ShortWork();
        ShortWork some = new ShortWork();
        sparing.leaveOutLosers(some);
        long[] before = {-1};
        while (simulator.advance()) {
            simulator.apply(auctioneer.play(simulator, (auction, firstLegal) -> {
                // A plan that was too dear is not looked for again at the same instant.
                if (before[0] != simulator.view().nowNanos()) {
                    before[0] = simulator.view().nowNanos();
                    // Jobs that do not bid leave their places to others, whose bids may be better.
                    Auction spared = sparing.open();
                    some.checkLeftOut(spared);
                    assertThat(some.best(spared, firstLegal)).isGreaterThanOrEqualTo(all.best(auction, firstLegal));
                }
                return all.choose(auction, firstLegal);
            }));
        }
        assertThat(all.won).containsKeys(BidKind.START, BidKind.MAKE_ROOM, BidKind.MOVE);
        for (BidKind kind : List.of(BidKind.MAKE_ROOM, BidKind.MOVE)) {
            assertThat(some.shown.get(kind)).as("%s", kind).isLessThan(all.shown.get(kind));
        }
    }
}
