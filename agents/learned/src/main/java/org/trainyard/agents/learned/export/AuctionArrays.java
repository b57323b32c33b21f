package org.trainyard.agents.learned.export;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.BidEncoder;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidServers;
import org.trainyard.env.gym.auction.ClusterGraph;
import org.trainyard.env.gym.auction.NodeColumn;
import org.trainyard.env.topology.ServerInterior;
import org.trainyard.gnn.cluster.GpuSetEncoder;
import org.trainyard.gnn.cluster.LinkMatrix;
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

    /**
     * The sets of GPUs of an auction as inputs of a {@link BidGraph} with a level inside servers: the links of the
     * different interiors, the different sets, and which of them every server has free and every pair of a bid and a
     * server takes and leaves. Set 0 has no GPUs.
     */
    private static final class SetArrays {
        private record Key(int interior, long gpus) {}

        private final Map<ServerInterior, Integer> interiors = new LinkedHashMap<>();
        private final Map<Key, Integer> sets = new LinkedHashMap<>();
        private final ClusterGraph cluster;
        private int width = GpuSetEncoder.FLAT_GPUS;

        SetArrays(ClusterGraph cluster) {
            this.cluster = cluster;
            sets.put(new Key(0, 0), 0);
        }

        /** Adds the inputs of an auction of so many bids. */
        void add(BidServers servers, int bids, List<TensorData> arrays) {
            long[] free = new long[cluster.rackOf().length];
            for (int server = 0; server < free.length; server++) {
                free[server] = number(server, cluster.free(server));
            }
            int pairs = servers.end(bids - 1);
            long[] taken = new long[pairs];
            long[] left = new long[pairs];
            for (int i = 0; i < pairs; i++) {
                taken[i] = number(servers.server(i), servers.taken(i));
                left[i] = number(servers.server(i), servers.left(i));
            }
            addLinks(arrays);
            addSets(arrays);
            arrays.add(TensorData.of(BidGraph.FREE_SET, free, free.length));
            arrays.add(TensorData.of(BidGraph.TAKEN_SET, taken, pairs));
            arrays.add(TensorData.of(BidGraph.LEFT_SET, left, pairs));
        }

        private int number(int server, long gpus) {
            ServerInterior interior = cluster.interior(server);
            Integer known = interiors.get(interior);
            int number = known == null ? interiors.size() : known;
            if (known == null) {
                interiors.put(interior, number);
                width = Math.max(width, interior.gpus());
            }
            return gpus == 0 ? 0 : sets.computeIfAbsent(new Key(number, gpus), unknown -> sets.size());
        }

        private void addLinks(List<TensorData> arrays) {
            int columns = LinkMatrix.COLUMNS;
            float[] links = new float[interiors.size() * width * width * columns];
            int first = 0;
            for (ServerInterior interior : interiors.keySet()) {
                int gpus = interior.gpus();
                float[] values = new LinkMatrix(interior).values();
                for (int gpu = 0; gpu < gpus; gpu++) {
                    System.arraycopy(
                            values, gpu * gpus * columns, links, first + gpu * width * columns, gpus * columns);
                }
                first += width * width * columns;
            }
            arrays.add(TensorData.of(BidGraph.LINKS, links, interiors.size(), width, width, columns));
        }

        private void addSets(List<TensorData> arrays) {
            List<Key> all = new ArrayList<>(sets.keySet());
            long[] interior = new long[all.size()];
            float[] members = new float[all.size() * width];
            for (int i = 0; i < all.size(); i++) {
                interior[i] = all.get(i).interior;
                for (int gpu = 0; gpu < width; gpu++) {
                    members[i * width + gpu] = all.get(i).gpus >>> gpu & 1;
                }
            }
            arrays.add(TensorData.of(BidGraph.SET_INTERIOR, interior, interior.length));
            arrays.add(TensorData.of(BidGraph.SET_GPUS, members, interior.length, width));
        }
    }
}
