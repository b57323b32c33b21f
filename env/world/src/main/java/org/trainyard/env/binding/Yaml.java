package org.trainyard.env.binding;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A node of YAML or JSON with its position. */
public sealed interface Yaml {
    /** The key that names which of several records a mapping is. */
    String TYPE = "type";

    /** File and line, or the override that contains it. */
    String place();

    /** Text of the value in messages. */
    String describe();

    /** Itself, or what a node of JSON is. */
    default Yaml open() {
        return this;
    }

    /**
     * A node of JSON, which is looked into one level at a time.
     *
     * @param place of the whole; empty for a request, where a path of keys says enough
     */
    record Json(String place, JsonNode node) implements Yaml {
        @Override
        public String describe() {
            return open().describe();
        }

        @Override
        public Yaml open() {
            if (node.isObject()) {
                LinkedHashMap<String, Yaml> entries = new LinkedHashMap<>();
                node.properties().forEach(field -> entries.put(field.getKey(), new Json(place, field.getValue())));
                return new Mapping(place, entries, Map.of());
            } else if (node.isArray()) {
                List<Yaml> items = new ArrayList<>(node.size());
                node.forEach(item -> items.add(new Json(place, item)));
                return new Sequence(place, items);
            }
            Kind kind = node.isNumber() ? Kind.NUMBER : node.isBoolean() ? Kind.BOOLEAN : Kind.TEXT;
            return new Scalar(place, node.asText(), node.isNull() ? Kind.NULL : kind, true);
        }
    }

    /**
     * A single value.
     *
     * @param text as written, without quotes
     * @param kind its type according to YAML
     * @param isTyped whether the kind is certain, as in JSON: a number is no text and a text no number
     */
    record Scalar(String place, String text, Kind kind, boolean isTyped) implements Yaml {
        public Scalar(String place, String text, Kind kind) {
            this(place, text, kind, false);
        }

        @Override
        public String describe() {
            String line = text.lines().findFirst().orElse("");
            return line.length() > 80 ? line.substring(0, 80) + "..." : line;
        }
    }

    /** The type of a scalar according to YAML. */
    enum Kind {
        TEXT,
        NUMBER,
        BOOLEAN,
        NULL
    }

    /** A list. */
    record Sequence(String place, List<Yaml> items) implements Yaml {
        @Override
        public String describe() {
            return "a list";
        }
    }

    /** Keys and values in their order; {@code keyPlaces} has the position of each key. Mutable for overrides. */
    record Mapping(String place, LinkedHashMap<String, Yaml> entries, Map<String, String> keyPlaces) implements Yaml {
        @Override
        public String describe() {
            return "a mapping";
        }

        String placeOf(String key) {
            return keyPlaces.getOrDefault(key, place);
        }

        /**
         * Returns this mapping laid over a base. A key that both have is merged where both values are mappings of one
         * {@code type}; otherwise the own value replaces that of the base.
         */
        public Mapping over(Mapping base) {
            LinkedHashMap<String, Yaml> merged = new LinkedHashMap<>(base.entries);
            Map<String, String> places = new HashMap<>(base.keyPlaces);
            entries.forEach((key, own) -> merged.merge(
                    key,
                    own,
                    (below, above) -> below instanceof Mapping general
                                    && above instanceof Mapping special
                                    && special.refines(general)
                            ? special.over(general)
                            : above));
            places.putAll(keyPlaces);
            return new Mapping(place, merged, places);
        }

        private boolean refines(Mapping base) {
            Yaml own = entries.get(TYPE);
            Yaml general = base.entries.get(TYPE);
            return own == null || (general != null && own.describe().equals(general.describe()));
        }
    }
}
