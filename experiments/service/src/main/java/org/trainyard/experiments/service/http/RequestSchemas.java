package org.trainyard.experiments.service.http;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON schemas of the bodies that the service reads. */
final class RequestSchemas {
    private static final Map<String, Object> WHOLE = Map.of("type", "integer", "format", "int64", "minimum", 0);
    private static final Map<String, Object> NUMBER = Map.of("type", "number", "minimum", 0);
    private static final Map<String, Object> TEXT = Map.of("type", "string", "minLength", 1, "maxLength", 200);
    private static final Map<String, Object> FLAG = Map.of("type", "boolean");
    private static final Map<String, Object> VERSION = Map.of("type", "integer", "enum", List.of(1));

    static final Map<String, Object> TOPOLOGY = Map.of(
            "type",
            "object",
            "description",
            "The keys of a file in experiments/clusters, in JSON or YAML of at most 1 MiB, of the types Tree,"
                    + " LeafSpine, FatTree and Graph; or the name of a preset alone: small, medium or large.");
    static final Map<String, Object> QUESTION =
            object(fields("version", VERSION, "cluster", TEXT, "now_nanos", WHOLE), List.of("cluster", "now_nanos"));
    static final Map<String, Object> WHEN = object(
            fields(
                    "gpus",
                    Map.of("type", "integer", "minimum", 1),
                    "limit_seconds",
                    Map.of("type", "number", "minimum", 1, "maximum", 100_000_000),
                    "user",
                    TEXT,
                    "group",
                    TEXT),
            List.of("gpus"));
    static final Map<String, Object> EVENTS =
            object(fields("version", VERSION, "events", Map.of("type", "array", "items", event())), List.of("events"));

    private RequestSchemas() {}

    /** Fields of an event, by its type; those that every event has are not repeated. */
    static Map<String, Map<String, Object>> eventFields() {
        Map<String, Object> job = fields("job", TEXT);
        Map<String, Object> placed = fields(
                "job",
                TEXT,
                "placement",
                Map.of(
                        "type",
                        "array",
                        "items",
                        object(
                                fields("server", TEXT, "gpus", Map.of("type", "array", "items", WHOLE)),
                                List.of("server", "gpus"))));
        Map<String, Object> server = fields("server", TEXT, "gpu", WHOLE);
        Map<String, Map<String, Object>> types = new LinkedHashMap<>();
        types.put(
                "arrival",
                fields(
                        "job",
                        TEXT,
                        "gpus",
                        WHOLE,
                        "model",
                        TEXT,
                        "user",
                        TEXT,
                        "group",
                        TEXT,
                        "virtual_cluster",
                        TEXT,
                        "predicted_run_seconds",
                        NUMBER,
                        "min_gpus",
                        WHOLE,
                        "max_gpus",
                        WHOLE,
                        "gpu_milli",
                        WHOLE,
                        "cpu_milli",
                        WHOLE,
                        "memory_mib",
                        WHOLE,
                        "one_server",
                        FLAG,
                        "gpu_types",
                        Map.of("type", "array", "items", TEXT)));
        types.put("started", placed);
        types.put("resized", placed);
        types.put("forwarded", fields("job", TEXT, "domain", WHOLE));
        types.put("preempted", job);
        types.put("requeued", job);
        types.put("progress", fields("job", TEXT, "iterations", NUMBER));
        types.put("ended", fields("job", TEXT, "iterations", NUMBER));
        types.put("cancelled", job);
        types.put("node_down", server);
        types.put("node_up", server);
        return types;
    }

    private static Map<String, Object> event() {
        return Map.of(
                "oneOf",
                eventFields().entrySet().stream()
                        .map(type -> one(type.getKey(), type.getValue()))
                        .toList());
    }

    private static Map<String, Object> one(String type, Map<String, Object> own) {
        Map<String, Object> all = fields(
                "sequence",
                Map.of("type", "integer", "minimum", 1),
                "time_nanos",
                WHOLE,
                "type",
                Map.of("type", "string", "enum", List.of(type)));
        all.putAll(own);
        return object(all, List.of("sequence", "time_nanos", "type", own.containsKey("job") ? "job" : "server"));
    }

    private static Map<String, Object> fields(Object... namesAndSchemas) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndSchemas.length; i += 2) {
            fields.put((String) namesAndSchemas[i], namesAndSchemas[i + 1]);
        }
        return fields;
    }

    private static Map<String, Object> object(Map<String, Object> properties, List<String> required) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put("required", required);
        schema.put("additionalProperties", false);
        return schema;
    }
}
