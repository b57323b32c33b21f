package org.trainyard.env.binding;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.InvalidFieldException;

/**
 * Binds YAML and JSON to records, strictly: every component must be present (a {@link Nullable} one may be
 * {@code null}, one with an {@link OptionalKey} may be missing), unknown keys are refused, values are not converted,
 * and stay within their {@link Bounds}. An interface with {@link Variants} binds to the record that the key
 * {@code type} names, and a text to the one that is {@link PlainText}. The keys of a component that is
 * {@link JsonUnwrapped} stand beside the others. A record of several components that can be made of one text also binds
 * to a text. A component that is a {@link JsonNode} takes JSON as it is.
 */
public final class Binder {
    private static final int MOST_DIGITS = 400;
    private static final int MOST_OF_LONG = 18;
    /** The value of a key that is missing. */
    private static final String NOTHING = "nothing";

    private Binder() {}

    /** @throws InputException that names the place, the value and the expected one */
    public static <T> T bind(Yaml yaml, Class<T> type) {
        return bind(yaml, "", type);
    }

    /**
     * Binds a part of a tree.
     *
     * @param path of the part; empty for the whole
     */
    public static <T> T bind(Yaml yaml, String path, Class<T> type) {
        try {
            return Objects.requireNonNull(type.cast(value(yaml, type, null, false, path)));
        } catch (InputException e) {
            InputException.Fault fault = e.fault();
            List<String> missing = new ArrayList<>();
            if (fault != null && fault.value().equals(NOTHING)) {
                addMissing(yaml, type, path, missing);
            }
            throw missing.size() < 2
                    ? e
                    : new InputException(
                            "%s: the keys %s are missing: expected all of them"
                                    .formatted(at(yaml.open().place(), ""), String.join(", ", missing)),
                            fault);
        }
    }

    /** Adds the paths of all keys that are missing, in order. */
    private static void addMissing(Yaml given, Type type, String path, List<String> missing) {
        Yaml yaml = given.open();
        if (yaml instanceof Yaml.Sequence sequence && type instanceof ParameterizedType list) {
            for (int i = 0; i < sequence.items().size(); i++) {
                Type element = list.getActualTypeArguments()[0];
                addMissing(sequence.items().get(i), element, "%s[%d]".formatted(path, i), missing);
            }
        } else if (yaml instanceof Yaml.Mapping mapping && type instanceof Class<?> role) {
            Class<?> record = role.isRecord() || !Variants.has(role) ? role : variantOf(mapping, role);
            if (record == null) {
                missing.add(join(path, Yaml.TYPE));
            } else if (record.isRecord()) {
                for (RecordKeys.Key key : RecordKeys.of(record).all()) {
                    Yaml value = key.isUnwrapped() ? mapping : mapping.entries().get(key.name());
                    if (value != null) {
                        addMissing(value, key.type(), key.isUnwrapped() ? path : join(path, key.name()), missing);
                    } else if (key.optional() == null) {
                        missing.add(join(path, key.name()));
                    }
                }
            }
        }
    }

    /** The variant that a mapping names; null where it names none. */
    static @Nullable Class<?> variantOf(Yaml.Mapping mapping, Class<?> role) {
        Yaml named = mapping.entries().get(Yaml.TYPE);
        return Variants.of(role).stream()
                .filter(one -> named != null
                        && named.open() instanceof Yaml.Scalar scalar
                        && Variants.name(role, one).equals(scalar.text()))
                .findFirst()
                .orElse(null);
    }

