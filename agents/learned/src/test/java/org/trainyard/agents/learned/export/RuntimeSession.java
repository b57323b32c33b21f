package org.trainyard.agents.learned.export;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.gnn.onnx.ElementType;
import org.trainyard.gnn.onnx.OnnxGraph;
import org.trainyard.gnn.onnx.TensorData;

/** A graph in ONNX Runtime, on one thread. */
public final class RuntimeSession implements AutoCloseable {
    private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
    private final OrtSession session;

    public RuntimeSession(OnnxGraph graph) throws OrtException {
        OrtSession.SessionOptions options = new OrtSession.SessionOptions();
        options.setIntraOpNumThreads(1);
        session = environment.createSession(graph.model(Map.of()), options);
    }

    /** The outputs by name, as Java arrays. */
    public Map<String, Object> run(List<TensorData> inputs) throws OrtException {
        Map<String, OnnxTensor> tensors = new LinkedHashMap<>();
        for (TensorData input : inputs) {
            long[] shape = input.shape().stream().mapToLong(Long::longValue).toArray();
            ByteBuffer direct =
                    ByteBuffer.allocateDirect(input.data().remaining()).order(ByteOrder.nativeOrder());
            direct.put(input.data()).flip();
            tensors.put(input.name(), OnnxTensor.createTensor(environment, direct, shape, javaType(input.type())));
        }
        try (OrtSession.Result result = session.run(tensors)) {
            Map<String, Object> outputs = new LinkedHashMap<>();
            for (Map.Entry<String, ai.onnxruntime.OnnxValue> output : result) {
                outputs.put(output.getKey(), output.getValue().getValue());
            }
            return outputs;
        } finally {
            tensors.values().forEach(OnnxTensor::close);
        }
    }

    private static OnnxJavaType javaType(ElementType type) {
        return switch (type) {
            case FLOAT -> OnnxJavaType.FLOAT;
            case LONG -> OnnxJavaType.INT64;
            case BOOL -> OnnxJavaType.BOOL;
        };
    }

    @Override
    public void close() throws OrtException {
        session.close();
    }
}
