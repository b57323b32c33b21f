package org.trainyard.agents.learned.export;

import org.trainyard.agents.learned.auction.BidEncoder;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.NodeColumn;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.cluster.ClusterEncoder;
import org.trainyard.gnn.onnx.ElementType;
import org.trainyard.gnn.onnx.OnnxGraph;
import org.trainyard.gnn.onnx.OnnxValue;

/**
 * A {@link BidPolicy} as an ONNX graph over the bids of one auction: encoder, pooling, network and mask. The
 * numbers of bids, servers and racks may vary.
 *
 * <p>Inputs are {@value #COLUMNS}, {@value #KIND} and {@value #MASK} of the bids; with an encoder also the rows of
 * all nodes, {@value #NODES}, and {@value #RACK_OF} of every server, and the servers of the bids as pairs
 * {@value #BID_OF}, {@value #SERVER_OF}.
 */
public final class BidGraph {
    public static final String COLUMNS = "columns";
    public static final String KIND = "kind";
    public static final String MASK = "mask";
    public static final String NODES = "nodes";
    public static final String RACK_OF = "rack_of";
    public static final String BID_OF = "bid_of";
    public static final String SERVER_OF = "server_of";

    private static final String BIDS = "bids";
    private static final String PAIRS = "pairs";

    private BidGraph() {}

    /** The graph of a policy. */
    public static OnnxGraph of(BidPolicy policy) {
        OnnxGraph graph = new OnnxGraph("bid_policy");
        OnnxValue columns = graph.input(COLUMNS, ElementType.FLOAT, BIDS, Integer.toString(BidColumn.COUNT));
        OnnxValue kind = graph.input(KIND, ElementType.LONG, BIDS);
        OnnxValue mask = graph.input(MASK, ElementType.BOOL, BIDS);
        BidEncoder encoder = policy.encoder();
        OnnxValue rows = encoder == null ? columns : columns.concat(1, further(encoder, columns.size(0)));
        OnnxValue scores = new BidNetworkGraph(policy.network()).scores(rows, kind);
        Choice.write(scores, mask, Choice.legal(scores, mask).argMax(-1), BIDS);
        return graph;
    }

    private static OnnxValue further(BidEncoder encoder, OnnxValue bids) {
        OnnxGraph graph = bids.graph();
        OnnxValue nodes = graph.input(NODES, ElementType.FLOAT, "nodes", Integer.toString(NodeColumn.COUNT));
        OnnxValue rackOf = graph.input(RACK_OF, ElementType.LONG, "servers");
        OnnxValue bidOf = graph.input(BID_OF, ElementType.LONG, PAIRS);
        OnnxValue serverOf = graph.input(SERVER_OF, ElementType.LONG, PAIRS);
        try (Parameters parameters = new Parameters(0)) {
            ClusterEncoder layers = new ClusterEncoder(parameters, encoder.settings());
            parameters.setValues(encoder.weights());
            OnnxValue embeddings = layers.export(nodes, null, rackOf);
            return pooled(embeddings, rackOf, bidOf, serverOf, bids);
        }
    }

    /**
     * The further inputs of the bids, as {@code BidInputs} pools them: mean over servers, mean over racks, and the
     * core.
     */
    private static OnnxValue pooled(
            OnnxValue embeddings, OnnxValue rackOf, OnnxValue bidOf, OnnxValue serverOf, OnnxValue bids) {
        OnnxGraph graph = bids.graph();
        OnnxValue one = graph.list(1);
        OnnxValue servers = rackOf.size(0);
        OnnxValue racks = embeddings.slice(0, servers, graph.list(-1));
        OnnxValue ones = graph.constant(1f).expand(bidOf.size(0).concat(0, one));
        OnnxValue count = ones.sumsBy(bidOf, bids).atLeast(1);
        OnnxValue overServers =
                embeddings.gather(serverOf, 0).sumsBy(bidOf, bids).over(count);
        OnnxValue hasRack = OnnxValue.incidence(bidOf, rackOf.gather(serverOf, 0), bids.concat(0, racks.size(0)));
        OnnxValue overRacks = hasRack.matMul(racks).over(hasRack.sum(1).atLeast(1));
        OnnxValue core = embeddings.from(0, graph.list(-1)).expand(bids.concat(0, one));
        return overServers.concat(1, overRacks, core);
    }
}
