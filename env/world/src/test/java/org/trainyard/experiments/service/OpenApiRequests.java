package org.trainyard.experiments.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;

/**
 * Requests that the OpenAPI document of a service describes, with values drawn from the schemas and some that are none
 * of them.
 */
final class OpenApiRequests {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final List<String> SEGMENTS = List.of(
            "tiny",
            "tiny",
            "tiny",
            "new",
            "nobody",
            "UPPER",
            "%2e%2e",
            "%u0041",
            "%",
            "%00",
            "a%2fb",
            "..;",
            "%C3%28",
            "x".repeat(300));
    /** Texts with a meaning elsewhere: names of files, of servers, of clusters, and of classes. */
    private static final List<String> TEXTS = List.of(
            "tiny",
            "server 0",
            "j1",
            "x",
            "V100",
            "small",
            "/etc/passwd",
            "file:///etc/passwd",
            "experiments/clusters/small.yaml",
            "../../x.csv.gz",
            "<script>alert(1)</script>",
            "${jndi:ldap://localhost/x}",
            "a\nERROR forged: line",
            "\u0000",
            "\u202e€😀",
            "");

    private static final long[] WHOLE = {-1, 0, 1, 2, 3, 4, 8, 1_000_000_000_000L, Integer.MAX_VALUE, Long.MAX_VALUE};

    /** A request; a body is null for none. */
    record Request(String method, String path, String body) {}

    private final List<String> paths = new ArrayList<>();
    private final JsonNode document;

    OpenApiRequests(JsonNode document) {
        this.document = document;
        document.get("paths").fieldNames().forEachRemaining(paths::add);
    }

    /** Any request of the document; nothing is removed that a test needs. */
    Request draw(RandomGenerator random) {
        String path = pick(paths, random);
        JsonNode operations = document.get("paths").get(path);
        List<String> methods = new ArrayList<>();
        operations.fieldNames().forEachRemaining(methods::add);
        String method = pick(methods, random);
        String segment = pick(SEGMENTS, random);
        String id = method.equals("delete") && segment.equals("tiny") ? "nobody" : segment;
        JsonNode schema = operations.get(method).at("/requestBody/content/application~1json/schema");
        return new Request(
                method.toUpperCase(Locale.ROOT),
                path.replaceAll("\\{\\w+}", id),
                schema.isMissingNode() ? "" : value(schema, random, 0).toString());
    }

    /**
     * Every request of the document, the pods and nodes of Kubernetes included, with this text in each field that takes
     * a text.
     */
    List<Request> with(String text) {
        List<Request> all = new ArrayList<>();
        String json = JSON.textNode(text).toString();
        String segment = URLEncoder.encode(text, StandardCharsets.UTF_8);
        for (String path : paths) {
            document.get("paths").get(path).properties().forEach(operation -> {
                String method = operation.getKey().toUpperCase(Locale.ROOT);
                JsonNode schema = operation.getValue().at("/requestBody/content/application~1json/schema");
                List<String> bodies = new ArrayList<>(List.of(""));
                if (path.startsWith("/k8s/")) {
                    bodies.add(
                            "{\"Pod\": {\"metadata\": {\"labels\": {\"trainyard.org/job\": @, \"trainyard.org/cluster\": @}}}, \"NodeNames\": [@]}"
                                    .replace("@", json));
                    bodies.add(
                            "{\"Pod\": null, \"Nodes\": {\"items\": [{\"metadata\": {\"name\": @, \"labels\": {\"trainyard.org/server\": @}}}]}}"
                                    .replace("@", json));
                } else if (!schema.isMissingNode()) {
                    full(schema, text).forEach(body -> bodies.add(body.toString()));
                    bodies.add("{\"name\": %s}".formatted(json));
                    bodies.add("{\"type\": \"NodeList\", \"name\": \"x\", \"file\": %s}".formatted(json));
                }
                for (String body : bodies) {
                    all.add(new Request(method, path.replaceAll("\\{\\w+}", "tiny"), body));
                    all.add(new Request(method, path.replaceAll("\\{\\w+}", Matcher.quoteReplacement(segment)), body));
                }
            });
        }
        return all;
    }

