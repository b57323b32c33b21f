package org.trainyard.agents.learned.export;

import org.trainyard.agents.learned.auction.BidEncoder;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.agents.learned.inside.IntraNodeEncoder;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.env.gym.auction.NodeColumn;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.cluster.ClusterEncoder;
import org.trainyard.gnn.cluster.GpuSetEncoder;
import org.trainyard.gnn.cluster.LinkMatrix;
import org.trainyard.gnn.onnx.ElementType;
import org.trainyard.gnn.onnx.OnnxGraph;
import org.trainyard.gnn.onnx.OnnxValue;

/**
 * A {@link BidPolicy} as an ONNX graph over the bids of one auction: encoder, pooling, network and mask. The numbers of
 * bids, servers and racks may vary.
 *
 * <p>Inputs are {@value #COLUMNS}, {@value #KIND} and {@value #MASK} of the bids; with an encoder also the rows of all
 * nodes, {@value #NODES}, and {@value #RACK_OF} of every server, and the servers of the bids as pairs {@value #BID_OF},
 * {@value #SERVER_OF}; with a level inside servers also the {@value #LINKS} of the different interiors, the different
 * sets of GPUs ({@value #SET_INTERIOR}, {@value #SET_GPUS}) and their numbers by server and by pair.
 */
public final class BidGraph {
    public static final String COLUMNS = "columns";
    public static final String KIND = "kind";
    public static final String MASK = "mask";
    public static final String NODES = "nodes";
    public static final String RACK_OF = "rack_of";
    public static final String BID_OF = "bid_of";
    public static final String SERVER_OF = "server_of";

    public static final String LINKS = "links";
    public static final String SET_INTERIOR = "set_interior";
    public static final String SET_GPUS = "set_gpus";
    public static final String FREE_SET = "free_set";
    public static final String TAKEN_SET = "taken_set";
    public static final String LEFT_SET = "left_set";

    private static final String BIDS = "bids";
    private static final String PAIRS = "pairs";
    private static final String GPUS = "gpus";

    private BidGraph() {}

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
        IntraNodeEncoder inside = encoder.inside();
        OnnxValue sets = inside == null ? null : sets(inside, graph);
        try (Parameters parameters = new Parameters(0)) {
            ClusterEncoder layers = encoder.layers(parameters);
            parameters.setValues(encoder.weights());
            OnnxValue ofFree = sets == null ? null : sets.gather(graph.input(FREE_SET, ElementType.LONG, "servers"), 0);
            OnnxValue embeddings = layers.export(nodes, ofFree, rackOf);
            OnnxValue ofNodes = pooled(embeddings, rackOf, bidOf, serverOf, bids);
            return sets == null ? ofNodes : ofNodes.concat(1, pooledSets(sets, bidOf, bids));
        }
    }

    /** The embeddings of the different sets of GPUs. */
    private static OnnxValue sets(IntraNodeEncoder inside, OnnxGraph graph) {
        String columns = Integer.toString(LinkMatrix.COLUMNS);
        OnnxValue links = graph.input(LINKS, ElementType.FLOAT, "interiors", GPUS, GPUS, columns);
        OnnxValue interior = graph.input(SET_INTERIOR, ElementType.LONG, "sets");
        OnnxValue members = graph.input(SET_GPUS, ElementType.FLOAT, "sets", GPUS);
        try (Parameters parameters = new Parameters(0)) {
            GpuSetEncoder layers = inside.layers(parameters);
            parameters.setValues(inside.weights());
            return layers.export(links.gather(interior, 0), members);
        }
    }

    /** By bid, the means of the embeddings of the sets that it takes and that it leaves on its servers. */
    private static OnnxValue pooledSets(OnnxValue sets, OnnxValue bidOf, OnnxValue bids) {
        OnnxGraph graph = bids.graph();
        OnnxValue taken = sets.gather(graph.input(TAKEN_SET, ElementType.LONG, PAIRS), 0);
        OnnxValue left = sets.gather(graph.input(LEFT_SET, ElementType.LONG, PAIRS), 0);
        OnnxValue ones = graph.constant(1f).expand(bidOf.size(0).concat(0, graph.list(1)));
        OnnxValue count = ones.sumsBy(bidOf, bids).atLeast(1);
        return taken.concat(1, left).sumsBy(bidOf, bids).over(count);
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

    /**
     * A {@link BidNetwork} as nodes of a graph. Every bid takes the weights of its kind and is one product of a row and
     * a matrix, so that equal bids have equal scores, wherever they stand.
     */
    private static final class BidNetworkGraph {
        private final int hidden;
        private final int width;
        private final float[] bias;
        private final float[] linear;
        private final float[] hiddenBias;
        private final float[] hiddenWeight;
        private final float[] out;

        /** Splits the weights, which lie kind by kind in the order of this constructor. */
        BidNetworkGraph(BidNetwork network) {
            hidden = network.hidden();
            width = BidColumn.COUNT + network.inputs();
            bias = new float[BidKind.COUNT];
            linear = new float[BidKind.COUNT * width];
            hiddenBias = new float[BidKind.COUNT * hidden];
            hiddenWeight = new float[BidKind.COUNT * width * hidden];
            out = new float[BidKind.COUNT * hidden];
            int at = 0;
            for (int kind = 0; kind < BidKind.COUNT; kind++) {
                for (float[] part : new float[][] {bias, linear, hiddenBias, hiddenWeight, out}) {
                    int size = part.length / BidKind.COUNT;
                    System.arraycopy(network.weights(), at, part, kind * size, size);
                    at += size;
                }
            }
            if (at != network.weights().length) {
                throw new IllegalStateException(
                        "the network has (%d) weights, not (%d)".formatted(network.weights().length, at));
            }
        }

        /**
         * The scores of bids, {@code [bids]}.
         *
         * @param rows columns and further inputs, {@code [bids, width]}
         * @param kind of every bid, {@code [bids]}
         */
        OnnxValue scores(OnnxValue rows, OnnxValue kind) {
            OnnxGraph graph = rows.graph();
            OnnxValue row = rows.unsqueeze(1);
            OnnxValue units = row.matMul(graph.weights("bids.hidden.weight", hiddenWeight, BidKind.COUNT, width, hidden)
                            .gather(kind, 0))
                    .plus(graph.weights("bids.hidden.bias", hiddenBias, BidKind.COUNT, 1, hidden)
                            .gather(kind, 0))
                    .relu();
            OnnxValue ofUnits = units.matMul(graph.weights("bids.out.weight", out, BidKind.COUNT, hidden, 1)
                    .gather(kind, 0));
            OnnxValue ofColumns = row.matMul(graph.weights("bids.linear.weight", linear, BidKind.COUNT, width, 1)
                    .gather(kind, 0));
            return ofColumns
                    .plus(graph.weights("bids.bias", bias, BidKind.COUNT, 1, 1).gather(kind, 0))
                    .plus(ofUnits)
                    .reshape(-1);
        }
    }
}
