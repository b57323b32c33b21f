package org.trainyard.experiments.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.bids.InitialBids;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.run.Experiment;

/** Rules of preemption that episodes draw, where agents preempt. */
class DrawnPreemptionRulesTest {
    private static final Path SCRATCH =
            Path.of(System.getProperty("trainyard.root", ".."), "experiments", "configs", "auction", "scratch.yaml");

    @Test
    void validation_has_what_training_draws() {
        BidPolicy bids = new BidPolicy(
                InitialBids.patient(8, 5, RandomStreams.stream(1, "test")),
                new AuctionSettings(RemainingTime.GITTINS, 6, 8, 2, true, true));
        String draws =
                "domain_randomisation={share: %s, restart_seconds: [30.0, 30.0], by_size: 0.0, checkpoint_minutes: [5.0, 60.0],"
                        + " saved: 1.0, lost: 0.0, forbidden: 1.0, limited: 0.0}";
        double free = validated(bids);
        double forbidden = validated(bids, "physics.preemption={type: Forbidden}");

        assertThat(forbidden).isNotEqualTo(free);
        assertThat(validated(bids, draws.formatted(1.0))).isEqualTo(forbidden);
        assertThat(validated(bids, draws.formatted(0.0))).isEqualTo(free);
    }

    private static double validated(BidPolicy bids, String... values) {
        List<String> overrides = Stream.concat(
                        Stream.of(
                                "cluster=small",
                                "environment.preemption=true",
                                "episodes.jobs=30",
                                "episodes.validation=2",
                                "schedulers=[fifo, sjf]"),
                        Stream.of(values))
                .toList();
        ExperimentConfig config = ConfigReader.read(SCRATCH, overrides);
        try (Experiment first = new Experiment(config);
                TrainingWorlds worlds = new TrainingWorlds(first)) {
            return worlds.geometricMeanJctSeconds(bids);
        }
    }
}
