package org.trainyard.gnn.cluster;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.trainyard.env.topology.ServerInterior;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.Tensors;
import org.trainyard.gnn.onnx.ElementType;
import org.trainyard.gnn.onnx.OnnxGraph;
import org.trainyard.gnn.onnx.OnnxValue;
import org.trainyard.gnn.onnx.TensorData;

/**
 * The small cluster of {@code src/test/python/cluster.py}: five servers of two interiors, one of them without free
 * GPUs, in two racks, with both levels of the encoder; its results by tensors, arrays and as a graph.
 */
final class TwoLevels {
    static final int COLUMNS = 5;
    static final int SIZE = 7;
    private static final int HIDDEN = 6;
    private static final int GPUS = 8;
    private static final int[] RACK_OF = {0, 0, 1, 1, 1};
    private static final long[] FREE = {0b111, 0b100000, 0b10011001, 0b11111111, 0};

    private final GpuSetEncoder.Settings gpus;
    private final ClusterEncoder.Settings cluster =
            new ClusterEncoder.Settings(ClusterEncoder.Kind.HIERARCHICAL, COLUMNS, SIZE, HIDDEN, 2);
    private final ClusterTree tree = new ClusterTree(RACK_OF);
    private final float[] gpuWeights;
    private final float[] clusterWeights = numbers(cluster.weights(), 4, 0.5);
    private final float[] rows = numbers(tree.nodes() * COLUMNS, 5, 1);
    private final List<LinkMatrix> interiors = List.of(links(1), links(2));

    TwoLevels(ClusterEncoder.Kind kind) {
        gpus = new GpuSetEncoder.Settings(kind, HIDDEN, kind == ClusterEncoder.Kind.FLAT ? 0 : 2, SIZE);
        gpuWeights = numbers(gpus.weights(), 3, 0.5);
    }

    /** Embeddings of the servers' free GPUs and of all nodes, and the gradients by all weights where there are any. */
    static final class Results {
        final float[] insides;
        final float[] nodes;
        final float[] gpuGradient;
        final float[] clusterGradient;

        Results(float[] insides, float[] nodes, float[] gpuGradient, float[] clusterGradient) {
            this.insides = insides;
            this.nodes = nodes;
            this.gpuGradient = gpuGradient;
            this.clusterGradient = clusterGradient;
        }
    }

    /** By tensors, with the gradients of the sum of all results, each times a number. */
    Results byTensors() {
        List<GpuSet> sets = new ArrayList<>();
        // In the order of the servers 1, 0, 2 and 3, which is that of their sizes.
        for (int server : new int[] {1, 0, 2, 3}) {
            sets.add(new GpuSet(interiors.get(server % 2), FREE[server]));
        }
        try (Parameters ofGpus = new Parameters(0);
                Parameters ofCluster = new Parameters(0);
                NDManager scope = ofGpus.newScope()) {
            GpuSetEncoder first = new GpuSetEncoder(ofGpus, gpus);
            ClusterEncoder second = new ClusterEncoder(ofCluster, cluster);
            ofGpus.setValues(gpuWeights);
            ofCluster.setValues(clusterWeights);
            try (GradientCollector collector = Engine.getInstance().newGradientCollector()) {
                NDList found = first.encode(sets, scope).split(new long[] {1, 2}, 0);
                NDArray none = Tensors.copyOf(new float[SIZE], new Shape(1, SIZE), scope);
                NDArray insides = NDArrays.concat(new NDList(found.get(1), found.get(0), found.get(2), none), 0);
                NDArray ofRows = Tensors.copyOf(rows, new Shape(tree.nodes(), 1, COLUMNS), scope);
                NDArray nodes = second.encode(ofRows, insides.expandDims(1), tree);
                collector.backward(weighted(nodes, 6, scope).add(weighted(insides, 7, scope)));
                float[] gpuGradient = new float[gpuWeights.length];
                float[] clusterGradient = new float[clusterWeights.length];
                Results results =
                        new Results(insides.toFloatArray(), nodes.toFloatArray(), gpuGradient, clusterGradient);
                ofGpus.takeGradients(gpuGradient);
                ofCluster.takeGradients(clusterGradient);
                return results;
            }
        }
    }

    private static NDArray weighted(NDArray values, int stream, NDManager scope) {
        int count = Math.toIntExact(values.size());
        return values.flatten()
                .mul(Tensors.copyOf(numbers(count, stream, 1), new Shape(count), scope))
                .sum();
    }

