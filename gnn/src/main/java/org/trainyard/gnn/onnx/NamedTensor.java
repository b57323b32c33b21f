package org.trainyard.gnn.onnx;

import java.util.List;

/**
 * An input or output of a graph.
 *
 * @param shape of each axis its size or, when it varies, its name
 */
public record NamedTensor(String name, ElementType type, List<String> shape) {
    public NamedTensor {
        shape = List.copyOf(shape);
    }
}
