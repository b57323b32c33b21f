package org.trainyard.experiments.export;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.gnn.onnx.TensorData;

/**
 * Weights in the safetensors format: 8 bytes of header length, a header in JSON with type, shape and place of every
 * tensor, then their elements, little-endian. The header is padded with spaces to a multiple of 8 bytes.
 */
final class SafetensorsFile {
    private static final int ALIGNMENT = 8;

    private SafetensorsFile() {}

    /**
     * Writes tensors.
     *
     * @param facts about them, by name
     */
    static void write(List<TensorData> tensors, Map<String, String> facts, OutputStream out) throws IOException {
        byte[] header = header(tensors, facts);
        out.write(ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(header.length)
                .array());
        out.write(header);
        for (TensorData tensor : tensors) {
            byte[] data = new byte[tensor.data().remaining()];
            tensor.data().get(data);
            out.write(data);
        }
    }

    private static byte[] header(List<TensorData> tensors, Map<String, String> facts) {
        Map<String, Object> header = new LinkedHashMap<>();
        header.put("__metadata__", facts);
        long at = 0;
        for (TensorData tensor : tensors) {
            long end = at + tensor.data().remaining();
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("dtype", tensor.type().safetensors());
            entry.put("shape", tensor.shape());
            entry.put("data_offsets", List.of(at, end));
            header.put(tensor.name(), entry);
            at = end;
        }
        String text = JsonText.compact(JsonText.tree(header));
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        return (text + " ".repeat(-bytes & (ALIGNMENT - 1))).getBytes(StandardCharsets.UTF_8);
    }
}
