package org.trainyard.experiments.export;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.agents.learned.export.Choice;
import org.trainyard.gnn.onnx.ElementType;
import org.trainyard.gnn.onnx.TensorData;

/**
 * A recorded decision as JSON, {@code observation.json}: of every input type, shape and elements, and the outcome
 * in Java.
 */
final class ObservationJson {
    private final RecordedDecision decision;
    private final ExportedPolicy policy;

    ObservationJson(RecordedDecision decision, ExportedPolicy policy) {
        this.decision = decision;
        this.policy = policy;
    }

    /** The fields of the file. */
    Map<String, Object> json() {
        Map<String, Object> inputs = new LinkedHashMap<>();
        for (TensorData input : decision.inputs()) {
            Map<String, Object> tensor = new LinkedHashMap<>();
            tensor.put("dtype", input.type().numpy());
            tensor.put("shape", input.shape());
            tensor.put("data", elements(input));
            inputs.put(input.name(), tensor);
        }
        List<Object> values = new ArrayList<>();
        for (int choice = 0; choice < decision.choices(); choice++) {
            values.add(decision.score(choice));
        }
        Map<String, Object> expected = new LinkedHashMap<>();
        expected.put(policy.comparedOutput(), values);
        expected.put(Choice.BEST, decision.best());
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("inputs", inputs);
        json.put("expected", expected);
        return json;
    }

    private static List<Object> elements(TensorData tensor) {
        ByteBuffer data = tensor.data();
        List<Object> elements = new ArrayList<>();
        while (data.hasRemaining()) {
            elements.add(element(tensor.type(), data));
        }
        return elements;
    }

    private static Object element(ElementType type, ByteBuffer data) {
        return switch (type) {
            case FLOAT -> data.getFloat();
            case LONG -> data.getLong();
            case BOOL -> data.get() != 0;
        };
    }
}
