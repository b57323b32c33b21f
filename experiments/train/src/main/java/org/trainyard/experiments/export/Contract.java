package org.trainyard.experiments.export;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.trainyard.env.Column;
import org.trainyard.env.ColumnSchema;
import org.trainyard.gnn.onnx.NamedTensor;
import org.trainyard.gnn.onnx.OnnxGraph;

/**
 * The contract of an exported policy, {@code contract.json}: inputs and outputs with names, types, shapes and meanings,
 * and of every column its unit, its scale and its meaning. Everything is read from the graph and from the columns
 * themselves.
 */
final class Contract {
    /** Version, to be raised when a field keeps its name and changes its meaning, or goes. */
    static final int VERSION = 1;

    private final ExportedBids policy;
    private final OnnxGraph graph;

    Contract(ExportedBids policy, OnnxGraph graph) {
        this.policy = policy;
        this.graph = graph;
    }

    /**
     * The fields of the file.
     *
     * @param facts about the policy, by name
     * @param sha256 of files, by name
     */
    Map<String, Object> json(Map<String, Object> facts, Map<String, String> sha256) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("format", "trainyard-policy");
        json.put("version", VERSION);
        json.put("choices", policy.choices());
        json.put("policy", facts);
        json.put("opset", OnnxGraph.OPSET);
        json.put("ir_version", OnnxGraph.IR_VERSION);
        json.put("sha256", sha256);
        json.put("axes", policy.axes());
        json.put("inputs", graph.inputs().stream().map(this::input).toList());
        json.put("outputs", graph.outputs().stream().map(this::output).toList());
        return json;
    }

    private Map<String, Object> input(NamedTensor tensor) {
        InputMeaning meaning = Objects.requireNonNull(policy.inputs().get(tensor.name()), tensor.name());
        Map<String, Object> json = tensor(tensor, meaning.text());
        ColumnSchema schema = meaning.schema();
        if (schema != null) {
            json.put("schema", schema.hash());
            json.put("columns", columns(meaning.columns()));
        }
        if (!meaning.values().isEmpty()) {
            json.put("values", meaning.values());
        }
        return json;
    }

    private Map<String, Object> output(NamedTensor tensor) {
        return tensor(tensor, Objects.requireNonNull(policy.outputs().get(tensor.name()), tensor.name()));
    }

    private static Map<String, Object> tensor(NamedTensor tensor, String meaning) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", tensor.name());
        json.put("dtype", tensor.type().numpy());
        json.put("shape", tensor.shape().stream().map(Contract::axis).toList());
        json.put("meaning", meaning);
        return json;
    }

    private static Object axis(String axis) {
        return Character.isDigit(axis.charAt(0)) ? Integer.valueOf(axis) : axis;
    }

    private static List<Map<String, Object>> columns(List<Column> columns) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Column column : columns) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("index", column.index());
            row.put("name", column.name());
            row.put("unit", column.meaning().unit());
            row.put("scale", column.meaning().scale());
            row.put("meaning", column.meaning().text());
            rows.add(row);
        }
        return rows;
    }
}
