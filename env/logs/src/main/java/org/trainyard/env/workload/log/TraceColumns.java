package org.trainyard.env.workload.log;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The header of a trace file: which column stands where. Case and order are free. */
public final class TraceColumns {
    private final List<String> names;
    private final Map<String, Integer> indices = new HashMap<>();
    private @Nullable String repeated;

    public TraceColumns(List<String> header) {
        names = header.stream().map(TraceColumns::normalised).toList();
        for (int i = 0; i < names.size(); i++) {
            if (indices.putIfAbsent(names.get(i), i) != null && !names.get(i).isEmpty()) {
                repeated = names.get(i);
            }
        }
    }

    public static String normalised(String name) {
        String text = name.startsWith("\uFEFF") ? name.substring(1) : name;
        return text.strip().toLowerCase(Locale.ROOT);
    }

    public int count() {
        return names.size();
    }

    public List<String> names() {
        return names;
    }

    /** A name that stands there twice, or null. */
    public @Nullable String repeated() {
        return repeated;
    }

    public boolean has(String column) {
        return indices.containsKey(column);
    }

    /** Where the column stands, or -1. */
    public int indexOf(String column) {
        return indices.getOrDefault(column, -1);
    }

    @Override
    public String toString() {
        return String.join(",", names);
    }
}