    /** By plain arrays; the second pass changes one server alone. */
    Results byArrays() {
        GpuSetTable table = new GpuSetTable(gpus, gpuWeights);
        int[] interior = new int[RACK_OF.length];
        float[] insides = new float[RACK_OF.length * SIZE];
        for (int server = 0; server < RACK_OF.length; server++) {
            interior[server] = table.number(interiors.get(server % 2));
            System.arraycopy(table.embedding(interior[server], FREE[server]), 0, insides, server * SIZE, SIZE);
        }
        ClusterForwardPass pass = new ClusterForwardPass(cluster, clusterWeights, tree);
        int[] versions = new int[tree.nodes()];
        Arrays.fill(versions, 1);
        pass.update(rows, versions, server -> table.embedding(interior[server], server == 2 ? 1 : FREE[server]));
        IntStream.range(0, tree.servers()).forEach(pass::complete);
        versions[2]++;
        float[] nodes = pass.update(rows, versions, server -> table.embedding(interior[server], FREE[server]));
        IntStream.range(0, tree.servers()).forEach(pass::complete);
        return new Results(insides, nodes.clone(), new float[0], new float[0]);
    }

    /** Both levels as one graph with the outputs {@code insides} and {@code nodes}. */
    OnnxGraph graph() {
        OnnxGraph graph = new OnnxGraph("two_levels");
        OnnxValue links = graph.input("links", ElementType.FLOAT, "servers", "8", "8", "3");
        OnnxValue members = graph.input("members", ElementType.FLOAT, "servers", "8");
        OnnxValue ofNodes = graph.input("rows", ElementType.FLOAT, "nodes", Integer.toString(COLUMNS));
        OnnxValue rackOf = graph.input("rack_of", ElementType.LONG, "servers");
        try (Parameters ofGpus = new Parameters(0);
                Parameters ofCluster = new Parameters(0)) {
            GpuSetEncoder first = new GpuSetEncoder(ofGpus, gpus);
            ClusterEncoder second = new ClusterEncoder(ofCluster, cluster);
            ofGpus.setValues(gpuWeights);
            ofCluster.setValues(clusterWeights);
            OnnxValue insides = first.export(links, members);
            graph.output("insides", insides, ElementType.FLOAT, "servers", Integer.toString(SIZE));
            OnnxValue nodes = second.export(ofNodes, insides, rackOf);
            graph.output("nodes", nodes, ElementType.FLOAT, "nodes", Integer.toString(HIDDEN));
        }
        return graph;
    }

    /** The inputs of {@link #graph}. */
    List<TensorData> inputs() {
        int servers = RACK_OF.length;
        float[] links = new float[servers * GPUS * GPUS * LinkMatrix.COLUMNS];
        float[] members = new float[servers * GPUS];
        long[] rackOf = new long[servers];
        for (int server = 0; server < servers; server++) {
            float[] values = interiors.get(server % 2).values();
            System.arraycopy(values, 0, links, server * values.length, values.length);
            for (int gpu = 0; gpu < GPUS; gpu++) {
                members[server * GPUS + gpu] = FREE[server] >>> gpu & 1;
            }
            rackOf[server] = RACK_OF[server];
        }
        return List.of(
                TensorData.of("links", links, servers, GPUS, GPUS, LinkMatrix.COLUMNS),
                TensorData.of("members", members, servers, GPUS),
                TensorData.of("rows", rows, tree.nodes(), COLUMNS),
                TensorData.of("rack_of", rackOf, servers));
    }

    /** Numbers within +-scale, as the Python program has them. */
    private static float[] numbers(int count, int stream, double scale) {
        float[] values = new float[count];
        for (long i = 0; i < count; i++) {
            long mixed = (i * 2654435761L + stream * 40503L + 12345) % 4294967296L * 2246822519L;
            values[(int) i] = (float) ((Long.remainderUnsigned(mixed, 4294967296L) / 4294967296.0 - 0.5) * 2 * scale);
        }
        return values;
    }

    /** Links of 25, 50 or 75 GB/s between a part of the pairs, and PCIe with switches of two and sockets of four. */
    private static LinkMatrix links(int stream) {
        float[] raw = numbers(GPUS * GPUS, stream, 1);
        List<ServerInterior.NvLink> links = new ArrayList<>();
        for (int a = 0; a < GPUS; a++) {
            for (int b = a + 1; b < GPUS; b++) {
                double bandwidth = Math.floor(raw[a * GPUS + b] * 4) * 25;
                if (bandwidth > 0) {
                    links.add(new ServerInterior.NvLink(a, b, bandwidth));
                }
            }
        }
        return new LinkMatrix(ServerInterior.of(
                "drawn",
                new ServerInterior.Board(GPUS, 4, 2, 0),
                new ServerInterior.Pcie(20, 15, 10),
                links.toArray(ServerInterior.NvLink[]::new)));
    }
}
