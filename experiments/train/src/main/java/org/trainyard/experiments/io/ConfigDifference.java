package org.trainyard.experiments.io;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.binding.Yaml;
import org.trainyard.env.binding.YamlReader;

/**
 * The first key in which two configurations differ.
 *
 * @param key with those above it, separated by dots
 * @param before value in the first, in a few words
 * @param after value in the second
 */
record ConfigDifference(String key, String before, String after) {
    private static final String ABSENT = "none";

    /** The first difference of two texts of YAML or JSON in the order of their keys; null when they say the same. */
    static @Nullable ConfigDifference first(String before, String after) {
        return first("", YamlReader.read("configuration", before), YamlReader.read("configuration", after));
    }

    @Override
    public String toString() {
        return "%s: %s there, %s here".formatted(key, before, after);
    }

    private static @Nullable ConfigDifference first(String key, @Nullable Yaml before, @Nullable Yaml after) {
        Map<String, Yaml> some = parts(before);
        Map<String, Yaml> others = parts(after);
        if (some.isEmpty() || others.isEmpty()) {
            boolean isEqual = some.isEmpty() && others.isEmpty() && said(before).equals(said(after));
            return isEqual ? null : new ConfigDifference(key, said(before), said(after));
        }
        Set<String> names = new LinkedHashSet<>(some.keySet());
        names.addAll(others.keySet());
        for (String name : names) {
            ConfigDifference first = first(key.isEmpty() ? name : key + "." + name, some.get(name), others.get(name));
            if (first != null) {
                return first;
            }
        }
        return null;
    }

    private static Map<String, Yaml> parts(@Nullable Yaml yaml) {
        if (yaml instanceof Yaml.Mapping mapping) {
            return mapping.entries();
        }
        Map<String, Yaml> items = new LinkedHashMap<>();
        List<Yaml> list = yaml instanceof Yaml.Sequence sequence ? sequence.items() : List.of();
        for (int i = 0; i < list.size(); i++) {
            items.put(Integer.toString(i), list.get(i));
        }
        return items;
    }

    private static String said(@Nullable Yaml yaml) {
        return yaml == null ? ABSENT : yaml.describe();
    }
}
