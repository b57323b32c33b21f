package org.trainyard.experiments.export;

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
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.trainyard.gnn.onnx.ElementType;
import org.trainyard.gnn.onnx.TensorData;

/** A policy file that is open in ONNX Runtime, on one thread. */
final class PolicySession implements AutoCloseable {
    private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
    private final OrtSession session;

    PolicySession(byte[] model) {
        try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
            options.setIntraOpNumThreads(1);
            options.setInterOpNumThreads(1);
            session = environment.createSession(model, options);
        } catch (OrtException e) {
            throw new IllegalStateException("ONNX Runtime refuses the exported policy: " + e.getMessage(), e);
        }
    }

    /** The outputs of one decision. */
    static final class Outputs {
        private final Map<String, float[]> floats = new LinkedHashMap<>();
        private final Map<String, Long> numbers = new LinkedHashMap<>();

        float[] floats(String name) {
            return required(floats.get(name), name);
        }

        long number(String name) {
            return required(numbers.get(name), name);
        }

        private static <T> T required(@Nullable T value, String name) {
            if (value == null) {
                throw new IllegalArgumentException("no output (%s)".formatted(name));
            }
            return value;
        }
    }

    /** The version of ONNX Runtime. */
    static String version() {
        return OrtEnvironment.getEnvironment().getVersion();
    }

    /** Computes the outputs. */
    Outputs run(List<TensorData> inputs) {
        Map<String, OnnxTensor> tensors = new LinkedHashMap<>();
        try {
            for (TensorData input : inputs) {
                tensors.put(input.name(), tensor(input));
            }
            try (OrtSession.Result result = session.run(tensors)) {
                return outputs(result);
            }
        } catch (OrtException e) {
            throw new IllegalStateException("ONNX Runtime cannot run the exported policy: " + e.getMessage(), e);
        } finally {
            tensors.values().forEach(OnnxTensor::close);
        }
    }

    private OnnxTensor tensor(TensorData input) throws OrtException {
        // From outside the heap, because ONNX Runtime 1.29 cannot copy buffers of bytes.
        ByteBuffer direct = ByteBuffer.allocateDirect(input.data().remaining()).order(ByteOrder.nativeOrder());
        direct.put(input.data()).flip();
        long[] shape = input.shape().stream().mapToLong(Long::longValue).toArray();
        return OnnxTensor.createTensor(environment, direct, shape, javaType(input.type()));
    }

    private static OnnxJavaType javaType(ElementType type) {
        return switch (type) {
            case FLOAT -> OnnxJavaType.FLOAT;
            case LONG -> OnnxJavaType.INT64;
            case BOOL -> OnnxJavaType.BOOL;
        };
    }

    private Outputs outputs(OrtSession.Result result) {
        Outputs outputs = new Outputs();
        for (String name : session.getOutputNames()) {
            Optional<ai.onnxruntime.OnnxValue> value = result.get(name);
            if (value.orElse(null) instanceof OnnxTensor tensor) {
                if (tensor.getInfo().type == OnnxJavaType.FLOAT) {
                    float[] floats = new float[tensor.getFloatBuffer().remaining()];
                    tensor.getFloatBuffer().get(floats);
                    outputs.floats.put(name, floats);
                } else {
                    outputs.numbers.put(name, tensor.getLongBuffer().get(0));
                }
            }
        }
        return outputs;
    }

    @Override
    public void close() {
        try {
            session.close();
        } catch (OrtException e) {
            throw new IllegalStateException("ONNX Runtime cannot close the exported policy: " + e.getMessage(), e);
        }
    }
}
