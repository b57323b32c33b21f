package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.norm.LayerNorm;
import org.trainyard.gnn.onnx.OnnxValue;

/** Layer normalisation of the last axis (J. L. Ba, J. R. Kiros, G. E. Hinton: Layer normalization, 2016). */
public final class LayerNormLayer {
    private static final float EPSILON = 1e-5f;

    private final Shape shape;
    private final NDArray scale;
    private final NDArray shift;

    public LayerNormLayer(Parameters parameters, String name, int size) {
        shape = new Shape(size);
        scale = parameters.vector(name + ".scale", size, 1);
        shift = parameters.vector(name + ".shift", size, 0);
    }

    public NDArray apply(NDArray x) {
        return LayerNorm.layerNorm(x, shape, scale, shift, EPSILON).singletonOrThrow();
    }

    /** {@link #apply} as nodes of a graph. */
    public OnnxValue export(OnnxValue x) {
        return x.layerNorm(Tensors.export(scale, x.graph()), Tensors.export(shift, x.graph()), EPSILON);
    }
}
