package org.trainyard.experiments.config.yaml;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A YAML node with its position. */
public sealed interface Yaml {
    /** The key that names which of several records a mapping is. */
    String TYPE = "type";

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

        /**
         * Its keys laid over those of a base. A key that both have is merged where both values are mappings of one
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
