package org.trainyard.experiments.service.http;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
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
        } else if (plain == String.class) {
            return Map.of("type", "string");
        } else if (plain == boolean.class) {
            return Map.of("type", "boolean");
        } else if (plain == double.class || plain == Double.class) {
            return Map.of("type", "number");
        } else if (plain == Map.class) {
            return Map.of("type", "object");
        }
        return Map.of("type", "integer");
    }

    private void record(Class<?> type) {
        if (schemas.containsKey(type.getSimpleName())) {
            return;
        }
        Map<String, Object> properties = new LinkedHashMap<>();
        schemas.put(type.getSimpleName(), properties);
        List<String> names = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            String name = snakeCase(component.getName());
            Map<String, Object> schema = schema(component.getGenericType());
            boolean isNullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
            properties.put(name, isNullable ? Map.of("anyOf", List.of(schema, Map.of("type", "null"))) : schema);
            names.add(name);
        }
        schemas.put(type.getSimpleName(), Map.of("type", "object", "properties", properties, "required", names));
    }

    static String snakeCase(String name) {
        return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
}
