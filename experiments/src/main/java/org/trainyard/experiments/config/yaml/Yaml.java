package org.trainyard.experiments.config.yaml;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A piece of YAML that knows where it was written. */
public sealed interface Yaml {
    /** File and line, or the override it came from. */
    String place();

    /** How it is called in a message. */
    String describe();

    /**
     * A single value.
     *
     * @param text as written, without quotes
     * @param kind what YAML takes it for
     */
    record Scalar(String place, String text, Kind kind) implements Yaml {
        @Override
        public String describe() {
            String line = text.lines().findFirst().orElse("");
            return line.length() > 80 ? line.substring(0, 80) + "..." : line;
        }
    }

    /** What YAML takes a scalar for. */
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

    /** Keys and values, in the order written; {@code keyPlaces} says where each key stands. Overrides change it. */
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
