package org.trainyard.agents.learned.auction;

import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.agents.learned.bids.BidRows;
import org.trainyard.agents.learned.inside.ServerSets;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.AuctionScorer;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.gym.auction.ClusterGraph;
import org.trainyard.gnn.cluster.ClusterForwardPass;
import org.trainyard.gnn.cluster.ClusterTree;
import org.trainyard.gnn.cluster.LinkMatrix;

/**
 * Scores the bids of the auctions of one run by a policy: its encoder, if it has one, and its network; without tensors.
 */
public final class BidScorer implements AuctionScorer {
    private static final float[] NOTHING = {};

    private final BidNetwork network;
    private final @Nullable ClusterGraph graph;
    private final @Nullable ClusterForwardPass encoder;
    private final BidInputs inputs;
    /** By server, the embedding of its free GPUs. */
    private final IntFunction<float[]> ofFreeGpus;

    private final int hidden;
    private final float[] scratch;
    private final BidRows rows = new BidRows();
    private float[] scores = new float[64];

    /** @param policy its weights must not change during the run */
    public BidScorer(BidPolicy policy, Auctioneer auctioneer) {
        network = policy.network();
        scratch = new float[network.hidden()];
        BidEncoder own = policy.encoder();
        graph = own == null ? null : auctioneer.graph();
        if (own == null || graph == null) {
            encoder = null;
            ofFreeGpus = server -> NOTHING;
            hidden = 0;
            inputs = BidInputs.none();
        } else {
            ClusterTree tree = new ClusterTree(graph.rackOf());
            encoder = new ClusterForwardPass(own.settings(), own.weights(), tree);
            hidden = own.settings().hidden();
            ServerSets sets = own.sets(own.inside() == null ? new LinkMatrix[0] : ServerSets.links(graph));
            ClusterGraph seen = graph;
            ofFreeGpus = sets == null ? server -> NOTHING : server -> sets.of(server, seen.free(server));
            inputs = new BidInputs(tree, hidden, sets);
        }
    }

    /**
     * The scores of all bids of an auction; overwritten by the next.
     *
     * @throws InputException when a score is not finite
     */
    @Override
    public float[] score(Auction auction) {
        if (scores.length < auction.size()) {
            scores = new float[2 * auction.size()];
        }
        if (encoder != null && graph != null) {
            float[] embeddings = encoder.update(graph.rows(), graph.versions(), ofFreeGpus);
            for (int i = 0; i < auction.servers().end(auction.size() - 1); i++) {
                encoder.complete(auction.servers().server(i));
            }
            inputs.pool(auction.servers(), 0, auction.size(), embeddings, 0, hidden);
        }
        network.score(auction, rows, inputs.values(), scores, scratch);
        return scores;
    }

    /** The rows of the bids that were scored last. */
    public BidRows rows() {
        return rows;
    }

    /** The data centre as the policy sees it; null for a policy without encoder. */
    public @Nullable ClusterGraph graph() {
        return graph;
    }
}