    /** A value of a schema with all fields, for each of its alternatives. */
    private List<JsonNode> full(JsonNode schema, String text) {
        List<JsonNode> values = new ArrayList<>();
        if (schema.has("oneOf")) {
            schema.get("oneOf").forEach(one -> values.addAll(full(one, text)));
        } else if (schema.has("enum")) {
            values.add(schema.get("enum").get(0));
        } else if (schema.path("type").asText().equals("array")) {
            full(schema.path("items"), text)
                    .forEach(item -> values.add(JSON.arrayNode().add(item)));
        } else if (schema.has("properties")) {
            List<ObjectNode> objects = new ArrayList<>(List.of(JSON.objectNode()));
            schema.get("properties").properties().forEach(property -> {
                List<JsonNode> alternatives = full(property.getValue(), text);
                List<ObjectNode> more = new ArrayList<>();
                objects.forEach(object ->
                        alternatives.forEach(value -> more.add(object.deepCopy().set(property.getKey(), value))));
                objects.clear();
                objects.addAll(more);
            });
            values.addAll(objects);
        } else {
            values.add(
                    switch (schema.path("type").asText()) {
                        case "string" -> JSON.textNode(text);
                        case "boolean" -> JSON.booleanNode(true);
                        default -> JSON.numberNode(1);
                    });
        }
        return values;
    }

    private static <T> T pick(List<T> values, RandomGenerator random) {
        return values.get(random.nextInt(values.size()));
    }

    private JsonNode value(JsonNode schema, RandomGenerator random, int depth) {
        if (random.nextInt(12) == 0) {
            return odd(random);
        }
        if (schema.has("$ref")) {
            return value(document.at(schema.get("$ref").asText().substring(1)), random, depth);
        }
        for (String several : List.of("oneOf", "anyOf")) {
            if (schema.has(several)) {
                JsonNode all = schema.get(several);
                return value(all.get(random.nextInt(all.size())), random, depth);
            }
        }
        if (schema.has("enum")) {
            return schema.get("enum").get(random.nextInt(schema.get("enum").size()));
        }
        return switch (schema.path("type").asText("object")) {
            case "integer" -> JSON.numberNode(WHOLE[random.nextInt(WHOLE.length)]);
            case "number" -> JSON.numberNode(random.nextDouble(-1, 1e6));
            case "boolean" -> JSON.booleanNode(random.nextBoolean());
            case "string" -> JSON.textNode(pick(TEXTS, random));
            case "array" -> array(schema, random, depth);
            default -> object(schema, random, depth);
        };
    }

    private ArrayNode array(JsonNode schema, RandomGenerator random, int depth) {
        ArrayNode array = JSON.arrayNode();
        for (int i = random.nextInt(4); i > 0; i--) {
            array.add(value(schema.path("items"), random, depth + 1));
        }
        return array;
    }

    private ObjectNode object(JsonNode schema, RandomGenerator random, int depth) {
        ObjectNode object = JSON.objectNode();
        JsonNode properties = schema.path("properties");
        properties.fieldNames().forEachRemaining(name -> {
            if (random.nextInt(5) > 0) {
                object.set(name, value(properties.get(name), random, depth + 1));
            }
        });
        if (random.nextInt(10) == 0 || (properties.isEmpty() && depth < 3)) {
            object.set(pick(TEXTS, random), odd(random));
        }
        return object;
    }

    private static JsonNode odd(RandomGenerator random) {
        return switch (random.nextInt(7)) {
            case 0 -> JSON.nullNode();
            case 1 -> JSON.textNode(pick(TEXTS, random));
            case 2 -> JSON.numberNode(-random.nextLong(1L << 40));
            case 3 -> JSON.numberNode(1e300);
            case 4 -> JSON.arrayNode().add(JSON.objectNode());
            case 5 -> JSON.objectNode().put("name", pick(TEXTS, random));
            default -> JSON.textNode("x".repeat(random.nextInt(3_000)));
        };
    }
}
