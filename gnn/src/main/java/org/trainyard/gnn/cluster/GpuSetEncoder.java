package org.trainyard.gnn.cluster;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.List;
import org.trainyard.env.Invalid;
import org.trainyard.gnn.LayerNormLayer;
import org.trainyard.gnn.LinearLayer;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.Tensors;
import org.trainyard.gnn.onnx.OnnxValue;

/**
 * Encodes sets of GPUs of a server from its raw links, the level below {@link ClusterEncoder}: the GPUs of the set are
 * nodes, and every pair has an edge.
 *
 * <p>{@code h_i = relu(A [mean_j e_ij | k / 8] + a)}; in a round {@code h_i' = norm(h_i + relu(S h_i + N mean_j relu(M
 * h_j + E e_ij + e)))}; the embedding is {@code C [mean_i r_i | max_i r_i] + c} with {@code r_i = relu(P h_i + p)}.
 * Means are over the k GPUs of the set, among them i itself, whose link to itself has columns of 0. The first
 * {@link #BELIEFS} values are trained to be what the links allow: the bandwidth of the set as {@link LinkMatrix#scaled}
 * has it, then that of its widest subsets of 2, 3, 4 and 5 GPUs. {@link GpuSetForwardPass} computes the same without
 * tensors.
 *
 * <p>Deviation of the ablation {@link ClusterEncoder.Kind#FLAT}: two layers over the columns of all pairs of the
 * server, those outside of the set 0, and over the membership of every GPU; for at most {@value #FLAT_GPUS} GPUs.
 */
public final class GpuSetEncoder {
    /** First values of an embedding that say what the links of the set allow. */
    public static final int BELIEFS = 5;

    /** GPUs of the widest server that a flat encoder reads. */
    public static final int FLAT_GPUS = 8;

    static final int FLAT_COLUMNS = FLAT_GPUS * FLAT_GPUS * LinkMatrix.COLUMNS + FLAT_GPUS;
    static final int NODE_COLUMNS = LinkMatrix.COLUMNS + 1;
    static final float GPU_SHARE = 1f / 8;

    /**
     * The shape of an encoder.
     *
     * @param hidden size of a GPU's state
     * @param rounds of messages; 0 for a flat encoder
     * @param size of an embedding, at least {@value GpuSetEncoder#BELIEFS}
     */
    public record Settings(ClusterEncoder.Kind kind, int hidden, int rounds, int size) {
        public Settings {
            boolean isFlat = kind == ClusterEncoder.Kind.FLAT;
            if (hidden < 1 || rounds < 0 || size < BELIEFS || (isFlat && rounds > 0)) {
                throw new IllegalArgumentException(
                        "hidden (%d), rounds (%d) or size (%d) are out of range".formatted(hidden, rounds, size));
            }
        }

        boolean isFlat() {
            return kind == ClusterEncoder.Kind.FLAT;
        }

        /** Columns of the input layer. */
        int columns() {
            return isFlat() ? FLAT_COLUMNS : NODE_COLUMNS;
        }

        /** Values that the last layer reads. */
        int pooled() {
            return isFlat() ? hidden : 2 * hidden;
        }

        public int weights() {
            int square = hidden * hidden;
            int round = 3 * square + (LinkMatrix.COLUMNS + 1) * hidden + 2 * hidden;
            return hidden * columns() + hidden + rounds * round + square + hidden + size * pooled() + size;
        }

        /** Initial weights, in the order of {@link GpuSetEncoder#GpuSetEncoder}. */
        public float[] initial(long seed) {
            try (Parameters parameters = new Parameters(seed)) {
                new GpuSetEncoder(parameters, this);
                return parameters.values();
            }
        }
    }

    private final Settings settings;
    private final LinearLayer in;
    private final GpuMessages[] rounds;
    private final LinearLayer read;
    private final LinearLayer out;

