package org.trainyard.env.binding;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a record and its constructor. They are looked up once for each record, for reflection takes longer than
 * the binding of a request.
 */
public final class RecordKeys {
    private static final ClassValue<RecordKeys> KNOWN = new ClassValue<>() {
        @Override
        protected RecordKeys computeValue(Class<?> type) {
            return new RecordKeys(type);
        }
    };

    /**
     * The key of a component.
     *
     * @param name in snake case
     * @param isUnwrapped whether the component is a record, or an interface with variants, whose keys stand beside the
     *     others
     * @param optional null for a key that must be there
     * @param bounds null for none
     */
    public record Key(
            String name,
            RecordComponent component,
            Type type,
            boolean isNullable,
            boolean isUnwrapped,
            @Nullable OptionalKey optional,
            @Nullable Bounds bounds) {
        static Key of(RecordComponent component) {
            return new Key(
                    snake(component.getName()),
                    component,
                    component.getGenericType(),
                    component.getAnnotatedType().isAnnotationPresent(Nullable.class),
                    component.getAccessor().isAnnotationPresent(JsonUnwrapped.class),
                    component.getAnnotation(OptionalKey.class),
                    bounds(component));
        }

        private static @Nullable Bounds bounds(RecordComponent component) {
            Bounds own = component.getAnnotation(Bounds.class);
            for (Annotation one : component.getAnnotations()) {
                own = own == null ? one.annotationType().getAnnotation(Bounds.class) : own;
            }
            return own;
        }
    }

    private final List<Key> all;
    private final Set<String> names = new TreeSet<>();
    private final boolean isOpen;
    private final Constructor<?> constructor;
    private final @Nullable Constructor<?> ofText;

    private RecordKeys(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        all = Arrays.stream(components).map(Key::of).toList();
        boolean hasVariant = false;
        for (Key key : all) {
            Class<?> beside = key.component().getType();
            hasVariant |= key.isUnwrapped() && !beside.isRecord();
            if (!key.isUnwrapped()) {
                names.add(key.name());
            } else if (beside.isRecord()) {
                names.addAll(of(beside).names);
            }
        }
        isOpen = hasVariant;
        constructor = constructor(
                type, Arrays.stream(components).map(RecordComponent::getType).toArray(Class[]::new));
        ofText = Arrays.stream(type.getDeclaredConstructors())
                        .anyMatch(made -> Arrays.equals(made.getParameterTypes(), new Class<?>[] {String.class}))
                ? constructor(type, String.class)
                : null;
    }

    /** Keys of a record. */
    public static RecordKeys of(Class<?> type) {
        return KNOWN.get(type);
    }

    private static Constructor<?> constructor(Class<?> type, Class<?>... parameters) {
        try {
            Constructor<?> found = type.getDeclaredConstructor(parameters);
            found.setAccessible(true);
            return found;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("%s cannot be made".formatted(type), e);
        }
    }

    /** {@code maxHops} becomes {@code max_hops}. */
    public static String snake(String camel) {
        return camel.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }

    /** Keys in the order of the components. */
    public List<Key> all() {
        return all;
    }

    /** All names, those of components that are unwrapped included. */
    Set<String> names() {
        return names;
    }

    /** Whether keys stand beside them that a variant has, which the key {@code type} names. */
    boolean isOpen() {
        return isOpen;
    }

    /** The names that must be there. */
    Set<String> required() {
        return all.stream()
                .filter(key -> key.optional() == null)
                .map(Key::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    Constructor<?> constructor() {
        return constructor;
    }

    /** The constructor of one text; null when there is none. */
    @Nullable Constructor<?> ofText() {
        return ofText;
    }

    /** Whether a text stands for the record, which has several components. */
    boolean isNamed() {
        return all.size() > 1 && ofText != null;
    }

    /** The names of the variants of an interface, in the order of the alphabet. */
    static List<String> variants(Class<?> role) {
        List<String> found = new ArrayList<>();
        for (Class<?> one : Variants.of(role)) {
            if (!one.isAnnotationPresent(PlainText.class)) {
                found.add(Variants.name(role, one));
            }
        }
        found.sort(null);
        return found;
    }
}
