package org.trainyard.experiments.config.yaml;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A YAML node with its position. */
public sealed interface Yaml {
    /** File and line, or the override that contains it. */
    String place();

    /** Its text in messages. */
    String describe();

    /**
     * A single value.
     *
     * @param text as written, without quotes
     * @param kind its type according to YAML
     */
    record Scalar(String place, String text, Kind kind) implements Yaml {
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
    }
}
