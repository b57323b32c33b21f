package org.trainyard.agents.learned.export;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.env.gym.auction.BidServers;
import org.trainyard.env.gym.auction.ClusterGraph;
import org.trainyard.env.topology.ServerInterior;
import org.trainyard.gnn.cluster.GpuSetEncoder;
import org.trainyard.gnn.cluster.LinkMatrix;
import org.trainyard.gnn.onnx.TensorData;

/**
 * The sets of GPUs of an auction as inputs of a {@link BidGraph} with a level inside servers: the links of the
 * different
 * interiors, the different sets, and which of them every server has free and every pair of a bid and a server takes and
 * leaves. Set 0 has no GPUs.
 */
final class SetArrays {
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
                System.arraycopy(values, gpu * gpus * columns, links, first + gpu * width * columns, gpus * columns);
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
