package org.trainyard.agents.learned.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OrtException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.learned.LearnedWorlds;
import org.trainyard.agents.learned.auction.AuctionScheduler;
import org.trainyard.agents.learned.auction.AuctionWorlds;
import org.trainyard.agents.learned.auction.BidEncoder;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.bids.BidDistribution;
import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.gnn.cluster.ClusterEncoder;
import org.trainyard.gnn.onnx.OnnxGraph;
import org.trainyard.gnn.onnx.TensorData;

class BidGraphTest {
    /** An auction with the outcome in plain Java. */
    private static final class Played {
        final List<TensorData> arrays;
        final boolean mayWait;
        final float[] scores;
        final int best;

        Played(List<TensorData> arrays, boolean mayWait, float[] scores, int best) {
            this.arrays = arrays;
            this.mayWait = mayWait;
            this.scores = scores;
            this.best = best;
        }
    }

    /** A policy with random weights. */
    private static BidPolicy policy(@Nullable BidEncoder encoder, int hidden) {
        BidNetwork network = new BidNetwork(hidden, encoder == null ? 0 : encoder.inputs());
        RandomGenerator random = RandomStreams.stream(4, "test/weights");
        for (int w = 0; w < network.weights().length; w++) {
            network.weights()[w] = (float) (0.4 * random.nextGaussian());
        }
        return new BidPolicy(network, encoder, new AuctionSettings(RemainingTime.GITTINS, 6, 4, 2, false, true));
    }

    private static List<Played> play(Topology topology, BidPolicy policy) {
        List<Played> played = new ArrayList<>();
        Deployment deployment = new Deployment(topology, Domains.racks(topology), false, LearnedWorlds.BELIEF);
        AuctionScheduler scheduler = new AuctionScheduler(
                policy,
                deployment,
                (auction, graph, mayWait, scores, best) -> played.add(new Played(
                        AuctionArrays.of(auction, policy.encoder(), graph, mayWait),
                        mayWait,
                        Arrays.copyOf(scores, auction.size()),
                        best)));
        LearnedWorlds.world(topology).simulator(LearnedWorlds.random(1, 60)).run(scheduler);
        return played;
    }

    private static void requireEqual(List<Played> auctions, BidPolicy policy) throws OrtException {
        BidDistribution distribution = new BidDistribution();
        try (RuntimeSession session = new RuntimeSession(BidGraph.of(policy))) {
            for (Played auction : auctions) {
                Map<String, Object> outputs = session.run(auction.arrays);
                assertThat((float[]) outputs.get(Choice.SCORES)).containsExactly(auction.scores, within(3e-5f));
                assertThat(outputs.get(Choice.BEST)).isEqualTo((long) auction.best);
                int first = auction.mayWait ? 0 : 1;
                distribution.set(auction.scores, auction.scores.length, first);
                float[] logs = (float[]) Objects.requireNonNull(outputs.get(Choice.LOG_PROBABILITIES));
                for (int bid = first; bid < auction.scores.length; bid++) {
                    assertThat((double) logs[bid]).isCloseTo(distribution.logProbability(bid), within(3e-5));
                }
                assertThat(logs[0] < -1e8).isEqualTo(!auction.mayWait);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "medium, HIERARCHICAL, 16, 2",
        "3x4, HIERARCHICAL, 5, 1",
        "leaf-spine:4x2x2x4@4, HIERARCHICAL, 16, 3",
        "fat-tree:4x4, HIERARCHICAL, 8, 2",
        "medium, HIERARCHICAL, 4, 0",
        "leaf-spine:4x2x2x4@4, FLAT, 16, 0",
    })
    void the_graph_of_a_policy_with_an_encoder_decides_as_plain_java(
            String name, ClusterEncoder.Kind kind, int hidden, int rounds) throws OrtException {
        BidEncoder encoder = BidEncoder.random(kind, hidden, rounds, null, 7);
        for (int w = 0; w < encoder.weights().length; w++) {
            encoder.weights()[w] += 0.1f * (float) Math.sin(w);
        }
        BidPolicy policy = policy(encoder, 8);
        List<Played> auctions = play(Objects.requireNonNull(Topologies.parse(name)), policy);
        assertThat(auctions).hasSizeGreaterThan(20);
        requireEqual(auctions, policy);
    }

    @ParameterizedTest
    @EnumSource(ClusterEncoder.Kind.class)
    void the_graph_of_a_policy_with_a_level_inside_servers_decides_as_plain_java(ClusterEncoder.Kind kind)
            throws OrtException {
        BidEncoder encoder = BidEncoder.random(ClusterEncoder.Kind.HIERARCHICAL, 8, 2, AuctionWorlds.inside(kind), 7);
        BidPolicy policy = policy(encoder, 8);
        List<Played> auctions = play(LearnedWorlds.mixedInteriors(), policy);
        assertThat(auctions).hasSizeGreaterThan(20);
        requireEqual(auctions, policy);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16, 33})
    void the_graph_of_a_policy_without_encoder_decides_as_plain_java(int hidden) throws OrtException {
        BidPolicy policy = policy(null, hidden);
        List<Played> auctions = play(Objects.requireNonNull(Topologies.parse("medium")), policy);
        assertThat(auctions).hasSizeGreaterThan(20);
        assertThat(auctions).anyMatch(auction -> !auction.mayWait).anyMatch(auction -> auction.mayWait);
        requireEqual(auctions, policy);
    }

    @Test
    void equal_bids_have_equal_scores_wherever_they_stand() throws OrtException {
        RandomGenerator random = RandomStreams.stream(9, "test/columns");
        float[] row = new float[BidColumn.COUNT];
        for (int c = 0; c < row.length; c++) {
            row[c] = (float) random.nextGaussian();
        }
        int bids = 67;
        float[] columns = new float[bids * row.length];
        boolean[] mask = new boolean[bids];
        long[] kinds = new long[bids];
        for (int bid = 0; bid < bids; bid++) {
            System.arraycopy(row, 0, columns, bid * row.length, row.length);
            kinds[bid] = 1;
            mask[bid] = bid > 2;
        }
        try (RuntimeSession session = new RuntimeSession(BidGraph.of(policy(null, 16)))) {
            Map<String, Object> outputs = session.run(List.of(
                    TensorData.of(BidGraph.COLUMNS, columns, bids, row.length),
                    TensorData.of(BidGraph.KIND, kinds, bids),
                    TensorData.of(BidGraph.MASK, mask, bids)));
            float[] scores = (float[]) Objects.requireNonNull(outputs.get(Choice.SCORES));
            for (float score : scores) {
                assertThat(score).isEqualTo(scores[0]);
            }
            assertThat(outputs.get(Choice.BEST)).as("the first legal one").isEqualTo(3L);
        }
    }

    @Test
    void the_graph_has_no_loops_and_states_its_inputs() {
        OnnxGraph graph = BidGraph.of(policy(BidEncoder.random(ClusterEncoder.Kind.HIERARCHICAL, 4, 1, null, 1), 4));
        assertThat(graph.operators()).doesNotContain("Loop", "Scan", "If");
        assertThat(graph.inputs().stream().map(input -> input.name() + input.shape()))
                .containsExactly(
                        "columns[bids, %d]".formatted(BidColumn.COUNT),
                        "kind[bids]",
                        "mask[bids]",
                        "nodes[nodes, 20]",
                        "rack_of[servers]",
                        "bid_of[pairs]",
                        "server_of[pairs]");
    }
}
