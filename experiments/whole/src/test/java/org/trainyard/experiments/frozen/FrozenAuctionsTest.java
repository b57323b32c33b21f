package org.trainyard.experiments.frozen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.agents.learned.auction.AuctionScheduler;
import org.trainyard.agents.learned.auction.BidEncoder;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.agents.learned.bids.InitialBids;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.gnn.cluster.ClusterEncoder;

/**
 * The bids of auctions, their columns and what wins stay as they are: with the shipped policy in all of its worlds, and
 * with random ones in all settings.
 */
class FrozenAuctionsTest {
    private static final List<String> MODELS = List.of("a2c", "lstm", "ncf", "resnet18", "resnet50", "transformer");

    /** Names of the configs of the shipped policy's worlds; the last has pairs as measured, here of made-up figures. */
    private static final List<String> WORLDS = List.of(
            "from-scratch",
            "scratch-preemption",
            "two-generations",
            "generations",
            "contended",
            "wide-gangs",
            "philly-like",
            "fragmented",
            "shared",
            "philly-like-shared",
            "shared-measured");

    /** Those whose cluster is made smaller. */
    private static final Set<String> LARGE = Set.of("from-scratch", "scratch-preemption", "philly-like");

    @TempDir
    private Path folder;

    private Experiment world(String name, int jobs, String... more) throws IOException {
        List<String> values = new ArrayList<>(List.of(more));
        values.addAll(List.of("episodes.test=5", "episodes.jobs=" + jobs));
        String config = name;
        if (name.equals("shared-measured")) {
            config = "shared";
            values.add("physics.interference={type: Measured, file: %s}".formatted(measurements()));
        }
        Path file = FrozenText.ROOT.resolve("experiments/configs/auction").resolve(config + ".yaml");
        if (LARGE.contains(name)) {
            values.add("cluster=4x4x8");
        }
        return new Experiment(ConfigReader.read(file, values));
    }

    /** Pairs that slow each other differently both ways. */
    private Path measurements() throws IOException {
        List<String> rows =
                new ArrayList<>(List.of("victim_architecture,neighbour_architecture,hardware,scope,slowdown"));
        for (int v = 0; v < MODELS.size(); v++) {
            for (int n = 0; n < MODELS.size(); n++) {
                rows.add("%s,%s,v100,gpu,1.%02d".formatted(MODELS.get(v), MODELS.get(n), (7 + 31 * v + 53 * n) % 97));
            }
        }
        return Files.write(folder.resolve("measurements.csv"), rows);
    }

    private static Collection<String> play(String name, Experiment experiment, BidPolicy policy, Set<BidKind> won) {
        AuctionPrints prints = new AuctionPrints(!name.contains("/"));
        AuctionScheduler scheduler =
                new AuctionScheduler(policy, experiment.deployment(), (auction, graph, mayWait, scores, best) -> {
                    prints.add(auction, graph, mayWait, best);
                    won.add(auction.kind(best));
                });
        RunResult run = experiment.world().simulator(experiment.test().get(0)).run(scheduler);
        assertThat(run.jobs()).as(name).hasSizeGreaterThan(30);
        return prints.lines(name, run);
    }

    @Test
    void the_shipped_policy_bids_and_decides_in_its_eleven_worlds_as_ever() throws IOException {
        BidPolicy policy = BidPolicy.load(FrozenText.ROOT.resolve("checkpoints/default/policy.bin"));
        Set<BidKind> won = EnumSet.noneOf(BidKind.class);
        List<String> lines = new ArrayList<>();
        for (String name : WORLDS) {
            try (Experiment experiment = world(name, 100)) {
                lines.addAll(play(name, experiment, policy, won));
            }
        }
        assertThat(won).contains(BidKind.START, BidKind.MAKE_ROOM, BidKind.MOVE, BidKind.WAIT);
        FrozenText.assertFrozen("auctions-default", lines);
    }

    @Test
    void random_policies_bid_and_decide_under_every_order_as_ever() throws IOException {
        Set<BidKind> won = EnumSet.noneOf(BidKind.class);
        List<String> lines = new ArrayList<>();
        for (String name : List.of("generations", "shared")) {
            try (Experiment experiment = world(name, 50, "workload.generator.offered_load=3.0")) {
                for (RemainingTime order : RemainingTime.values()) {
                    BidNetwork network = InitialBids.random(6, RandomStreams.stream(7, order.title()));
                    BidPolicy policy = new BidPolicy(network, new AuctionSettings(order, 8, 6, 3, true, true));
                    lines.addAll(play(name + "/" + order.title(), experiment, policy, won));
                }
            }
        }
        EnumSet<BidKind> kinds = EnumSet.allOf(BidKind.class);
        kinds.remove(BidKind.FORWARD);
        assertThat(won).containsExactlyInAnyOrderElementsOf(kinds);
        FrozenText.assertFrozen("auctions-orders", lines);
    }

    @Test
    void policies_with_encoders_see_the_cluster_as_ever() throws IOException {
        List<String> lines = new ArrayList<>();
        for (ClusterEncoder.Kind kind : ClusterEncoder.Kind.values()) {
            try (Experiment experiment = world("contended", 40)) {
                BidEncoder encoder = BidEncoder.random(kind, 6, 2, null, 11);
                BidNetwork network = InitialBids.withInputs(
                        InitialBids.patient(6, 2, RandomStreams.stream(7, "weights")),
                        encoder.inputs(),
                        RandomStreams.stream(7, "inputs"));
                BidPolicy policy = new BidPolicy(
                        network,
                        Objects.requireNonNull(encoder),
                        new AuctionSettings(RemainingTime.GITTINS, 5, 6, 3, true, true));
                lines.addAll(play("contended/" + kind, experiment, policy, EnumSet.noneOf(BidKind.class)));
            }
        }
        FrozenText.assertFrozen("auctions-encoders", lines);
    }
}
