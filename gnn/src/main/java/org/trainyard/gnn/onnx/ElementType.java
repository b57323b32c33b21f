package org.trainyard.gnn.onnx;

import ai.onnx.proto.OnnxMl.TensorProto.DataType;

/** The types of the elements of exported tensors. */
public enum ElementType {
    FLOAT("float32", "F32", 4, DataType.FLOAT),
    LONG("int64", "I64", 8, DataType.INT64),
    BOOL("bool", "BOOL", 1, DataType.BOOL);

    private final String numpy;
    private final String safetensors;
    private final int bytes;
    private final DataType onnx;

    ElementType(String numpy, String safetensors, int bytes, DataType onnx) {
        this.numpy = numpy;
        this.safetensors = safetensors;
        this.bytes = bytes;
        this.onnx = onnx;
    }

    /** The name that NumPy has for it. */
    public String numpy() {
        return numpy;
    }

    /** The name that files of weights have for it. */
    public String safetensors() {
        return safetensors;
    }

    public int bytes() {
        return bytes;
    }

    int number() {
        return onnx.getNumber();
    }
}
