package org.trainyard.gnn.cluster;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import org.jspecify.annotations.Nullable;
import org.trainyard.gnn.LinearLayer;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.onnx.OnnxValue;

/**
 * Encodes the nodes of whole data centres: an input layer for each kind of node, then rounds of messages from servers
 * to racks to the core and back down.
 *
 * <p>In a round every level hears the one below it, then the one above it: {@code h_v' = norm(h_v + relu(S h_v + N
 * mean_u relu(M h_u)))}, with weights of their own for each of the four directions. One round carries a message from
 * any server to any other. Tensors have the nodes on the first axis, so that levels are contiguous and means over racks
 * are one matrix product. {@link ClusterForwardPass} computes the same without tensors. An optional level below is that
 * of the GPUs of a server: {@link GpuSetEncoder}.
 *
 * <p>Deviation of the ablation {@link Kind#FLAT}: no messages; the core alone gets the mean over all servers.
 */
public final class ClusterEncoder {
    /** Whether there are messages. */
    public enum Kind {
        FLAT,
        HIERARCHICAL
    }

    /**
     * The shape of an encoder.
     *
     * @param inside further columns of a server: the embedding of its free GPUs by {@link GpuSetEncoder}; 0 without
     * @param hidden size of an embedding
     * @param rounds of messages; 0 for a flat encoder
     */
    public record Settings(Kind kind, int columns, int inside, int hidden, int rounds) {
        public Settings {
            if (columns < 1 || inside < 0 || hidden < 1 || rounds < 0 || (kind == Kind.FLAT && rounds > 0)) {
                throw new IllegalArgumentException("columns (%d, %d), hidden (%d) or rounds (%d) are out of range"
                        .formatted(columns, inside, hidden, rounds));
            }
        }

        /** Settings without a level inside servers. */
        public Settings(Kind kind, int columns, int hidden, int rounds) {
            this(kind, columns, 0, hidden, rounds);
        }

        public int weights() {
            int levels = rounds * 4 * (3 * hidden * hidden + 2 * hidden);
            return 3 * (hidden * columns + hidden) + hidden * inside + levels;
        }

        /** Initial weights, in the order of {@link ClusterEncoder#ClusterEncoder}. */
        public float[] initial(long seed) {
            try (Parameters parameters = new Parameters(seed)) {
                new ClusterEncoder(parameters, this);
                return parameters.values();
            }
        }
    }

    private final Settings settings;
    private final LinearLayer serverIn;
    private final LinearLayer rackIn;
    private final LinearLayer coreIn;
    private final LevelMessages[] serverToRack;
    private final LevelMessages[] rackToCore;
    private final LevelMessages[] coreToRack;
    private final LevelMessages[] rackToServer;

    /** Creates the weights. */
    public ClusterEncoder(Parameters parameters, Settings settings) {
        this.settings = settings;
        serverIn = LinearLayer.of(parameters, "server.in", settings.columns + settings.inside, settings.hidden);
        rackIn = LinearLayer.of(parameters, "rack.in", settings.columns, settings.hidden);
        coreIn = LinearLayer.of(parameters, "core.in", settings.columns, settings.hidden);
        serverToRack = new LevelMessages[settings.rounds];
        rackToCore = new LevelMessages[settings.rounds];
        coreToRack = new LevelMessages[settings.rounds];
        rackToServer = new LevelMessages[settings.rounds];
        for (int i = 0; i < settings.rounds; i++) {
            String round = "round" + i;
            serverToRack[i] = new LevelMessages(parameters, round + ".up.rack", settings.hidden);
            rackToCore[i] = new LevelMessages(parameters, round + ".up.core", settings.hidden);
            coreToRack[i] = new LevelMessages(parameters, round + ".down.rack", settings.hidden);
            rackToServer[i] = new LevelMessages(parameters, round + ".down.server", settings.hidden);
        }
    }

