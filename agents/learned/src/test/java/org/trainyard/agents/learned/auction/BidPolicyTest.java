package org.trainyard.agents.learned.auction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.agents.learned.bids.InitialBids;
import org.trainyard.agents.learned.inside.IntraNodeEncoder;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.gnn.CheckedFile;
import org.trainyard.gnn.cluster.ClusterEncoder;

class BidPolicyTest {
    @TempDir
    private Path folder;

    private static BidPolicy policy() {
        return new BidPolicy(
                InitialBids.random(8, RandomStreams.stream(1, "test/weights")),
                new AuctionSettings(RemainingTime.PREDICTED, 5, 3, 1, false, true));
    }

    private static RunResult run(BidPolicy policy) {
        return run(policy, AuctionWorlds.deployment());
    }

    private static RunResult run(BidPolicy policy, Deployment deployment) {
        return AuctionWorlds.simulator(7).run(policy.scheduler(deployment));
    }

    @Test
    void the_number_of_agents_does_not_change_the_decisions() {
        Deployment one = AuctionWorlds.deployment();
        Deployment two = new Deployment(one.topology(), Domains.even(one.topology(), 2), false, one.belief());
        assertThat(one.domains().count()).isOne();

        assertThat(run(policy(), two).eventLogSha256())
                .isEqualTo(run(policy(), one).eventLogSha256());
    }

    @Test
    void a_policy_read_from_its_file_decides_alike_and_says_what_it_is() {
        BidPolicy policy = policy();
        Path file = folder.resolve("policy.bin");
        String hash = policy.save(file);
        BidPolicy read = BidPolicy.load(file);

        assertThat(CheckedFile.isOf(file, BidPolicy.KIND)).isTrue();
        assertThat(read.facts())
                .isEqualTo(policy.facts())
                .containsEntry("hidden", 8)
                .containsEntry("order", "Predicted")
                .containsEntry("patience", true)
                .containsEntry("bids of", "5 jobs for 3 sets of servers each");
        assertThat(read.save(folder.resolve("again"))).isEqualTo(hash);
        assertThat(run(read).eventLogSha256()).isEqualTo(run(policy).eventLogSha256());
    }

    @Test
    void a_policy_with_an_encoder_decides_alike_after_it_was_read_and_otherwise_without_the_encoder() {
        BidEncoder encoder = BidEncoder.random(ClusterEncoder.Kind.HIERARCHICAL, 8, 2, null, 1);
        BidPolicy policy = AuctionWorlds.policyWith(encoder);
        Path file = folder.resolve("encoded.bin");
        String hash = policy.save(file);
        BidPolicy read = BidPolicy.load(file);

        assertThat(read.facts())
                .containsEntry(
                        "encoder",
                        "hierarchical, 8 hidden, 2 rounds, %d parameters".formatted(encoder.weights().length));
        assertThat(CheckedFile.version(file, BidPolicy.KIND)).isEqualTo(3);
        assertThat(read.save(folder.resolve("again"))).isEqualTo(hash);
        String played = run(policy).eventLogSha256();
        assertThat(run(read).eventLogSha256()).isEqualTo(played);
        Arrays.fill(encoder.weights(), 0);
        assertThat(run(policy).eventLogSha256()).isNotEqualTo(played);
    }

    @Test
    void a_policy_with_a_level_inside_servers_decides_alike_after_it_was_read_and_otherwise_without_it() {
        IntraNodeEncoder inside = AuctionWorlds.inside(ClusterEncoder.Kind.HIERARCHICAL);
        for (int w = 0; w < inside.weights().length; w++) {
            inside.weights()[w] *= 8;
        }
        BidPolicy policy =
                AuctionWorlds.policyWith(BidEncoder.random(ClusterEncoder.Kind.HIERARCHICAL, 8, 2, inside, 1));
        Path file = folder.resolve("inside.bin");
        String hash = policy.save(file);
        BidPolicy read = BidPolicy.load(file);

        assertThat(CheckedFile.version(file, BidPolicy.KIND)).isEqualTo(4);
        int bids = policy.network().weights().length;
        int encoder = Objects.requireNonNull(policy.encoder()).weights().length;
        assertThat(read.facts())
                .isEqualTo(policy.facts())
                .containsEntry("parameters", bids + encoder + 451)
                .containsEntry(
                        "parameters of",
                        String.format(Locale.ROOT, "bids %,d, encoder %,d, inside 451", bids, encoder));
        assertThat(String.valueOf(read.facts().get("encoder")))
                .endsWith("; inside servers hierarchical, 6 hidden, 2 rounds, 7 values of a set, 451 parameters");
        assertThat(read.save(folder.resolve("again"))).isEqualTo(hash);
        String played = run(policy).eventLogSha256();
        assertThat(run(read).eventLogSha256()).isEqualTo(played);
        Arrays.fill(inside.weights(), 0);
        inside.changed();
        assertThat(run(policy).eventLogSha256()).isNotEqualTo(played);
    }

    @Test
    void a_copy_keeps_its_weights() {
        BidPolicy policy = policy();
        BidPolicy copy = policy.copy();
        String before = run(policy).eventLogSha256();
        Arrays.fill(policy.network().weights(), 0);

        assertThat(AuctionWorlds.simulator(7)
                        .run(copy.scheduler(AuctionWorlds.deployment()))
                        .eventLogSha256())
                .isEqualTo(before)
                .isNotEqualTo(run(policy).eventLogSha256());
    }

    @Test
    void a_policy_of_other_columns_is_refused_in_one_line() {
        Path file = folder.resolve("old.bin");
        CheckedFile.write(file, BidPolicy.KIND, 3, out -> out.writeUTF("0123"));

        assertThatThrownBy(() -> BidPolicy.load(file))
                .isInstanceOf(InputException.class)
                .hasMessage("%s: was saved with bid schema 0123, but the bids here have schema %s: their columns differ"
                        .formatted(file, BidColumn.schema().hash()));
    }

    @Test
    void a_damaged_file_is_refused() throws IOException {
        Path file = folder.resolve("policy.bin");
        policy().save(file);
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);

        assertThatThrownBy(() -> BidPolicy.load(file))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("is damaged");
    }

    @Test
    void scores_too_large_to_compute_with_are_refused() {
        BidPolicy policy = policy();
        Arrays.fill(policy.network().weights(), Float.MAX_VALUE);

        assertThatThrownBy(() -> run(policy))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("scores are not finite");
    }
}