    private static @Nullable Object value(
            Yaml given, Type type, @Nullable Bounds bounds, boolean nullable, String path) {
        if (type == JsonNode.class && given instanceof Yaml.Json json) {
            return json.node();
        }
        Yaml yaml = given.open();
        if (nullable && isNull(yaml)) {
            return null;
        }
        if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
            return list(yaml, list.getActualTypeArguments()[0], bounds, path);
        }
        Class<?> wanted = (Class<?>) type;
        if (wanted.isRecord()) {
            RecordKeys keys = RecordKeys.of(wanted);
            return yaml instanceof Yaml.Scalar name && keys.isNamed()
                    ? ofText(name, keys, path)
                    : record(mapping(given, path, ""), wanted, path, Set.of());
        }
        if (Variants.has(wanted)) {
            Class<?> text =
                    yaml instanceof Yaml.Scalar name && name.kind() == Yaml.Kind.TEXT ? plainText(wanted) : null;
            return text != null
                    ? ofText((Yaml.Scalar) yaml, RecordKeys.of(text), path)
                    : variant(mapping(given, path, example(wanted)), wanted, path, Set.of());
        }
        return scalar(yaml, wanted, bounds, nullable, path);
    }

    static boolean isNull(Yaml yaml) {
        return yaml instanceof Yaml.Scalar scalar && scalar.kind() == Yaml.Kind.NULL;
    }

    /** The variant that is a text; null when there is none. */
    private static @Nullable Class<?> plainText(Class<?> role) {
        return Variants.of(role).stream()
                .filter(one -> one.isAnnotationPresent(PlainText.class))
                .findFirst()
                .orElse(null);
    }

    private static List<Object> list(Yaml yaml, Type element, @Nullable Bounds bounds, String path) {
        if (!(yaml instanceof Yaml.Sequence sequence)) {
            throw bad(yaml, path, bounds == null ? "a list" : "a list of at most %d items".formatted(bounds.most()));
        }
        if (bounds != null && sequence.items().size() > bounds.most()) {
            throw InputException.at(
                    at(yaml.place(), path),
                    "%d items".formatted(sequence.items().size()),
                    "a list of at most %d items".formatted(bounds.most()));
        }
        List<Object> items = new ArrayList<>();
        for (int i = 0; i < sequence.items().size(); i++) {
            Object item = value(sequence.items().get(i), element, null, false, "%s[%d]".formatted(path, i));
            if (item != null) {
                items.add(item);
            }
        }
        return List.copyOf(items);
    }

    private static Yaml.Mapping mapping(Yaml given, String path, String example) {
        if (given.open() instanceof Yaml.Mapping mapping) {
            return mapping;
        }
        throw bad(given, path, given instanceof Yaml.Json ? "an object" : "keys and values" + example);
    }

    private static String example(Class<?> type) {
        Example example = type.getAnnotation(Example.class);
        return example == null ? "" : ", such as " + example.value();
    }

    private static Object variant(Yaml.Mapping mapping, Class<?> role, String path, Set<String> beside) {
        Yaml named = mapping.entries().get(Yaml.TYPE);
        if (named == null) {
            throw missing(mapping, path, Yaml.TYPE, "one of " + String.join(", ", RecordKeys.variants(role)));
        }
        if (named.open() instanceof Yaml.Scalar scalar) {
            for (Class<?> one : Variants.of(role)) {
                if (!one.isAnnotationPresent(PlainText.class)
                        && Variants.name(role, one).equals(scalar.text())) {
                    return record(mapping, one, path, union(beside, Set.of(Yaml.TYPE)));
                }
            }
        }
        throw bad(named, join(path, Yaml.TYPE), Nearest.oneOf(named.describe(), RecordKeys.variants(role)));
    }

    private static Object record(Yaml.Mapping mapping, Class<?> type, String path, Set<String> beside) {
        RecordKeys keys = RecordKeys.of(type);
        for (String key : mapping.entries().keySet()) {
            if (!keys.isOpen() && !keys.names().contains(key) && !beside.contains(key)) {
                throw unknown(mapping.placeOf(key), path, key, union(beside, keys.names()));
            }
        }
        @Nullable Object[] values = new @Nullable Object[keys.all().size()];
        for (int i = 0; i < values.length; i++) {
            RecordKeys.Key key = keys.all().get(i);
            Yaml yaml = mapping.entries().get(key.name());
            OptionalKey optional = key.optional();
            if (key.isUnwrapped()) {
                Class<?> part = key.component().getType();
                Set<String> known = union(beside, keys.names());
                values[i] = part.isRecord() ? record(mapping, part, path, known) : variant(mapping, part, path, known);
                continue;
            }
            if (optional != null && !key.isNullable() && (yaml == null || isNull(yaml.open()))) {
                yaml = orElse(mapping, key, optional);
            }
            if (yaml == null && optional != null) {
                continue;
            }
            if (yaml == null) {
                throw missing(mapping, path, key.name(), expected(mapping, type, path, beside, key));
            }
            values[i] = value(yaml, key.type(), key.bounds(), key.isNullable(), join(path, key.name()));
        }
        return create(mapping, keys.constructor(), values, path);
    }

    private static Set<String> union(Set<String> some, Set<String> others) {
        Set<String> all = new TreeSet<>(some);
        all.addAll(others);
        return all;
    }

    private static Yaml orElse(Yaml.Mapping mapping, RecordKeys.Key key, OptionalKey optional) {
        Yaml.Kind kind = key.type() == boolean.class ? Yaml.Kind.BOOLEAN : Yaml.Kind.TEXT;
        return new Yaml.Scalar(mapping.place(), optional.orElse(), kind);
    }

    /** Expected value of a missing key, in words. */
    private static String expected(
            Yaml.Mapping mapping, Class<?> type, String path, Set<String> beside, RecordKeys.Key key) {
        if (key.bounds() != null && key.type() instanceof Class<?> scalar) {
            return expected(scalar, key.bounds());
        }
        String text = key.type() == String.class ? expectedText(mapping, type, path, beside, key.name()) : null;
        return text == null ? "all of " + String.join(", ", RecordKeys.of(type).required()) : text;
    }

    private static InputException missing(Yaml.Mapping mapping, String path, String key, String expected) {
        return new InputException(
                "%s: key '%s' is missing: expected %s".formatted(at(mapping.place(), path), key, expected),
                new InputException.Fault(at(mapping.place(), join(path, key)), NOTHING, expected));
    }

    /**
     * Expected value of a missing text: the words in which its record refuses an empty text; null when it accepts one.
     */
    private static @Nullable String expectedText(
            Yaml.Mapping mapping, Class<?> type, String path, Set<String> beside, String key) {
        LinkedHashMap<String, Yaml> entries = new LinkedHashMap<>(mapping.entries());
        entries.put(key, new Yaml.Scalar(mapping.place(), "", Yaml.Kind.TEXT));
        try {
            record(new Yaml.Mapping(mapping.place(), entries, mapping.keyPlaces()), type, path, beside);
            return null;
        } catch (InputException e) {
            InputException.Fault fault = e.fault();
            return fault != null
                            && fault.place().equals(at(mapping.place(), join(path, key)))
                            && fault.value().isEmpty()
                    ? fault.expected()
                    : null;
        }
    }

    static InputException unknown(String place, String path, String key, Set<String> known) {
        String nearest = Nearest.to(key, known);
        String expected = "one of " + Nearest.few(key, known);
        return new InputException(
                "%s: unknown key '%s'%s: expected %s"
                        .formatted(
                                at(place, path),
                                key,
                                nearest == null ? "" : " (did you mean '%s'?)".formatted(nearest),
                                expected),
                new InputException.Fault(at(place, join(path, key)), key, expected));
    }

    private static Object ofText(Yaml.Scalar text, RecordKeys keys, String path) {
        return create(text, Objects.requireNonNull(keys.ofText()), new Object[] {text.text()}, path);
    }

    private static Object create(Yaml from, Constructor<?> constructor, @Nullable Object[] values, String path) {
        try {
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof InvalidFieldException field) {
                String key = RecordKeys.snake(field.component());
                if (!(from instanceof Yaml.Mapping mapping)) {
                    throw bad(from, path, field.expected());
                }
                Yaml yaml = mapping.entries().getOrDefault(key, mapping);
                throw bad(yaml, join(path, key), field.expected());
            }
            if (e.getCause() instanceof IllegalArgumentException illegal) {
                throw new InputException("%s: %s".formatted(at(from.place(), path), oneLine(illegal.getMessage())));
            }
            throw new IllegalStateException("%s cannot be made".formatted(constructor), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("%s cannot be made".formatted(constructor), e);
        }
    }

    private static Object scalar(Yaml yaml, Class<?> wanted, @Nullable Bounds bounds, boolean nullable, String path) {
        if (yaml instanceof Yaml.Scalar scalar && scalar.kind() != Yaml.Kind.NULL) {
            try {
                Object value = scalar(scalar, wanted);
                if (value != null && (bounds == null || isWithin(value, bounds))) {
                    return value;
                }
            } catch (ArithmeticException | NumberFormatException e) {
                // The value is none of this type, which is said below.
            }
        }
        boolean isTyped = yaml instanceof Yaml.Scalar scalar && scalar.isTyped();
        String expected = isTyped && isDouble(wanted) && bounds == null ? "a finite number" : expected(wanted, bounds);
        throw bad(yaml, path, expected + (nullable ? " or null" : ""));
    }

    /** The value of a scalar; null when it is none of this type. */
    private static @Nullable Object scalar(Yaml.Scalar scalar, Class<?> wanted) {
        boolean isNumber = !scalar.isTyped() || scalar.kind() == Yaml.Kind.NUMBER;
        if (wanted == boolean.class || wanted == Boolean.class) {
            return scalar.kind() == Yaml.Kind.BOOLEAN ? (Object) scalar.text().equalsIgnoreCase("true") : null;
        } else if (wanted == String.class) {
            boolean isText = scalar.isTyped() ? scalar.kind() == Yaml.Kind.TEXT : scalar.kind() != Yaml.Kind.BOOLEAN;
            return isText ? scalar.text() : null;
        } else if (!isNumber) {
            return null;
        } else if (wanted == int.class || wanted == Integer.class) {
            return Math.toIntExact(whole(scalar));
        } else if (wanted == long.class || wanted == Long.class) {
            return whole(scalar);
        } else if (isDouble(wanted)) {
            double number = number(scalar).doubleValue();
            return Double.isFinite(number) ? (Object) number : null;
        }
        throw new IllegalStateException("no YAML for %s".formatted(wanted));
    }

    private static boolean isWithin(Object value, Bounds bounds) {
        if (value instanceof String text) {
            return text.length() >= bounds.least()
                    && text.length() <= bounds.most()
                    && !text.isBlank()
                    && text.chars().noneMatch(Character::isISOControl);
        } else if (value instanceof Double number) {
            return number >= bounds.least() && number <= bounds.most();
        }
        long number = ((Number) value).longValue();
        return number >= bounds.least() && number <= bounds.most();
    }

    private static boolean isDouble(Class<?> wanted) {
        return wanted == double.class || wanted == Double.class;
    }

    private static long whole(Yaml.Scalar scalar) {
        return scalar.isTyped() && scalar.text().length() <= MOST_OF_LONG
                ? Long.parseLong(scalar.text())
                : number(scalar).longValueExact();
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

    private static String expected(Class<?> wanted, @Nullable Bounds bounds) {
        if (wanted == boolean.class || wanted == Boolean.class) {
            return "true or false";
        } else if (wanted == String.class) {
            return bounds == null
                    ? "text"
                    : "a text of %d to %d printable characters".formatted(bounds.least(), bounds.most());
        }
        String range = bounds == null
                ? ""
                : bounds.most() == Long.MAX_VALUE
                        ? ", at least %d".formatted(bounds.least())
                        : " from %d to %d".formatted(bounds.least(), bounds.most());
        return (isDouble(wanted) ? "a number" : "a whole number") + range;
    }

    private static InputException bad(Yaml yaml, String path, String expected) {
        return InputException.at(at(yaml.place(), path), yaml.describe(), expected);
    }

    private static String oneLine(@Nullable String message) {
        return message == null ? "not valid" : message.replace("\n", " ");
    }

    public static String at(String place, String path) {
        if (place.isEmpty()) {
            return path.isEmpty() ? "body" : path;
        }
        return path.isEmpty() ? place : place + ", " + path;
    }

    static String join(String path, String key) {
        return path.isEmpty() ? key : path + "." + key;
    }
}
