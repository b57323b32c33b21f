package org.trainyard.agents.learned.export;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.BidEncoder;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidServers;
import org.trainyard.env.gym.auction.ClusterGraph;
import org.trainyard.env.gym.auction.NodeColumn;
import org.trainyard.gnn.onnx.TensorData;

/** An auction as the inputs of a {@link BidGraph}. */
public final class AuctionArrays {
    private AuctionArrays() {}

    /**
     * The inputs, in the order in which the graph declares them.
     *
     * @param encoder of the policy, null without
     * @param cluster the data centre, null for a policy without encoder
     * @param mayWait whether the first bid, to wait, is legal
     */
    public static List<TensorData> of(
            Auction auction, @Nullable BidEncoder encoder, @Nullable ClusterGraph cluster, boolean mayWait) {
        int bids = auction.size();
        long[] kinds = new long[bids];
        boolean[] mask = new boolean[bids];
        for (int bid = 0; bid < bids; bid++) {
            kinds[bid] = auction.kind(bid).index();
            mask[bid] = bid > 0 || mayWait;
        }
        List<TensorData> arrays = new ArrayList<>();
        arrays.add(TensorData.of(BidGraph.COLUMNS, auction.columns(), bids, BidColumn.COUNT));
        arrays.add(TensorData.of(BidGraph.KIND, kinds, bids));
        arrays.add(TensorData.of(BidGraph.MASK, mask, bids));
        if (cluster != null) {
            addCluster(cluster, arrays);
            addPairs(auction.servers(), bids, arrays);
            if (encoder != null && encoder.inside() != null) {
                new SetArrays(cluster).add(auction.servers(), bids, arrays);
            }
        }
        return arrays;
    }

    private static void addCluster(ClusterGraph cluster, List<TensorData> arrays) {
        int[] racks = cluster.rackOf();
        long[] rackOf = new long[racks.length];
        for (int server = 0; server < racks.length; server++) {
            rackOf[server] = racks[server];
        }
        arrays.add(TensorData.of(BidGraph.NODES, cluster.rows(), cluster.nodes(), NodeColumn.COUNT));
        arrays.add(TensorData.of(BidGraph.RACK_OF, rackOf, rackOf.length));
    }

    private static void addPairs(BidServers servers, int bids, List<TensorData> arrays) {
        int pairs = servers.end(bids - 1);
        long[] bidOf = new long[pairs];
        long[] serverOf = new long[pairs];
        for (int bid = 0; bid < bids; bid++) {
            for (int i = servers.first(bid); i < servers.end(bid); i++) {
                bidOf[i] = bid;
                serverOf[i] = servers.server(i);
            }
        }
        arrays.add(TensorData.of(BidGraph.BID_OF, bidOf, pairs));
        arrays.add(TensorData.of(BidGraph.SERVER_OF, serverOf, pairs));
    }
}
