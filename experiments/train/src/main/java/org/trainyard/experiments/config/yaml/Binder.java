package org.trainyard.experiments.config.yaml;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.OptionalKey;

/**
 * Binds YAML to records, strictly: every component must be present (a {@link Nullable} one may be {@code null}),
 * unknown keys are refused, and values are not converted. An interface with {@link Variants} binds to the record that
 * the key {@code type} names, and a text to the one that is {@link PlainText}. The keys of a component that is
 * {@link JsonUnwrapped} stand beside the others. A record of several components that can be made of one text also binds
 * to a text.
 */
public final class Binder {
    private static final int MOST_DIGITS = 400;

    private Binder() {}

    public static <T> T bind(Yaml yaml, Class<T> type) {
        return Objects.requireNonNull(type.cast(value(yaml, type, false, "")));
    }

    private static @Nullable Object value(Yaml yaml, Type type, boolean nullable, String path) {
        if (nullable && yaml instanceof Yaml.Scalar scalar && scalar.kind() == Yaml.Kind.NULL) {
            return null;
        }
        if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
            return list(yaml, list.getActualTypeArguments()[0], path);
        }
        Class<?> wanted = (Class<?>) type;
        if (wanted.isRecord() && yaml instanceof Yaml.Scalar name && isNamed(wanted)) {
            return create(name, wanted, new Class<?>[] {String.class}, new Object[] {name.text()}, path);
        }
        if (wanted.isRecord()) {
            return record(mapping(yaml, path, ""), wanted, path, Set.of());
        }
        if (Variants.has(wanted)) {
            Class<?> text =
                    yaml instanceof Yaml.Scalar name && name.kind() == Yaml.Kind.TEXT ? plainText(wanted) : null;
            if (text != null) {
                String named = ((Yaml.Scalar) yaml).text();
                return create(yaml, text, new Class<?>[] {String.class}, new Object[] {named}, path);
            }
            return variant(mapping(yaml, path, example(wanted)), wanted, path);
        }
        return scalar(yaml, wanted, nullable, path);
    }

    private static boolean isNamed(Class<?> type) {
        return type.getRecordComponents().length > 1
                && Arrays.stream(type.getDeclaredConstructors())
                        .anyMatch(made -> Arrays.equals(made.getParameterTypes(), new Class<?>[] {String.class}));
    }

    /** The variant that is a text; null when there is none. */
    private static @Nullable Class<?> plainText(Class<?> role) {
        return Variants.of(role).stream()
                .filter(one -> one.isAnnotationPresent(PlainText.class))
                .findFirst()
                .orElse(null);
    }

    private static List<Object> list(Yaml yaml, Type element, String path) {
        if (!(yaml instanceof Yaml.Sequence sequence)) {
            throw bad(yaml, path, "a list");
        }
        List<Object> items = new ArrayList<>();
        for (int i = 0; i < sequence.items().size(); i++) {
            Object item = value(sequence.items().get(i), element, false, "%s[%d]".formatted(path, i));
            if (item != null) {
                items.add(item);
            }
        }
        return List.copyOf(items);
    }

    private static Yaml.Mapping mapping(Yaml yaml, String path, String example) {
        if (yaml instanceof Yaml.Mapping mapping) {
            return mapping;
        }
        throw bad(yaml, path, "keys and values" + example);
    }

    private static String example(Class<?> type) {
        Example example = type.getAnnotation(Example.class);
        return example == null ? "" : ", such as " + example.value();
    }

    private static Object variant(Yaml.Mapping mapping, Class<?> role, String path) {
        List<Class<?>> variants = Variants.of(role).stream()
                .filter(one -> !one.isAnnotationPresent(PlainText.class))
                .toList();
        Set<String> names = new TreeSet<>();
        variants.forEach(one -> names.add(one.getSimpleName()));
        Yaml named = mapping.entries().get(Yaml.TYPE);
        if (named == null) {
            throw new InputException("%s: key 'type' is missing: expected one of %s"
                    .formatted(at(mapping.place(), path), String.join(", ", names)));
        }
        for (Class<?> one : variants) {
            if (named instanceof Yaml.Scalar scalar && one.getSimpleName().equals(scalar.text())) {
                return record(mapping, one, path, Set.of(Yaml.TYPE));
            }
        }
        throw bad(named, join(path, Yaml.TYPE), Nearest.oneOf(named.describe(), names));
    }

    private static Object record(Yaml.Mapping mapping, Class<?> type, String path, Set<String> alsoKnown) {
        RecordComponent[] components = type.getRecordComponents();
        Set<String> known = new TreeSet<>(alsoKnown);
        keys(components, known);
        for (String key : mapping.entries().keySet()) {
            if (!known.contains(key)) {
                throw unknown(mapping.placeOf(key), path, key, known);
            }
        }
        @Nullable Object[] values = new @Nullable Object[components.length];
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            String key = YamlNames.snake(components[i].getName());
            Yaml yaml = mapping.entries().get(key);
            types[i] = components[i].getType();
            if (isUnwrapped(components[i])) {
                values[i] = record(mapping, types[i], path, known);
                continue;
            }
            if (yaml == null && components[i].isAnnotationPresent(OptionalKey.class)) {
                continue;
            }
            if (yaml == null) {
                String expected = types[i] == String.class ? expectedText(mapping, type, path, alsoKnown, key) : null;
                throw new InputException("%s: key '%s' is missing: expected %s"
                        .formatted(
                                at(mapping.place(), path),
                                key,
                                expected == null ? "all of " + String.join(", ", required(components)) : expected));
            }
            boolean nullable = components[i].getAnnotatedType().isAnnotationPresent(Nullable.class);
            values[i] = value(yaml, components[i].getGenericType(), nullable, join(path, key));
        }
        return create(mapping, type, types, values, path);
    }

    /** Whether the keys of a component, a record, stand beside those of the others. */
    public static boolean isUnwrapped(RecordComponent component) {
        return component.getAccessor().isAnnotationPresent(JsonUnwrapped.class);
    }

    private static void keys(RecordComponent[] components, Set<String> keys) {
        for (RecordComponent component : components) {
            if (isUnwrapped(component)) {
                keys(component.getType().getRecordComponents(), keys);
            } else {
                keys.add(YamlNames.snake(component.getName()));
            }
        }
    }

    /** What a record expects of a text that is missing: the words in which it refuses none; null when it has none. */
    private static @Nullable String expectedText(
            Yaml.Mapping mapping, Class<?> type, String path, Set<String> alsoKnown, String key) {
        LinkedHashMap<String, Yaml> entries = new LinkedHashMap<>(mapping.entries());
        entries.put(key, new Yaml.Scalar(mapping.place(), "", Yaml.Kind.TEXT));
        try {
            record(new Yaml.Mapping(mapping.place(), entries, mapping.keyPlaces()), type, path, alsoKnown);
            return null;
        } catch (InputException e) {
            String said = String.valueOf(e.getMessage());
            String refused = String.valueOf(InputException.at(at(mapping.place(), join(path, key)), "", "")
                    .getMessage());
            return said.startsWith(refused) ? said.substring(refused.length()) : null;
        }
    }

    private static Set<String> required(RecordComponent[] components) {
        return Arrays.stream(components)
                .filter(component -> !component.isAnnotationPresent(OptionalKey.class))
                .map(component -> YamlNames.snake(component.getName()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    static InputException unknown(String place, String path, String key, Set<String> known) {
        String nearest = Nearest.to(key, known);
        return new InputException("%s: unknown key '%s'%s: expected one of %s"
                .formatted(
                        at(place, path),
                        key,
                        nearest == null ? "" : " (did you mean '%s'?)".formatted(nearest),
                        Nearest.few(key, known)));
    }

    private static Object create(Yaml from, Class<?> type, Class<?>[] types, @Nullable Object[] values, String path) {
        try {
            var constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof InvalidFieldException field) {
                String key = YamlNames.snake(field.component());
                if (!(from instanceof Yaml.Mapping mapping)) {
                    throw bad(from, path, field.expected());
                }
                Yaml yaml = mapping.entries().getOrDefault(key, mapping);
                throw bad(yaml, join(path, key), field.expected());
            }
            if (e.getCause() instanceof IllegalArgumentException illegal) {
                throw new InputException("%s: %s".formatted(at(from.place(), path), oneLine(illegal.getMessage())));
            }
            throw new IllegalStateException("%s cannot be made".formatted(type), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("%s cannot be made".formatted(type), e);
        }
    }

    private static @Nullable Object scalar(Yaml yaml, Class<?> wanted, boolean nullable, String path) {
        String expected = expected(wanted) + (nullable ? " or null" : "");
        if (!(yaml instanceof Yaml.Scalar scalar)) {
            throw bad(yaml, path, expected);
        }
        if (scalar.kind() == Yaml.Kind.NULL) {
            throw bad(yaml, path, expected);
        }
        try {
            if ((wanted == boolean.class || wanted == Boolean.class) && scalar.kind() == Yaml.Kind.BOOLEAN) {
                return scalar.text().equalsIgnoreCase("true");
            } else if (wanted == String.class && scalar.kind() != Yaml.Kind.BOOLEAN) {
                return scalar.text();
            } else if (wanted == int.class || wanted == Integer.class) {
                return number(scalar).intValueExact();
            } else if (wanted == long.class || wanted == Long.class) {
                return number(scalar).longValueExact();
            } else if (isDouble(wanted) && Double.isFinite(number(scalar).doubleValue())) {
                return number(scalar).doubleValue();
            }
        } catch (ArithmeticException | NumberFormatException e) {
            throw bad(yaml, path, expected);
        }
        throw bad(yaml, path, expected);
    }

    private static boolean isDouble(Class<?> wanted) {
        return wanted == double.class || wanted == Double.class;
    }

    private static BigDecimal number(Yaml.Scalar scalar) {
        // Refused rather than expanded: 1e999999999 has a billion digits, and to read a million digits takes seconds.
        if (scalar.text().length() > MOST_DIGITS) {
            throw new NumberFormatException("too many digits");
        }
        BigDecimal number = new BigDecimal(scalar.text().replace("_", ""));
        if (Math.abs((long) number.scale()) > MOST_DIGITS) {
            throw new NumberFormatException(scalar.text());
        }
        return number;
    }

    private static String expected(Class<?> wanted) {
        if (wanted == boolean.class || wanted == Boolean.class) {
            return "true or false";
        } else if (wanted == String.class) {
            return "text";
        } else if (Set.of(int.class, Integer.class, long.class, Long.class).contains(wanted)) {
            return "a whole number";
        } else if (isDouble(wanted)) {
            return "a number";
        }
        throw new IllegalStateException("no YAML for %s".formatted(wanted));
    }

    private static InputException bad(Yaml yaml, String path, String expected) {
        return InputException.at(at(yaml.place(), path), yaml.describe(), expected);
    }

    private static String oneLine(@Nullable String message) {
        return message == null ? "not valid" : message.replace("\n", " ");
    }

    public static String at(String place, String path) {
        return path.isEmpty() ? place : place + ", " + path;
    }

    static String join(String path, String key) {
        return path.isEmpty() ? key : path + "." + key;
    }
}
