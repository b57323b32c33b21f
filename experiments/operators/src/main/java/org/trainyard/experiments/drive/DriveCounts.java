package org.trainyard.experiments.drive;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts of a driver's actions. */
public final class DriveCounts {
    private final Map<String, Integer> counts = new TreeMap<>();
    private final MeterRegistry registry;

    /** @param registry to which each count goes, too */
    DriveCounts(MeterRegistry registry) {
        this.registry = registry;
    }

    void add(String what) {
        counts.merge(what, 1, Integer::sum);
        Counter.builder("trainyard.drive.actions")
                .description("What the driver has done, by kind.")
                .tag("what", what)
                .register(registry)
                .increment();
    }

    /** The counts in words, a line. */
    public String words() {
        List<String> words = new ArrayList<>();
        counts.forEach((what, count) -> words.add("%s %,d".formatted(what, count)));
        return words.isEmpty() ? "nothing happened" : String.join(", ", words);
    }
}
