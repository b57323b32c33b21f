package org.trainyard.env.binding;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;

/** Applies overrides of the form {@code a.b=value} to YAML that was read from a file. */
public final class Overrides {
    private static final String OPTION = "--set ";

    private Overrides() {}

    /** @param type of the configuration, whose {@link OptionalKey optional keys} may be missing from the file */
    public static void apply(Yaml root, List<String> overrides, Class<? extends Record> type) {
        for (String override : overrides) {
            apply(root, override, type);
        }
    }

    private static void apply(Yaml root, String override, Class<?> config) {
        String place = OPTION + override.lines().findFirst().orElse("");
        int equals = override.indexOf('=');
        if (equals < 1) {
            throw new InputException("%s: expected PATH=VALUE, such as seed=7".formatted(place));
        }
        String[] keys = override.substring(0, equals).strip().split("\\.", -1);
        Yaml at = root;
        Class<?> type = config;
        String path = "";
        for (int i = 0; i < keys.length; i++) {
            if (!(at instanceof Yaml.Mapping mapping)) {
                throw new InputException("%s: '%s' is a value and has no key '%s'".formatted(place, path, keys[i]));
            }
            RecordKeys.Key key = keyOf(mapping, type, keys[i]);
            type = key == null ? Object.class : key.component().getType();
            boolean isOptional = key != null && key.optional() != null;
            if (i == keys.length - 1) {
                // Another type may have keys that the type in the file lacks, and a new mapping has none; the binder
                // checks
                // them.
                if (!isOptional
                        && !mapping.entries().containsKey(Yaml.TYPE)
                        && !mapping.place().startsWith(OPTION)) {
                    checkIsThere(mapping, place, path, keys[i]);
                }
                put(mapping, keys[i], YamlReader.readValue(place, valueOf(override, equals)), place);
            } else {
                Yaml value = mapping.entries().get(keys[i]);
                boolean isNothing = value == null ? isOptional : Binder.isNull(value);
                if (isNothing && (type.isRecord() || Variants.has(type))) {
                    put(mapping, keys[i], new Yaml.Mapping(place, new LinkedHashMap<>(), new HashMap<>()), place);
                }
                checkIsThere(mapping, place, path, keys[i]);
                at = Objects.requireNonNull(mapping.entries().get(keys[i]));
                path = Binder.join(path, keys[i]);
            }
        }
    }

    /** The key of that name of the record to which a mapping binds; null when it has none. */
    private static RecordKeys.@Nullable Key keyOf(Yaml.Mapping mapping, Class<?> type, String name) {
        Class<?> record = type.isRecord() || !Variants.has(type) ? type : Binder.variantOf(mapping, type);
        if (record == null || !record.isRecord()) {
            return null;
        }
        for (RecordKeys.Key key : RecordKeys.of(record).all()) {
            RecordKeys.Key found = key.isUnwrapped()
                    ? keyOf(mapping, key.component().getType(), name)
                    : key.name().equals(name) ? key : null;
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static void checkIsThere(Yaml.Mapping mapping, String place, String path, String key) {
        if (!mapping.entries().containsKey(key)) {
            throw Binder.unknown(
                    place, path, key, new TreeSet<>(mapping.entries().keySet()));
        }
    }

    private static void put(Yaml.Mapping mapping, String key, Yaml value, String place) {
        mapping.entries().put(key, value);
        mapping.keyPlaces().put(key, place);
    }

    private static String valueOf(String override, int equals) {
        String value = override.substring(equals + 1);
        // An empty value is empty text rather than an empty document.
        return value.isBlank() ? "''" : value;
    }
}
