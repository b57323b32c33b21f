package org.trainyard.agents.learned.export;

import java.util.Arrays;
import org.trainyard.agents.learned.policy.LinearPolicy;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.gnn.onnx.ElementType;
import org.trainyard.gnn.onnx.OnnxGraph;
import org.trainyard.gnn.onnx.OnnxValue;

/**
 * A {@link LinearPolicy} as an ONNX graph over the sections of observation rows that it reads: jobs, candidates and mask. The numbers of rows,
 * servers, jobs and domains may vary.
 *
 * <p>It adds in double precision and in the order of {@link LinearPolicy}, so that scores are equal to the last bit and ties stay ties.
 */
public final class RuleGraph {
    private final OnnxGraph graph = new OnnxGraph("rule");
    private final double[] weights;

    private RuleGraph(LinearPolicy rule) {
        weights = rule.weights();
    }

    /**
     * The graph of a rule.
     *
     * @param preemption whether its actions include preemption
     */
    public static OnnxGraph of(LinearPolicy rule, boolean preemption) {
        return new RuleGraph(rule).write(preemption);
    }

    private OnnxGraph write(boolean preemption) {
        OnnxValue candidates =
                RowGraph.input(graph, RowGraph.CANDIDATES, ObservationSpace.CANDIDATE, RowGraph.ROWS, RowGraph.SERVERS);
        OnnxValue jobs = RowGraph.input(graph, RowGraph.JOBS, ObservationSpace.JOB, RowGraph.ROWS, RowGraph.JOBS);
        OnnxValue mask = graph.input(RowGraph.MASK, ElementType.BOOL, RowGraph.ROWS, RowGraph.ACTIONS);
        OnnxValue window = jobs.size(1);
        OnnxValue selects = preemption ? window.plus(window) : window;
        OnnxValue others = selects.plus(candidates.size(1)).plus(graph.list(2));
        OnnxValue domains = mask.size(1).minus(others).over(graph.list(2));
        OnnxValue rows = mask.size(0);
        OnnxValue one = graph.list(1);
        OnnxValue lastResort = graph.constant(LinearPolicy.LAST_RESORT);
        OnnxValue home = constant(graph.constant(0.0), rows, one)
                .concat(
                        1,
                        sums(jobs, "slot", LinearPolicy.SLOT, ObservationSpace.JOB)
                                .plus(bias("slot", LinearPolicy.SLOT - 1)),
                        sums(candidates, "server", LinearPolicy.SERVER, ObservationSpace.CANDIDATE),
                        constant(lastResort, rows, one),
                        constant(lastResort, rows, domains),
                        constant(bias("borrow", LinearPolicy.BORROW), rows, domains));
        OnnxValue scores = preemption
                ? home.concat(
                        1,
                        sums(jobs, "displace", LinearPolicy.DISPLACE, ObservationSpace.JOB)
                                .plus(bias("displace", LinearPolicy.DISPLACE - 1)))
                : home;
        OnnxValue best =
                scores.where(mask, graph.constant(2.0 * Choice.ILLEGAL)).argMax(-1);
        Choice.write(scores.cast(ElementType.FLOAT), mask, best, RowGraph.ROWS, RowGraph.ACTIONS);
        return graph;
    }

    private OnnxValue bias(String name, int index) {
        return graph.weights(name + ".bias", new double[] {weights[index]});
    }

    private static OnnxValue constant(OnnxValue value, OnnxValue rows, OnnxValue count) {
        return value.expand(rows.concat(0, count));
    }

    /** Weighted sums of the columns, added one by one, {@code [rows, items]}. */
    private OnnxValue sums(OnnxValue items, String name, int from, int count) {
        OnnxValue weight = graph.weights(name + ".weight", Arrays.copyOfRange(weights, from, from + count), count);
        return items.cast(ElementType.DOUBLE)
                .times(weight)
                .cumulativeSum(2)
                .slice(2, count - 1L, count)
                .squeeze(2);
    }
}
