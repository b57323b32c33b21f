package org.trainyard.agents.heuristic.asrpt;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jgrapht.Graph;
import org.jgrapht.Graphs;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleWeightedGraph;
import org.jspecify.annotations.Nullable;

/**
 * Heavy-edge mapping of the replicas of a job to servers, server by server: the pair of replicas with the heaviest edge
 * goes first, then the replica with the most traffic to those already on the server.
 *
 * <p>The idea is the paper's (see {@link ASrpt}), the details are ours: ties go to the lowest number, and a server with
 * one GPU, or without a remaining edge, gets the replica of the lowest number. A heuristic: a mapping with less traffic
 * may exist. O(replicas squared + edges log edges).
 */
final class HeavyEdge {
    private static final int NONE = -1;

    private final Graph<Integer, DefaultWeightedEdge> graph;
    private final List<DefaultWeightedEdge> heaviestFirst;
    private final BitSet left = new BitSet();
    private final int[] serverOf;
    private final double[] bytesToHere;
    private int nextEdge;

    private HeavyEdge(Graph<Integer, DefaultWeightedEdge> graph) {
        this.graph = graph;
        int replicas = graph.vertexSet().size();
        serverOf = new int[replicas];
        bytesToHere = new double[replicas];
        left.set(0, replicas);
        heaviestFirst = new ArrayList<>(graph.edgeSet());
        heaviestFirst.sort(Comparator.comparingDouble((DefaultWeightedEdge edge) -> -graph.getEdgeWeight(edge))
                .thenComparing(edge -> Math.min(graph.getEdgeSource(edge), graph.getEdgeTarget(edge)))
                .thenComparing(edge -> Math.max(graph.getEdgeSource(edge), graph.getEdgeTarget(edge))));
    }

    /**
     * The server of every replica, as an index into {@code caps}.
     *
     * @param caps GPUs to be used on each server, largest first, for all replicas together
     */
    static int[] map(StagedJob job, int... caps) {
        if (Arrays.stream(caps).sum() < job.gpus()) {
            throw new IllegalArgumentException(
                    "servers with %s GPUs are too few for (%d) replicas".formatted(Arrays.toString(caps), job.gpus()));
        }
        HeavyEdge mapping = new HeavyEdge(JobGraph.of(job).graph());
        for (int server = 0; server < caps.length && !mapping.left.isEmpty(); server++) {
            mapping.fill(server, caps[server]);
        }
        return mapping.serverOf;
    }

    private void fill(int server, int cap) {
        if (cap < 1) {
            return;
        }
        Arrays.fill(bytesToHere, 0);
        DefaultWeightedEdge heaviest = cap >= 2 ? heaviestLeft() : null;
        int taken = 0;
        if (heaviest == null) {
            put(left.nextSetBit(0), server);
            taken++;
        } else {
            put(graph.getEdgeSource(heaviest), server);
            put(graph.getEdgeTarget(heaviest), server);
            taken += 2;
        }
        for (; taken < cap && !left.isEmpty(); taken++) {
            put(closest(), server);
        }
    }

    /** The heaviest edge whose ends are both without a server, or null. */
    private @Nullable DefaultWeightedEdge heaviestLeft() {
        for (; nextEdge < heaviestFirst.size(); nextEdge++) {
            DefaultWeightedEdge edge = heaviestFirst.get(nextEdge);
            if (left.get(graph.getEdgeSource(edge)) && left.get(graph.getEdgeTarget(edge))) {
                return edge;
            }
        }
        return null;
    }

    private int closest() {
        int best = NONE;
        for (int replica = left.nextSetBit(0); replica >= 0; replica = left.nextSetBit(replica + 1)) {
            if (best == NONE || bytesToHere[replica] > bytesToHere[best]) {
                best = replica;
            }
        }
        return best;
    }

    private void put(int replica, int server) {
        serverOf[replica] = server;
        left.clear(replica);
        for (DefaultWeightedEdge edge : graph.edgesOf(replica)) {
            int source = graph.getEdgeSource(edge);
            bytesToHere[source == replica ? graph.getEdgeTarget(edge) : source] += graph.getEdgeWeight(edge);
        }
    }

    /**
     * The communication graph of a job: a vertex for each replica, an edge for each pair that communicates, weighted
     * with the bytes exchanged per iteration.
     *
     * <p>Replicas of neighbouring stages exchange activations and their gradients, {@code 2 d / (k k')} each pair;
     * replicas of one stage form a ring for the all-reduce, {@code 2 (k - 1) / k h} each pair of neighbours, twice that
     * for two replicas. Weights are whole bytes, so that sums and ties are exact.
     */
    static final class JobGraph {
        private final Graph<Integer, DefaultWeightedEdge> graph = new SimpleWeightedGraph<>(DefaultWeightedEdge.class);

        private JobGraph() {}

        /** O(edges): the product of the replicas of neighbouring stages. */
        static JobGraph of(StagedJob job) {
            JobGraph made = new JobGraph();
            int first = 0;
            int before = 0;
            for (int s = 0; s < job.stages().size(); s++) {
                Stage stage = job.stages().get(s);
                for (int i = 0; i < stage.replicas(); i++) {
                    made.graph.addVertex(first + i);
                }
                made.addRing(stage, first);
                if (s > 0) {
                    made.addActivations(job.stages().get(s - 1), before, stage, first);
                }
                before = first;
                first += stage.replicas();
            }
            return made;
        }

        private void addRing(Stage stage, int first) {
            int replicas = stage.replicas();
            if (replicas == 2) {
                add(first, first + 1, 2 * stage.ringBytes());
            } else if (replicas > 2) {
                for (int i = 0; i < replicas; i++) {
                    add(first + i, first + (i + 1) % replicas, stage.ringBytes());
                }
            }
        }

        private void addActivations(Stage from, int firstFrom, Stage to, int firstTo) {
            double bytes = 2 * from.activationBytes() / from.replicas() / to.replicas();
            for (int i = 0; i < from.replicas(); i++) {
                for (int j = 0; j < to.replicas(); j++) {
                    add(firstFrom + i, firstTo + j, bytes);
                }
            }
        }

        private void add(int a, int b, double bytes) {
            Graphs.addEdge(graph, a, b, Math.rint(bytes));
        }

        Graph<Integer, DefaultWeightedEdge> graph() {
            return graph;
        }
    }
}
