package org.trainyard.agents.learned.auction;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import org.trainyard.agents.learned.training.Autograd;
import org.trainyard.env.gym.auction.NodeColumn;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.Tensors;
import org.trainyard.gnn.cluster.ClusterEncoder;
import org.trainyard.gnn.cluster.ClusterTree;

/**
 * The gradient of the objective by the weights of the encoder over a part of a minibatch: embeddings by tensors,
 * the derivatives by the embeddings by {@link BidGradient} and {@link BidInputs}, and from there back through the
 * recorded tensors. It has its own copy of the weights, so that several can work at once.
 */
final class EncoderGradient implements AutoCloseable {
    /**
     * Nodes of a chunk, which is what tensors hold at once: few enough for the caches, enough for the cost of a call.
     */
    private static final int CHUNK_NODES = 16_384;

    private static final int COLUMNS = NodeColumn.COUNT;

    private final BidEncoder trained;
    private final Parameters parameters = new Parameters(0);
    private final ClusterEncoder encoder;
    private final float[] gradient;
    private float[] rows = new float[0];
    private float[] slopes = new float[0];

    /** Of an encoder whose weights may change between two parts. */
    EncoderGradient(BidEncoder trained) {
        this.trained = trained;
        encoder = new ClusterEncoder(parameters, trained.settings());
        gradient = new float[trained.weights().length];
    }

    /** Computes the gradient of some auctions, and adds that by the bid network's weights to {@code bids}. */
    void compute(AuctionBatch batch, int from, int to, BidGradient bids) {
        Arrays.fill(gradient, 0);
        if (from == to) {
            return;
        }
        ClusterTree tree = batch.record(from).nodes.tree();
        BidInputs inputs = new BidInputs(tree, trained.settings().hidden());
        Autograd.record(false, () -> parameters.setValues(trained.weights()));
        int most = Math.max(1, CHUNK_NODES / tree.nodes());
        for (int first = from; first < to; first += most) {
            chunk(batch, first, Math.min(to, first + most), tree, inputs, bids);
        }
        parameters.takeGradients(gradient);
    }

    private void chunk(AuctionBatch batch, int from, int to, ClusterTree tree, BidInputs inputs, BidGradient bids) {
        int count = to - from;
        int hidden = trained.settings().hidden();
        stage(batch, from, count, tree.nodes());
        try (NDManager scope = parameters.newScope()) {
            Autograd.record(true, () -> {
                NDArray embeddings =
                        encoder.encode(Tensors.copyOf(rows, new Shape(tree.nodes(), count, COLUMNS), scope), tree);
                float[] values = embeddings.toFloatArray();
                for (int i = 0; i < count; i++) {
                    EpisodeRecord record = batch.record(from + i);
                    int auction = batch.auction(from + i);
                    int firstBid = record.firstBid[auction];
                    int size = record.bids[auction];
                    inputs.pool(record.servers, firstBid, size, values, i * hidden, count * hidden);
                    bids.add(record, auction, batch.advantage(from + i), inputs);
                    inputs.scatter(record.servers, firstBid, size, slopes, i * hidden, count * hidden);
                }
                Autograd.backwardFrom(
                        embeddings, Tensors.copyOf(slopes, new Shape(tree.nodes(), count, hidden), scope));
            });
        }
    }

    /** Copies the rows of a chunk and clears the slopes. */
    private void stage(AuctionBatch batch, int from, int count, int nodes) {
        int values = nodes * count * COLUMNS;
        rows = rows.length == values ? rows : new float[values];
        int embeddings = nodes * count * trained.settings().hidden();
        slopes = slopes.length == embeddings ? slopes : new float[embeddings];
        Arrays.fill(slopes, 0);
        for (int i = 0; i < count; i++) {
            batch.record(from + i).nodes.copy(batch.auction(from + i), rows, i * COLUMNS, count * COLUMNS);
        }
    }

    /** Adds the gradient by the encoder's weights, times a factor. */
    void addTo(float[] sum, float factor) {
        for (int w = 0; w < sum.length; w++) {
            sum[w] += factor * gradient[w];
        }
    }

    @Override
    public void close() {
        parameters.close();
    }
}