    /** Creates the weights. */
    public GpuSetEncoder(Parameters parameters, Settings settings) {
        this.settings = settings;
        in = LinearLayer.of(parameters, "gpu.in", settings.columns(), settings.hidden);
        rounds = new GpuMessages[settings.rounds];
        for (int i = 0; i < rounds.length; i++) {
            rounds[i] = new GpuMessages(parameters, "gpu.round" + i, settings.hidden);
        }
        read = LinearLayer.of(parameters, "gpu.read", settings.hidden, settings.hidden);
        out = LinearLayer.of(parameters, "gpu.out", settings.pooled(), settings.size, 1, 0);
    }

    /** Embeddings of sets, {@code [sets, size]}; the sets must be in ascending order of their sizes. */
    public NDArray encode(List<GpuSet> sets, NDManager scope) {
        if (settings.isFlat()) {
            float[] columns = new float[sets.size() * FLAT_COLUMNS];
            for (int i = 0; i < sets.size(); i++) {
                flatten(sets.get(i).links(), sets.get(i).mask(), columns, i * FLAT_COLUMNS);
            }
            NDArray rows = Tensors.copyOf(columns, new Shape(sets.size(), FLAT_COLUMNS), scope);
            return out.apply(read.applyRelu(in.applyRelu(rows)));
        }
        NDList groups = new NDList();
        for (int from = 0; from < sets.size(); ) {
            int size = sets.get(from).size();
            int to = from;
            while (to < sets.size() && sets.get(to).size() == size) {
                to++;
            }
            Invalid.when(
                    to < sets.size() && sets.get(to).size() < size, "sets must be in ascending order of their sizes");
            groups.add(encode(sets.subList(from, to), size, scope));
            from = to;
        }
        return groups.size() == 1 ? groups.get(0) : NDArrays.concat(groups, 0);
    }

    private NDArray encode(List<GpuSet> sets, int k, NDManager scope) {
        int[] members = new int[Long.SIZE];
        float[] edges = new float[sets.size() * k * k * LinkMatrix.COLUMNS];
        float[] nodes = new float[sets.size() * k * NODE_COLUMNS];
        for (int i = 0; i < sets.size(); i++) {
            GpuSet.members(sets.get(i).mask(), members);
            sets.get(i).links().copy(members, k, edges, i * k * k * LinkMatrix.COLUMNS);
            for (int node = 0; node < k; node++) {
                node(sets.get(i).links(), members, k, node, nodes, (i * k + node) * NODE_COLUMNS);
            }
        }
        NDArray links = Tensors.copyOf(edges, new Shape(sets.size(), k, k, LinkMatrix.COLUMNS), scope);
        NDArray states = in.applyRelu(Tensors.copyOf(nodes, new Shape(sets.size(), k, NODE_COLUMNS), scope));
        for (GpuMessages round : rounds) {
            states = round.apply(states, links);
        }
        NDArray seen = read.applyRelu(states);
        NDArray most = Tensors.max(seen, 1).squeeze(1);
        return out.apply(seen.mean(new int[] {1}).concat(most, -1));
    }

    /** The columns of a GPU in a set. */
    static void node(LinkMatrix links, int[] members, int k, int node, float[] into, int to) {
        for (int c = 0; c < LinkMatrix.COLUMNS; c++) {
            float sum = 0;
            for (int j = 0; j < k; j++) {
                sum += links.value(members[node], members[j], c);
            }
            into[to + c] = sum / k;
        }
        into[to + LinkMatrix.COLUMNS] = k * GPU_SHARE;
    }

    /** The columns of a set as the flat encoder reads them. */
    static void flatten(LinkMatrix links, long mask, float[] into, int to) {
        if (links.gpus() > FLAT_GPUS) {
            throw new IllegalArgumentException(
                    "a flat encoder reads servers of at most (%d) GPUs, not (%d)".formatted(FLAT_GPUS, links.gpus()));
        }
        for (int a = 0; a < links.gpus(); a++) {
            boolean isIn = (mask >>> a & 1) != 0;
            into[to + FLAT_COLUMNS - FLAT_GPUS + a] = isIn ? 1 : 0;
            for (int b = 0; b < links.gpus() && isIn; b++) {
                for (int c = 0; c < LinkMatrix.COLUMNS && (mask >>> b & 1) != 0; c++) {
                    into[to + (a * FLAT_GPUS + b) * LinkMatrix.COLUMNS + c] = links.value(a, b, c);
                }
            }
        }
    }

