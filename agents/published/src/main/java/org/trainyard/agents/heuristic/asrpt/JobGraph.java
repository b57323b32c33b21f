package org.trainyard.agents.heuristic.asrpt;

import org.jgrapht.Graph;
import org.jgrapht.Graphs;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleWeightedGraph;

/**
 * The communication graph of a job: a vertex for each replica, an edge for each pair that communicates, weighted
 * with the bytes exchanged per iteration.
 *
 * <p>Replicas of neighbouring stages exchange activations and their gradients, {@code 2 d / (k k')} each pair;
 * replicas of one stage form a ring for the all-reduce, {@code 2 (k - 1) / k h} each pair of neighbours, twice that
 * for two replicas. Weights are whole bytes, so that sums and ties are exact.
 */
final class JobGraph {
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
