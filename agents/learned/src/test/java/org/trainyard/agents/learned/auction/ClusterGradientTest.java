package org.trainyard.agents.learned.auction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.learned.training.Autograd;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.NodeColumn;
import org.trainyard.env.topology.Topologies;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.Tensors;
import org.trainyard.gnn.cluster.ClusterEncoder;
import org.trainyard.gnn.cluster.ClusterGradient;
import org.trainyard.gnn.cluster.ClusterTree;
import org.trainyard.gnn.cluster.NodeStates;

class ClusterGradientTest {
    private static final int COLUMNS = NodeColumn.COUNT;

    /** The gradient of the sum of all embeddings, each times its slope, by the tensors of the encoder. */
    private static float[] byTensors(BidEncoder encoder, ClusterTree tree, float[] rows, float[] slopes, int count) {
        float[] gradient = new float[encoder.weights().length];
        try (Parameters parameters = new Parameters(0)) {
            ClusterEncoder tensors = new ClusterEncoder(parameters, encoder.settings());
            Autograd.record(false, () -> parameters.setValues(encoder.weights()));
            try (NDManager scope = parameters.newScope()) {
                Autograd.record(true, () -> {
                    Shape shape = new Shape(tree.nodes(), count, COLUMNS);
                    NDArray found = tensors.encode(Tensors.copyOf(rows, shape, scope), tree);
                    Autograd.backwardFrom(found, Tensors.copyOf(slopes, found.getShape(), scope));
                });
            }
            parameters.takeGradients(gradient);
        }
        return gradient;
    }

    @ParameterizedTest
    @CsvSource({
        "medium, HIERARCHICAL, 16, 2",
        "3x4, HIERARCHICAL, 5, 1",
        "leaf-spine:4x2x2x4@4, HIERARCHICAL, 16, 1",
        "fat-tree:4x4, HIERARCHICAL, 8, 3",
        "medium, HIERARCHICAL, 4, 0",
        "leaf-spine:4x2x2x4@4, FLAT, 16, 0",
    })
    void arrays_over_distinct_rows_and_tensors_give_the_same_gradients_in_played_states(
            String name, ClusterEncoder.Kind kind, int hidden, int rounds) {
        BidEncoder encoder = BidEncoder.random(kind, hidden, rounds, 7);
        for (int w = 0; w < encoder.weights().length; w++) {
            encoder.weights()[w] += 0.1f * (float) Math.sin(w);
        }
        EpisodeRecord record = ClusterForwardPassTest.played(
                Objects.requireNonNull(Topologies.parse(name)), AuctionWorlds.policyWith(encoder));
        int count = Math.min(60, record.auctions);
        NodeRows recorded = record.nodes;
        ClusterTree tree = recorded.tree();
        float[][] byColumn = new float[COLUMNS][recorded.stored()];
        for (int i = 0; i < recorded.stored() * COLUMNS; i++) {
            byColumn[i % COLUMNS][i / COLUMNS] = recorded.values()[i];
        }
        float[] rows = new float[tree.nodes() * count * COLUMNS];
        int[] all = new int[recorded.stored()];
        for (int row = 0; row < all.length; row++) {
            all[row] = row;
        }
        ClusterGradient arrays = new ClusterGradient(encoder.settings(), encoder.weights());
        arrays.begin(tree);
        for (int level = 0; level < 3; level++) {
            arrays.setRows(level, byColumn, all, all.length);
        }
        int[] rowOf = new int[tree.nodes()];
        for (int a = 0; a < count; a++) {
            System.arraycopy(recorded.rowOf(), a * rowOf.length, rowOf, 0, rowOf.length);
            int centre = arrays.addCentre(rowOf);
            for (int node = 0; node < rowOf.length; node++) {
                System.arraycopy(recorded.values(), rowOf[node] * COLUMNS, rows, (node * count + a) * COLUMNS, COLUMNS);
                if (node < tree.servers()) {
                    arrays.ask(centre, node);
                }
            }
        }
        arrays.forward();

        float[] slopes = new float[tree.nodes() * count * hidden];
        RandomGenerator random = RandomStreams.stream(1, "test/slopes");
        for (int i = 0; i < slopes.length; i++) {
            slopes[i] = (float) random.nextGaussian();
            int node = i / hidden / count;
            int centre = i / hidden % count;
            put(arrays, tree, centre, node, i % hidden, slopes[i]);
        }
        arrays.backward();
        float[] expected = byTensors(encoder, tree, rows, slopes, count);
        double greatest = 0;
        for (float slope : expected) {
            greatest = Math.max(greatest, Math.abs(slope));
        }
        assertThat(greatest).isGreaterThan(1);
        assertThat(arrays.gradient()).containsExactly(expected, within((float) (1e-5 * greatest)));
    }

    private static void put(ClusterGradient arrays, ClusterTree tree, int centre, int node, int unit, float slope) {
        int rack = node - tree.servers();
        NodeStates states = arrays.cores();
        int state = arrays.core(centre);
        if (rack < 0) {
            states = arrays.servers();
            state = arrays.server(centre, node);
        } else if (rack < tree.racks()) {
            states = arrays.racks();
            state = arrays.rack(centre, rack);
        }
        states.slopes()[unit][state] += slope;
    }
}
