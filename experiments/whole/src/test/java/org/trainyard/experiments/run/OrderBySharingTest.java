package org.trainyard.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.scheduling.pairs.ObservedPairs;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.experiments.config.ConfigReader;

/** Which jobs bid by the order {@code GittinsLimitBySharing}. */
class OrderBySharingTest {
    private static final Path CONFIGS =
            Path.of(System.getProperty("trainyard.root", ".."), "experiments", "configs", "auction");

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "shared.yaml, GITTINS_LIMIT_BY_WORK, GITTINS_LIMIT_BY_WIDTH",
        "scratch-preemption.yaml, GITTINS_LIMIT_BY_WIDTH, GITTINS_LIMIT_BY_WORK"
    })
    void jobs_bid_by_work_where_they_may_share_a_gpu_and_by_width_elsewhere(
            String config, RemainingTime same, RemainingTime other) {
        List<String> smaller = List.of("episodes.jobs=120", "episodes.test=1", "workload.generator.offered_load=6");
        try (Experiment experiment = new Experiment(ConfigReader.read(CONFIGS.resolve(config), smaller))) {
            Simulator simulator = experiment.world().simulator(experiment.test().get(0));
            Auctioneer bySharing = auctioneer(simulator, RemainingTime.GITTINS_LIMIT_BY_SHARING);
            Auctioneer alike = auctioneer(simulator, same);
            Auctioneer different = auctioneer(simulator, other);
            Scheduler scheduler = experiment.scheduler("tuned:sjf+sets", 0);
            int differences = 0;
            while (simulator.advance()) {
                List<String> bids = bids(bySharing.open());
                assertThat(bids).isEqualTo(bids(alike.open()));
                differences += bids.equals(bids(different.open())) ? 0 : 1;
                simulator.decide(scheduler);
            }
            assertThat(differences).isPositive();
        }
    }

    private static Auctioneer auctioneer(Simulator simulator, RemainingTime order) {
        return new Auctioneer(
                simulator.view(),
                new AuctionSettings(order, 2, 8, 2, true, false),
                Domains.even(simulator.view().topology(), 1),
                new ObservedPairs(AnalyticInterference.DEFAULT));
    }

    /** Kind and job of every bid. */
    private static List<String> bids(Auction auction) {
        return IntStream.range(0, auction.size())
                .mapToObj(bid -> "%s %d".formatted(auction.kind(bid), auction.job(bid)))
                .toList();
    }
}
