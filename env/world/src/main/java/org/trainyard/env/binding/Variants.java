package org.trainyard.env.binding;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The records to which an interface binds: those that a sealed interface and the sealed interfaces below it permit, or
 * those that the static method {@code variants()} of an open one lists.
 */
public final class Variants {
    private Variants() {}

    /** Whether a type is such an interface. */
    public static boolean has(Class<?> type) {
        return type.isSealed() || listing(type) != null;
    }

    public static List<Class<?>> of(Class<?> type) {
        List<Class<?>> records = new ArrayList<>();
        for (Class<?> one : type.isSealed() ? List.of(type.getPermittedSubclasses()) : listed(type)) {
            records.addAll(one.isRecord() ? List.of(one) : of(one));
        }
        return records;
    }

    /** The {@code type} of a variant. */
    public static String name(Class<?> role, Class<?> variant) {
        return role.isAnnotationPresent(SnakeCase.class)
                ? RecordKeys.snake(variant.getSimpleName())
                : variant.getSimpleName();
    }

    private static @Nullable Method listing(Class<?> type) {
        return Arrays.stream(type.isInterface() ? type.getMethods() : new Method[0])
                .filter(method -> method.getName().equals("variants") && Modifier.isStatic(method.getModifiers()))
                .findFirst()
                .orElse(null);
    }

    private static List<Class<?>> listed(Class<?> type) {
        List<Class<?>> records = new ArrayList<>();
        Method listing = listing(type);
        try {
            for (Object one : listing == null ? List.of() : (List<?>) listing.invoke(null)) {
                records.add((Class<?>) one);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("%s cannot list its records".formatted(type), e);
        }
        return records;
    }
}
