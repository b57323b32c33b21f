package org.trainyard.gnn;

import org.trainyard.gnn.onnx.ElementType;
import org.trainyard.gnn.onnx.OnnxGraph;
import org.trainyard.gnn.onnx.OnnxValue;

/**
 * {@link FabricGraph} as values of a graph, computed from the parents of the nodes.
 *
 * @param ends S + D, a list of one number, like {@code children}
 * @param children C
 * @param switches switches below the core
 * @param links N x C x LINK
 * @param up N x C x switches, one at the child's parent
 * @param share N x (C + 1) x 1
 * @param exists N x (C + 1) x 1
 */
record FabricValues(
        OnnxValue ends,
        OnnxValue children,
        OnnxValue switches,
        OnnxValue links,
        OnnxValue up,
        OnnxValue share,
        OnnxValue exists) {
    static FabricValues of(SectionValues rows) {
        OnnxGraph graph = rows.links().graph();
        OnnxValue one = graph.list(1);
        OnnxValue zero = graph.list(0);
        OnnxValue ends = rows.servers().size(1).plus(rows.domains().size(1));
        OnnxValue children = rows.parents().size(1);
        OnnxValue switches = children.minus(ends);
        OnnxValue numbers = switches.plus(one).range().plus(one);
        OnnxValue up = rows.parents().unsqueeze(2).equalTo(numbers).cast(ElementType.FLOAT);
        OnnxValue hasParent = up.sum(2);
        OnnxValue below = up.sum(1).transposeEach();
        OnnxValue core = below.from(1, switches);
        OnnxValue exists = hasParent.concat(1, core.times(0).plus(graph.constant(1f)));
        OnnxValue neighbours = hasParent
                .slice(1, zero, ends)
                .concat(1, hasParent.from(1, ends).plus(below.slice(1, zero, switches)), core);
        return new FabricValues(ends, children, switches, rows.links(), up, exists.over(neighbours.atLeast(1)), exists);
    }
}
