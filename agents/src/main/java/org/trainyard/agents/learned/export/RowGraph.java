package org.trainyard.agents.learned.export;

import java.util.Arrays;
import java.util.List;
import org.trainyard.agents.learned.policy.PolicyNetwork;
import org.trainyard.env.gym.action.ActionSpace;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.gnn.SectionValues;
import org.trainyard.gnn.onnx.ElementType;
import org.trainyard.gnn.onnx.OnnxGraph;
import org.trainyard.gnn.onnx.OnnxValue;

/**
 * A {@link PolicyNetwork} as an ONNX graph over observation rows: encoder, actor and mask. Inputs are the sections of {@link ObservationSpace}; the
 * numbers of rows, servers, sockets, jobs, domains and uplinks may vary.
 */
public final class RowGraph {
    public static final String GPUS = "gpus";
    public static final String SERVERS = "servers";
    public static final String CANDIDATES = "candidates";
    public static final String JOBS = "jobs";
    public static final String FOCUS = "focus";
    public static final String DOMAINS = "domains";
    public static final String LINKS = "links";
    public static final String PARENTS = "parents";
    public static final String GLOBAL = "global";
    public static final String MASK = "mask";

    static final String ROWS = "rows";
    static final String ACTIONS = "actions";

    private static final List<ActionSpace.Kind> KINDS = List.of(ActionSpace.Kind.values());

    private RowGraph() {}

    static OnnxValue input(OnnxGraph graph, String name, int columns, String... axes) {
        String[] shape = Arrays.copyOf(axes, axes.length + 1);
        shape[axes.length] = Integer.toString(columns);
        return graph.input(name, ElementType.FLOAT, shape);
    }

    /** The graph of a network; its best action is the likeliest of the likeliest kind, as in Java. */
    public static OnnxGraph of(PolicyNetwork network) {
        OnnxGraph graph = new OnnxGraph("row_policy");
        SectionValues sections = new SectionValues(
                input(graph, GPUS, ObservationSpace.GPU, ROWS, SERVERS, "sockets", "gpus_per_socket"),
                input(graph, SERVERS, ObservationSpace.SERVER, ROWS, SERVERS),
                input(graph, CANDIDATES, ObservationSpace.CANDIDATE, ROWS, SERVERS),
                input(graph, JOBS, ObservationSpace.JOB, ROWS, JOBS),
                input(graph, FOCUS, ObservationSpace.JOB, ROWS).unsqueeze(1),
                input(graph, DOMAINS, ObservationSpace.DOMAIN, ROWS, DOMAINS),
                input(graph, LINKS, ObservationSpace.LINK, ROWS, "uplinks"),
                graph.input(PARENTS, ElementType.LONG, ROWS, "uplinks"),
                input(graph, GLOBAL, ObservationSpace.GLOBAL, ROWS).unsqueeze(1));
        OnnxValue mask = graph.input(MASK, ElementType.BOOL, ROWS, ACTIONS);
        OnnxValue scores = network.exportScores(sections).slice(1, graph.list(0), mask.size(1));
        OnnxValue kinds = kinds(
                sections.jobs().size(1),
                sections.servers().size(1),
                sections.domains().size(1));
        OnnxValue best = likeliestOfLikeliestKind(scores, mask, kinds.slice(0, graph.list(0), mask.size(1)));
        Choice.write(scores, mask, best, ROWS, ACTIONS);
        return graph;
    }

    /** The {@link ActionSpace.Kind} of every action of a space with preemption, {@code [actions]}. */
    private static OnnxValue kinds(OnnxValue window, OnnxValue servers, OnnxValue domains) {
        OnnxGraph graph = window.graph();
        OnnxValue one = graph.list(1);
        return kind(ActionSpace.Kind.WAIT, one)
                .concat(
                        0,
                        kind(ActionSpace.Kind.SELECT, window),
                        kind(ActionSpace.Kind.PLACE, servers),
                        kind(ActionSpace.Kind.HOLD, one),
                        kind(ActionSpace.Kind.FORWARD, domains),
                        kind(ActionSpace.Kind.PLACE, domains),
                        kind(ActionSpace.Kind.SELECT, window));
    }

    private static OnnxValue kind(ActionSpace.Kind kind, OnnxValue count) {
        return count.graph().constant((long) KINDS.indexOf(kind)).expand(count);
    }

    /** {@code ActionSampler.likeliestOfLikeliestKind} as nodes of a graph. */
    private static OnnxValue likeliestOfLikeliestKind(OnnxValue scores, OnnxValue mask, OnnxValue kinds) {
        OnnxGraph graph = scores.graph();
        OnnxValue logs = Choice.legal(scores, mask).logSoftmax(-1);
        OnnxValue all = graph.list(KINDS.size()).range();
        OnnxValue isOfKind = kinds.unsqueeze(1).equalTo(all).cast(ElementType.DOUBLE);
        OnnxValue kind = logs.cast(ElementType.DOUBLE).exp().matMul(isOfKind).argMax(-1);
        OnnxValue isOfBest = kinds.unsqueeze(0).equalTo(kind.unsqueeze(1));
        return logs.where(isOfBest, graph.constant(2 * Choice.ILLEGAL)).argMax(-1);
    }
}
