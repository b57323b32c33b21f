package org.trainyard.experiments.service.http;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.binding.Bounds;
import org.trainyard.env.binding.RecordKeys;
import org.trainyard.env.binding.Variants;
import org.trainyard.experiments.io.JsonText;

/** The OpenAPI 3.1 document of the service, made from its endpoints and the records that they answer with. */
final class OpenApi {
    private static final Pattern PARAMETER = Pattern.compile("\\{(\\w+)}");

    private final Map<String, Object> schemas = new TreeMap<>();

    private OpenApi() {}

    static String document(List<Endpoint> endpoints) {
        return JsonText.of(new OpenApi().of(endpoints));
    }

    private Map<String, Object> of(List<Endpoint> endpoints) {
        Map<String, Map<String, Object>> paths = new TreeMap<>();
        for (Endpoint one : endpoints) {
            paths.computeIfAbsent(one.path(), path -> new TreeMap<>())
                    .put(one.method().name().toLowerCase(Locale.ROOT), operation(one));
        }
        schema(ErrorAnswer.class);
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("openapi", "3.1.0");
        document.put("info", Map.of("title", "Trainyard placement service", "version", "1"));
        document.put("paths", paths);
        document.put(
                "components",
                Map.of(
                        "schemas",
                        schemas,
                        "securitySchemes",
                        Map.of("token", Map.of("type", "http", "scheme", "bearer"))));
        return document;
    }

    private Map<String, Object> operation(Endpoint one) {
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("summary", one.summary());
        List<Object> parameters = new ArrayList<>();
        Matcher names = PARAMETER.matcher(one.path());
        while (names.find()) {
            parameters.add(
                    Map.of("name", names.group(1), "in", "path", "required", true, "schema", Map.of("type", "string")));
        }
        operation.put("parameters", parameters);
        if (one.body() != null) {
            operation.put(
                    "requestBody",
                    Map.of("required", true, "content", Map.of("application/json", Map.of("schema", one.body()))));
        }
        String type = one.answers() == String.class ? "text/plain" : "application/json";
        Map<String, Object> good =
                Map.of("description", "Done.", "content", Map.of(type, Map.of("schema", schema(one.answers()))));
        Map<String, Object> bad = Map.of(
                "description",
                "Refused.",
                "content",
                Map.of("application/json", Map.of("schema", reference(ErrorAnswer.class))));
        operation.put("responses", Map.of("2XX", good, "4XX", bad));
        return operation;
    }

    private static Map<String, Object> reference(Class<?> type) {
        return Map.of("$ref", "#/components/schemas/" + type.getSimpleName());
    }

    /** The schema of a body, or a part of one, that is bound to a record. */
    static Map<String, Object> request(Class<?> type) {
        for (RecordKeys.Key key : RecordKeys.of(type).all()) {
            Class<?> role = key.component().getType();
            if (key.isUnwrapped() && Variants.has(role)) {
                return Map.of(
                        "oneOf",
                        Variants.of(role).stream()
                                .map(one -> object(type, one, new LinkedHashMap<>()))
                                .toList());
            }
        }
        return object(type, type, new LinkedHashMap<>());
    }

    /** The schema of a body with a list, whose items are bound one after another. */
    static Map<String, Object> listOf(Class<?> type, String list, Class<?> items) {
        return object(type, type, new LinkedHashMap<>(Map.of(list, Map.of("type", "array", "items", request(items)))));
    }

    /**
     * @param variant of the interface whose keys stand beside those of the record
     * @param properties those that the record does not describe
     */
    private static Map<String, Object> object(Class<?> type, Class<?> variant, Map<String, Object> properties) {
        Set<String> required = new LinkedHashSet<>(properties.keySet());
        describe(type, variant, properties, required);
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put("required", required);
        schema.put("additionalProperties", false);
        return schema;
    }

    private static void describe(
            Class<?> type, Class<?> variant, Map<String, Object> properties, Set<String> required) {
        for (RecordKeys.Key key : RecordKeys.of(type).all()) {
            if (key.isUnwrapped()) {
                String name = Variants.name(key.component().getType(), variant);
                properties.put("type", Map.of("type", "string", "enum", List.of(name)));
                required.add("type");
                describe(variant, variant, properties, required);
                continue;
            }
            properties.computeIfAbsent(key.name(), name -> value(key.type(), key.bounds()));
            if (key.optional() == null) {
                required.add(key.name());
            }
        }
    }

    private static Map<String, Object> value(Type type, @Nullable Bounds bounds) {
        if (type instanceof ParameterizedType list) {
            Map<String, Object> schema = new LinkedHashMap<>();
            schema.put("type", "array");
            schema.put("items", value(list.getActualTypeArguments()[0], null));
            if (bounds != null) {
                schema.put("maxItems", bounds.most());
            }
            return schema;
        }
        Class<?> plain = (Class<?>) type;
        if (plain.isRecord()) {
            return request(plain);
        }
        Map<String, Object> schema = new LinkedHashMap<>(scalar(plain));
        if (bounds != null) {
            schema.put(plain == String.class ? "minLength" : "minimum", bounds.least());
            if (bounds.most() < Long.MAX_VALUE) {
                schema.put(plain == String.class ? "maxLength" : "maximum", bounds.most());
            }
        }
        return schema;
    }

    private Map<String, Object> schema(Type type) {
        if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
            return Map.of("type", "array", "items", schema(list.getActualTypeArguments()[0]));
        }
        Class<?> plain = (Class<?>) type;
        if (plain.isArray()) {
            return Map.of("type", "array", "items", schema(plain.getComponentType()));
        } else if (plain.isRecord()) {
            record(plain);
            return reference(plain);
        }
        return scalar(plain);
    }

    private static Map<String, Object> scalar(Class<?> type) {
        if (type == String.class) {
            return Map.of("type", "string");
        } else if (type == boolean.class) {
            return Map.of("type", "boolean");
        } else if (type == double.class || type == Double.class) {
            return Map.of("type", "number");
        }
        return Map.of("type", type == Map.class ? "object" : "integer");
    }

    private void record(Class<?> type) {
        if (schemas.containsKey(type.getSimpleName())) {
            return;
        }
        Map<String, Object> properties = new LinkedHashMap<>();
        schemas.put(type.getSimpleName(), properties);
        List<String> names = new ArrayList<>();
        for (RecordKeys.Key key : RecordKeys.of(type).all()) {
            Map<String, Object> schema = schema(key.type());
            properties.put(
                    key.name(), key.isNullable() ? Map.of("anyOf", List.of(schema, Map.of("type", "null"))) : schema);
            names.add(key.name());
        }
        schemas.put(type.getSimpleName(), Map.of("type", "object", "properties", properties, "required", names));
    }
}
