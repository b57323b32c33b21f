package org.trainyard.experiments.config;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.trainyard.env.FormerKey;
import org.trainyard.env.InputException;
import org.trainyard.env.binding.Binder;
import org.trainyard.env.binding.RecordKeys;
import org.trainyard.env.binding.Variants;
import org.trainyard.env.binding.Yaml;

/**
 * Puts the keys of a configuration in the place of their {@link FormerKey former} ones, with one warning for each. It
 * goes before files are laid over their bases, so that either may have the former key.
 */
public final class FormerKeys {
    private static final Logger LOG = LoggerFactory.getLogger(FormerKeys.class);
    private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

    private FormerKeys() {}

    /** Binds YAML that may have former keys. */
    public static <T> T bind(Yaml yaml, Class<T> type) {
        rename(yaml, type);
        return Binder.bind(yaml, type);
    }

    /** Renames the keys of YAML that binds to a type. */
    static void rename(Yaml yaml, Type type) {
        if (type instanceof ParameterizedType list && yaml instanceof Yaml.Sequence sequence) {
            sequence.items().forEach(item -> rename(item, list.getActualTypeArguments()[0]));
        } else if (type instanceof Class<?> bound && yaml instanceof Yaml.Mapping mapping) {
            renameType(mapping, bound);
            for (RecordComponent component : components(bound)) {
                String key = RecordKeys.snake(component.getName());
                String former = former(component.getAnnotation(FormerKey.class));
                if (former != null && mapping.entries().containsKey(former)) {
                    rename(mapping, former, key);
                }
                Yaml value = mapping.entries().get(key);
                if (value != null) {
                    rename(value, component.getGenericType());
                }
            }
        }
    }

    private static void renameType(Yaml.Mapping mapping, Class<?> role) {
        if (mapping.entries().get(Yaml.TYPE) instanceof Yaml.Scalar named) {
            for (Class<?> variant : records(role)) {
                if (named.text().equals(former(variant.getAnnotation(FormerKey.class)))) {
                    say(named.place(), "type '" + named.text() + "'", variant.getSimpleName());
                    mapping.entries()
                            .put(Yaml.TYPE, new Yaml.Scalar(named.place(), variant.getSimpleName(), named.kind()));
                }
            }
        }
    }

    private static void rename(Yaml.Mapping mapping, String former, String key) {
        LinkedHashMap<String, Yaml> before = new LinkedHashMap<>(mapping.entries());
        String place = mapping.keyPlaces().getOrDefault(former, mapping.place());
        if (before.containsKey(key)) {
            throw new InputException(
                    "%s: key '%s' is the former '%s': expected one of them".formatted(place, key, former));
        }
        say(place, "key '" + former + "'", key);
        mapping.entries().clear();
        before.forEach((name, value) -> mapping.entries().put(name.equals(former) ? key : name, value));
        mapping.keyPlaces().put(key, place);
    }

    /** An override {@code a.b=value} of a configuration of a type, with the keys of its path. */
    static String override(String override, Class<?> type) {
        int equals = override.indexOf('=');
        if (equals < 1) {
            return override;
        }
        String[] keys = override.substring(0, equals).strip().split("\\.", -1);
        List<Class<?>> at = List.of(type);
        for (int i = 0; i < keys.length; i++) {
            List<Class<?>> below = new ArrayList<>();
            String asked = keys[i];
            for (RecordComponent component :
                    at.stream().flatMap(one -> components(one).stream()).toList()) {
                String key = RecordKeys.snake(component.getName());
                if (asked.equals(former(component.getAnnotation(FormerKey.class)))) {
                    say("--set " + override, "key '" + asked + "'", key);
                    keys[i] = key;
                }
                if (key.equals(keys[i])) {
                    below.add(component.getType());
                }
            }
            at = below;
        }
        return String.join(".", keys) + override.substring(equals);
    }

    /** The components of a record, or of all records that an interface binds to. */
    private static List<RecordComponent> components(Class<?> type) {
        List<RecordComponent> components = new ArrayList<>();
        for (Class<?> record : records(type)) {
            for (RecordComponent component : record.getRecordComponents()) {
                if (component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
                    components.addAll(components(component.getType()));
                } else {
                    components.add(component);
                }
            }
        }
        return components;
    }

    private static List<Class<?>> records(Class<?> type) {
        if (type.isRecord()) {
            return List.of(type);
        }
        return Variants.has(type) ? Variants.of(type) : List.of();
    }

    private static @Nullable String former(@Nullable FormerKey key) {
        return key == null ? null : key.value();
    }

    private static void say(String place, String former, String now) {
        if (SAID.add(former)) {
            LOG.warn("{}: {} is called '{}' now; the next version does not read the former name", place, former, now);
        }
    }
}
