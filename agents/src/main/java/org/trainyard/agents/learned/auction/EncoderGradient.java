package org.trainyard.agents.learned.auction;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.inside.InsideLevel;
import org.trainyard.agents.learned.inside.ServerSets;
import org.trainyard.agents.learned.inside.SetSlopes;
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
    /** The embeddings of free GPUs, by server and auction of a chunk. */
    private float[] insides = new float[0];

    private final @Nullable SetSlopes ofSets;

    /** Of an encoder whose weights may change between two parts. */
    EncoderGradient(BidEncoder trained) {
        this.trained = trained;
        encoder = new ClusterEncoder(parameters, trained.settings());
        gradient = new float[trained.weights().length];
        InsideLevel inside = trained.inside();
        ofSets = inside == null || !inside.learns()
                ? null
                : new SetSlopes(inside.settings().size());
    }

    /** Computes the gradient of some auctions, and adds that by the bid network's weights to {@code bids}. */
    void compute(AuctionBatch batch, int from, int to, BidGradient bids) {
        Arrays.fill(gradient, 0);
        if (ofSets != null) {
            ofSets.clear();
        }
        if (from == to) {
            return;
        }
        ClusterTree tree = batch.record(from).nodes.tree();
        ServerSets sets = trained.sets(batch.record(from).nodes.links());
        BidInputs inputs = new BidInputs(tree, trained.settings().hidden(), sets);
        Autograd.record(false, () -> parameters.setValues(trained.weights()));
        int most = Math.max(1, CHUNK_NODES / tree.nodes());
        for (int first = from; first < to; first += most) {
            chunk(batch, first, Math.min(to, first + most), tree, sets, inputs, bids);
        }
        parameters.takeGradients(gradient);
    }

    private void chunk(
            AuctionBatch batch,
            int from,
            int to,
            ClusterTree tree,
            @Nullable ServerSets sets,
            BidInputs inputs,
            BidGradient bids) {
        int count = to - from;
        int hidden = trained.settings().hidden();
        stage(batch, from, count, tree.nodes());
        stageInsides(batch, from, count, tree.servers(), sets);
        try (NDManager scope = parameters.newScope()) {
            Autograd.record(true, () -> {
                NDArray ofServers = sets == null
                        ? null
                        : Tensors.copyOf(insides, new Shape(tree.servers(), count, sets.size()), scope);
                if (ofServers != null && ofSets != null) {
                    ofServers.setRequiresGradient(true);
                }
                NDArray ofNodes = Tensors.copyOf(rows, new Shape(tree.nodes(), count, COLUMNS), scope);
                NDArray embeddings = encoder.encode(ofNodes, ofServers, tree);
                float[] values = embeddings.toFloatArray();
                for (int i = 0; i < count; i++) {
                    EpisodeRecord record = batch.record(from + i);
                    int auction = batch.auction(from + i);
                    int firstBid = record.firstBid[auction];
                    int size = record.bids[auction];
                    inputs.pool(record.servers, firstBid, size, values, i * hidden, count * hidden);
                    bids.add(record, auction, batch.advantage(from + i), inputs);
                    inputs.scatter(record.servers, firstBid, size, slopes, i * hidden, count * hidden, ofSets);
                }
                Autograd.backwardFrom(
                        embeddings, Tensors.copyOf(slopes, new Shape(tree.nodes(), count, hidden), scope));
                if (sets != null && ofServers != null && ofSets != null) {
                    NDArray byInsides = ofServers.getGradient();
                    byInsides.attach(scope);
                    addSlopes(batch, from, count, sets, byInsides.toFloatArray(), ofSets);
                }
            });
        }
    }

    /** Adds the derivatives by the embeddings of free GPUs. */
    private static void addSlopes(
            AuctionBatch batch, int from, int count, ServerSets sets, float[] byInsides, SetSlopes sums) {
        int servers = byInsides.length / count / sets.size();
        for (int server = 0; server < servers; server++) {
            for (int i = 0; i < count; i++) {
                long free = batch.record(from + i).nodes.free(batch.auction(from + i), server);
                sums.add(sets.links(server), free, 1, byInsides, (server * count + i) * sets.size());
            }
        }
    }

    /** Copies the embeddings of free GPUs of a chunk. */
    private void stageInsides(AuctionBatch batch, int from, int count, int servers, @Nullable ServerSets sets) {
        if (sets == null) {
            return;
        }
        int values = servers * count * sets.size();
        insides = insides.length == values ? insides : new float[values];
        for (int i = 0; i < count; i++) {
            NodeRows nodes = batch.record(from + i).nodes;
            for (int server = 0; server < servers; server++) {
                float[] inside = sets.of(server, nodes.free(batch.auction(from + i), server));
                System.arraycopy(inside, 0, insides, (server * count + i) * inside.length, inside.length);
            }
        }
    }

    /** The derivatives by the embeddings of sets of GPUs; null where that level does not learn. */
    @Nullable SetSlopes ofSets() {
        return ofSets;
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
