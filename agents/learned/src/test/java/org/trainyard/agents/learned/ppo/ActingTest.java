package org.trainyard.agents.learned.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.learned.LearnedWorlds;
import org.trainyard.agents.learned.auction.AuctionWorlds;
import org.trainyard.agents.learned.auction.BidEncoder;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.agents.learned.training.Autograd;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.NodeColumn;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.reward.JctReward;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.Tensors;
import org.trainyard.gnn.cluster.ClusterEncoder;
import org.trainyard.gnn.cluster.ClusterForwardPass;
import org.trainyard.gnn.cluster.ClusterTree;

class ActingTest {
    private static final int COLUMNS = NodeColumn.COUNT;

    /** An episode played with bids of random weights. */
    static EpisodeRecord played(Topology topology, BidPolicy policy) {
        Simulator simulator = LearnedWorlds.world(topology).simulator(LearnedWorlds.random(1, 40));
        Deployment deployment = new Deployment(topology, Domains.racks(topology), false, LearnedWorlds.BELIEF);
        EpisodeRecord record = new EpisodeRecord();
        new EpisodePlayer(
                        policy, new JctReward(), AuctionWorlds.settings(1, 0.01).schedule())
                .play(
                        simulator,
                        policy.auctioneer(simulator.view(), deployment),
                        RandomStreams.stream(1, "test/play"),
                        record);
        return record;
    }

    private static float[] byTensors(BidEncoder encoder, ClusterTree tree, float[] rows, int count) {
        try (Parameters parameters = new Parameters(0)) {
            ClusterEncoder tensors = encoder.layers(parameters);
            parameters.setValues(encoder.weights());
            float[][] found = new float[1][];
            try (NDManager scope = parameters.newScope()) {
                Shape shape = new Shape(tree.nodes(), count, COLUMNS);
                Autograd.record(
                        false,
                        () -> found[0] = tensors.encode(Tensors.copyOf(rows, shape, scope), null, tree)
                                .toFloatArray());
            }
            return found[0];
        }
    }

    @ParameterizedTest
    @CsvSource({
        "medium, HIERARCHICAL, 16, 2",
        "8x4, HIERARCHICAL, 5, 1",
        "leaf-spine:4x2x2x4@4, HIERARCHICAL, 16, 3",
        "fat-tree:4x4, HIERARCHICAL, 8, 2",
        "medium, HIERARCHICAL, 4, 0",
        "leaf-spine:4x2x2x4@4, FLAT, 16, 0",
    })
    void arrays_and_tensors_give_the_same_embeddings_in_played_states(
            String name, ClusterEncoder.Kind kind, int hidden, int rounds) {
        Topology topology = Objects.requireNonNull(Topologies.parse(name));
        BidEncoder encoder = BidEncoder.random(kind, hidden, rounds, null, 7);
        for (int w = 0; w < encoder.weights().length; w++) {
            encoder.weights()[w] += 0.1f * (float) Math.sin(w);
        }
        EpisodeRecord record = played(topology, AuctionWorlds.policyWith(encoder));
        int count = record.auctions;
        assertThat(count).isGreaterThan(30);
        ClusterTree tree = record.nodes.tree(0);
        float[] rows = new float[tree.nodes() * count * COLUMNS];
        ClusterForwardPass pass = new ClusterForwardPass(encoder.settings(), encoder.weights(), tree);
        float[] present = new float[tree.nodes() * COLUMNS];
        float[] before = new float[present.length];
        int[] versions = new int[tree.nodes()];
        Arrays.fill(versions, 1);
        float[][] byArrays = new float[count][];
        for (int a = 0; a < count; a++) {
            for (int node = 0; node < versions.length; node++) {
                int at = node * COLUMNS;
                int row = record.nodes.row(a, node) * COLUMNS;
                System.arraycopy(record.nodes.values(), row, present, at, COLUMNS);
                System.arraycopy(present, at, rows, (node * count + a) * COLUMNS, COLUMNS);
                versions[node] += Arrays.equals(before, at, at + COLUMNS, present, at, at + COLUMNS) ? 0 : 1;
            }
            before = present.clone();
            float[] embeddings = pass.update(present, versions, server -> new float[0]);
            IntStream.range(0, tree.servers()).forEach(pass::complete);
            byArrays[a] = embeddings.clone();
        }

        float[] tensors = byTensors(encoder, tree, rows, count);
        double greatest = 0;
        for (int a = 0; a < count; a++) {
            for (int i = 0; i < byArrays[a].length; i++) {
                float other = tensors[(i / hidden * count + a) * hidden + i % hidden];
                greatest = Math.max(greatest, Math.abs(other));
                assertThat(byArrays[a][i]).as("auction %d, %d", a, i).isCloseTo(other, within(1e-5f));
            }
        }
        assertThat(greatest).isGreaterThan(0.1);
        assertThat(record.nodes.stored()).as("rows kept, of all there were").isLessThan(count * tree.nodes() * 3 / 4);
    }
}