    /**
     * {@link #encode} as nodes of a graph: embeddings of sets of any sizes, {@code [sets, size]}, 0 for empty ones.
     *
     * @param links of all pairs of each set's server, {@code [sets, n, n, COLUMNS]}; a flat encoder has n = 8
     * @param members one for GPUs of the set, else 0, {@code [sets, n]}
     */
    public OnnxValue export(OnnxValue links, OnnxValue members) {
        OnnxValue count = members.sum(1);
        OnnxValue some = count.atMost(members.graph().constant(1f));
        if (settings.isFlat()) {
            OnnxValue both = members.unsqueeze(1, 3).times(members.unsqueeze(2, 3));
            OnnxValue rows =
                    links.times(both).reshape(0, FLAT_COLUMNS - FLAT_GPUS).concat(1, members);
            OnnxValue seen = read.export(in.export(rows).relu()).relu();
            return out.export(seen).times(some);
        }
        OnnxValue share = members.over(count.atLeast(1));
        OnnxValue shareOfSender = share.unsqueeze(1, 3);
        OnnxValue ofLinks = links.times(shareOfSender).sum(2).squeeze(2);
        OnnxValue ofSize =
                count.times(GPU_SHARE).unsqueeze(2).expand(members.unsqueeze(2).shape());
        OnnxValue states = in.export(ofLinks.concat(2, ofSize)).relu();
        for (GpuMessages round : rounds) {
            states = round.export(states, links, shareOfSender);
        }
        OnnxValue seen = read.export(states).relu();
        OnnxValue mean = seen.times(share.unsqueeze(2)).sum(1).squeeze(1);
        OnnxValue most = seen.times(members.unsqueeze(2)).max(1).squeeze(1);
        return out.export(mean.concat(1, most)).times(some);
    }

    /** A round of messages between the GPUs of a set, over links with columns; see {@link GpuSetEncoder}. */
    private static final class GpuMessages {
        private final LinearLayer message;
        private final LinearLayer link;
        private final LinearLayer self;
        private final LinearLayer neighbours;
        private final LayerNormLayer norm;

        GpuMessages(Parameters parameters, String name, int hidden) {
            message = LinearLayer.withoutBias(parameters, name + ".message", hidden, hidden);
            link = LinearLayer.of(parameters, name + ".link", LinkMatrix.COLUMNS, hidden);
            self = LinearLayer.withoutBias(parameters, name + ".self", hidden, hidden);
            neighbours = LinearLayer.withoutBias(parameters, name + ".heard", hidden, hidden);
            norm = new LayerNormLayer(parameters, name + ".norm", hidden);
        }

        /** The new states of sets of one size, {@code [sets, k, H]}, from those before and the links of pairs. */
        NDArray apply(NDArray states, NDArray links) {
            NDArray sent =
                    Tensors.relu(link.apply(links).add(message.apply(states).expandDims(1)));
            NDArray heard = neighbours.apply(sent.mean(new int[] {2}));
            return norm.apply(states.add(Tensors.relu(self.apply(states).add(heard))));
        }

        /**
         * {@link #apply} as nodes of a graph, for sets of several sizes.
         *
         * @param states {@code [sets, n, H]}
         * @param links {@code [sets, n, n, COLUMNS]}
         * @param share by hearer, the part of a sender's message in the mean, {@code [sets, 1, n, 1]}
         */
        OnnxValue export(OnnxValue states, OnnxValue links, OnnxValue share) {
            OnnxValue sent = link.export(links)
                    .plus(message.export(states).unsqueeze(1))
                    .relu()
                    .times(share);
            OnnxValue heard = neighbours.export(sent.sum(2).squeeze(2));
            return norm.export(states.plus(self.export(states).plus(heard).relu()));
        }
    }
}
