package org.trainyard.experiments.service;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Topology;

/**
 * Counts values that an object keeps from garbage collection: references, elements of collections and arrays, fields.
 * The cluster's state, its topology and its jobs belong to others and do not count.
 */
public final class RetainedObjects {
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> left = new ArrayDeque<>();
    private long values;

    private RetainedObjects() {}

    /** The number of values that are reachable from an object. */
    public static long of(Object root) {
        RetainedObjects counted = new RetainedObjects();
        counted.add(root);
        while (!counted.left.isEmpty()) {
            counted.walk(counted.left.remove());
        }
        return counted.values;
    }

    private void add(@Nullable Object value) {
        values++;
        if (value != null && !(value instanceof Topology) && !isLeaf(value.getClass()) && seen.add(value)) {
            left.add(value);
        }
    }

    private static boolean isLeaf(Class<?> type) {
        return type.isEnum() || type == Class.class || type == String.class || Number.class.isAssignableFrom(type);
    }

    /** Of the others' objects only collections are looked into. */
    private static boolean isOfOthers(Class<?> type) {
        return !type.getName().startsWith("org.trainyard.");
    }

    private void walk(Object object) {
        Class<?> type = object.getClass();
        if (type.isArray()) {
            if (type.getComponentType().isPrimitive()) {
                values += Array.getLength(object);
            } else {
                for (Object element : (Object[]) object) {
                    add(element);
                }
            }
        } else if (object instanceof BitSet bits) {
            values += bits.size() / Long.SIZE;
        } else if (isOfOthers(type)) {
            if (object instanceof Collection<?> collection) {
                collection.forEach(this::add);
            } else if (object instanceof Map<?, ?> map) {
                map.forEach((key, value) -> {
                    add(key);
                    add(value);
                });
            }
        } else {
            for (Class<?> part = type; part != null && !isOfOthers(part); part = part.getSuperclass()) {
                for (Field field : part.getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers())) {
                        field(object, field);
                    }
                }
            }
        }
    }

    private void field(Object object, Field field) {
        if (field.getType().isPrimitive()) {
            values++;
            return;
        }
        field.setAccessible(true);
        try {
            add(field.get(object));
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(field.toString(), e);
        }
    }
}
