package org.trainyard.gnn.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A tensor in an {@link OnnxGraph}; every operation adds a node to the graph. Axes may be counted from the end, -1 is
 * the last one.
 */
public final class OnnxValue {
    private final OnnxGraph graph;
    private final String name;

    OnnxValue(OnnxGraph graph, String name) {
        this.graph = graph;
        this.name = name;
    }

    public OnnxGraph graph() {
        return graph;
    }

    String name() {
        return name;
    }

    private OnnxValue node(String operator, Map<String, ?> attributes, OnnxValue... others) {
        List<OnnxValue> arguments = new ArrayList<>(List.of(this));
        arguments.addAll(Arrays.asList(others));
        return graph.node(operator, attributes, arguments);
    }

    public OnnxValue plus(OnnxValue other) {
        return node("Add", Map.of(), other);
    }

    public OnnxValue times(OnnxValue other) {
        return node("Mul", Map.of(), other);
    }

    public OnnxValue times(float factor) {
        return times(graph.constant(factor));
    }

    public OnnxValue over(OnnxValue other) {
        return node("Div", Map.of(), other);
    }

    /** The greater of it and a number, by element. */
    public OnnxValue atLeast(float least) {
        return node("Max", Map.of(), graph.constant(least));
    }

    /** The lesser of it and another, by element. */
    public OnnxValue atMost(OnnxValue other) {
        return node("Min", Map.of(), other);
    }

    public OnnxValue matMul(OnnxValue other) {
        return node("MatMul", Map.of(), other);
    }

    public OnnxValue relu() {
        return node("Relu", Map.of());
    }

    /** Returns the elements of this value where {@code condition} holds, else those of the other. */
    public OnnxValue where(OnnxValue condition, OnnxValue otherwise) {
        return graph.node("Where", Map.of(), List.of(condition, this, otherwise));
    }

    /** Sum along an axis, which is kept. */
    public OnnxValue sum(int axis) {
        return node("ReduceSum", Map.of("keepdims", 1), graph.list(axis));
    }

    /** Mean along an axis, which is kept. */
    public OnnxValue mean(int axis) {
        return node("ReduceMean", Map.of("keepdims", 1), graph.list(axis));
    }

    /** Maximum along an axis, which is kept. */
    public OnnxValue max(int axis) {
        return node("ReduceMax", Map.of("keepdims", 1), graph.list(axis));
    }

    /** Index of the greatest element along an axis, the first among equals; the axis is dropped. */
    public OnnxValue argMax(int axis) {
        return node("ArgMax", Map.of("axis", axis, "keepdims", 0, "select_last_index", 0));
    }

    public OnnxValue logSoftmax(int axis) {
        return node("LogSoftmax", Map.of("axis", axis));
    }

    /** Layer normalisation of the last axis. */
    public OnnxValue layerNorm(OnnxValue scale, OnnxValue shift, float epsilon) {
        return node("LayerNormalization", Map.of("axis", -1, "epsilon", epsilon), scale, shift);
    }

    /** Rows by their numbers along an axis. */
    public OnnxValue gather(OnnxValue numbers, int axis) {
        return node("Gather", Map.of("axis", axis), numbers);
    }

    /** Elements {@code [from, to)} along an axis, where the graph computes both limits as lists of one number. */
    public OnnxValue slice(int axis, OnnxValue from, OnnxValue to) {
        return node("Slice", Map.of(), from, to, graph.list(axis));
    }

    /** Elements from one on along an axis. */
    public OnnxValue from(int axis, OnnxValue first) {
        return slice(axis, first, graph.list(Long.MAX_VALUE));
    }

    /** Concatenates values along an axis. */
    public OnnxValue concat(int axis, OnnxValue... others) {
        return node("Concat", Map.of("axis", axis), others);
    }

    /** The size of an axis, as a list of one number. */
    public OnnxValue size(int axis) {
        return axis == -1 ? node("Shape", Map.of("start", -1)) : node("Shape", Map.of("start", axis, "end", axis + 1));
    }

    /** The sizes of all axes. */
    public OnnxValue shape() {
        return node("Shape", Map.of());
    }

    /** Reshapes; 0 keeps the size of the axis, -1 stands for what is left. */
    public OnnxValue reshape(long... shape) {
        return reshape(graph.list(shape));
    }

    /** Reshapes to a shape that the graph computes. */
    public OnnxValue reshape(OnnxValue shape) {
        return node("Reshape", Map.of(), shape);
    }

    /** Repeats the element until the value has the shape. */
    public OnnxValue expand(OnnxValue shape) {
        return node("Expand", Map.of(), shape);
    }

    /** Adds new axes of size 1 at these places. */
    public OnnxValue unsqueeze(long... axes) {
        return node("Unsqueeze", Map.of(), graph.list(axes));
    }

    /** Removes an axis of size 1. */
    public OnnxValue squeeze(int axis) {
        return node("Squeeze", Map.of(), graph.list(axis));
    }

    /** Exchanges rows and columns; for two axes. */
    public OnnxValue transpose() {
        return node("Transpose", Map.of());
    }

    /**
     * Sums of rows by group, {@code [n, H] -> [groups, H]}.
     *
     * @param groupOf the group of every row, {@code [n]}
     * @param groups number of groups, a list of one number
     */
    public OnnxValue sumsBy(OnnxValue groupOf, OnnxValue groups) {
        OnnxValue zeros = graph.constant(0f).expand(groups.concat(0, size(1)));
        OnnxValue index = groupOf.unsqueeze(1).expand(shape());
        return graph.node("ScatterElements", Map.of("axis", 0, "reduction", "add"), List.of(zeros, index, this));
    }

    /**
     * A matrix that is one at these places, else zero.
     *
     * @param rowOf the row of every place, {@code [n]}
     * @param columnOf its column
     * @param shape rows and columns
     */
    public static OnnxValue incidence(OnnxValue rowOf, OnnxValue columnOf, OnnxValue shape) {
        OnnxGraph graph = rowOf.graph;
        OnnxValue places = rowOf.unsqueeze(1).concat(1, columnOf.unsqueeze(1));
        OnnxValue ones = graph.constant(1f).expand(rowOf.shape());
        return graph.node("ScatterND", Map.of(), List.of(graph.constant(0f).expand(shape), places, ones));
    }
}
