package org.trainyard.experiments.drive;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts of a driver's actions. */
public final class DriveCounts {
    private final Map<String, Integer> counts = new TreeMap<>();

    void add(String what) {
        counts.merge(what, 1, Integer::sum);
    }

    /** In words, a line. */
    public String words() {
        List<String> words = new ArrayList<>();
        counts.forEach((what, count) -> words.add("%s %,d".formatted(what, count)));
        return words.isEmpty() ? "nothing happened" : String.join(", ", words);
    }
}