    /**
     * Embeddings of all nodes of N data centres, {@code [nodes, N, H]}, that belong to the manager of the rows.
     *
     * @param rows {@code [nodes, N, columns]}
     * @param insides of the servers' free GPUs, {@code [servers, N, inside]}; null without a level inside servers
     */
    public NDArray encode(NDArray rows, @Nullable NDArray insides, ClusterTree tree) {
        NDManager scope = rows.getManager();
        NDList levels = rows.split(new long[] {tree.servers(), tree.servers() + tree.racks()}, 0);
        NDArray ofServers = insides == null ? levels.get(0) : levels.get(0).concat(insides, -1);
        NDArray servers = serverIn.applyRelu(ofServers);
        NDArray racks = rackIn.applyRelu(levels.get(1));
        NDArray core = coreIn.applyRelu(levels.get(2));
        if (settings.kind == Kind.FLAT) {
            core = core.add(servers.mean(new int[] {0}, true));
        }
        NDArray means = tree.means(scope);
        NDArray spread = tree.spread(scope);
        for (int i = 0; i < settings.rounds; i++) {
            NDArray rising = times(means, serverToRack[i].sent(servers));
            racks = serverToRack[i].update(racks, serverToRack[i].heard(rising));
            NDArray atCore = rackToCore[i].sent(racks).mean(new int[] {0}, true);
            core = rackToCore[i].update(core, rackToCore[i].heard(atCore));
            racks = coreToRack[i].update(racks, coreToRack[i].heard(coreToRack[i].sent(core)));
            NDArray falling = rackToServer[i].heard(rackToServer[i].sent(racks));
            servers = rackToServer[i].update(servers, times(spread, falling));
        }
        return NDArrays.concat(new NDList(servers, racks, core), 0);
    }

    /** A matrix over nodes times their states; closes the states. */
    private static NDArray times(NDArray matrix, NDArray states) {
        Shape shape = states.getShape();
        NDArray product = matrix.matMul(states.reshape(shape.get(0), -1)).reshape(-1, shape.get(1), shape.get(2));
        states.close();
        return product;
    }

    /**
     * {@link #encode} for one data centre as nodes of a graph: the embeddings of all nodes, {@code [nodes, H]}. The
     * number of servers and of racks may vary.
     *
     * @param rows {@code [nodes, columns]}
     * @param insides of the servers' free GPUs, {@code [servers, inside]}; null without a level inside servers
     * @param rackOf by server, its rack, {@code [servers]}
     */
    public OnnxValue export(OnnxValue rows, @Nullable OnnxValue insides, OnnxValue rackOf) {
        OnnxValue count = rackOf.size(0);
        OnnxValue last = rows.graph().list(-1);
        OnnxValue ofServers = rows.slice(0, rows.graph().list(0), count);
        OnnxValue servers = serverIn.export(insides == null ? ofServers : ofServers.concat(1, insides))
                .relu();
        OnnxValue racks = rackIn.export(rows.slice(0, count, last)).relu();
        OnnxValue core = coreIn.export(rows.from(0, last)).relu();
        if (settings.kind == Kind.FLAT) {
            core = core.plus(servers.mean(0));
        }
        OnnxValue rackCount = racks.size(0);
        OnnxValue ones =
                rows.graph().constant(1f).expand(count.concat(0, rows.graph().list(1)));
        OnnxValue serversIn = ones.sumsBy(rackOf, rackCount).atLeast(1);
        for (int i = 0; i < settings.rounds; i++) {
            OnnxValue rising = serverToRack[i]
                    .exportSent(servers)
                    .sumsBy(rackOf, rackCount)
                    .over(serversIn);
            racks = serverToRack[i].exportUpdate(racks, serverToRack[i].exportHeard(rising));
            OnnxValue atCore = rackToCore[i].exportSent(racks).mean(0);
            core = rackToCore[i].exportUpdate(core, rackToCore[i].exportHeard(atCore));
            OnnxValue fromCore = coreToRack[i].exportHeard(coreToRack[i].exportSent(core));
            racks = coreToRack[i].exportUpdate(racks, fromCore);
            OnnxValue falling = rackToServer[i].exportHeard(rackToServer[i].exportSent(racks));
            servers = rackToServer[i].exportUpdate(servers, falling.gather(rackOf, 0));
        }
        return servers.concat(0, racks, core);
    }
}
