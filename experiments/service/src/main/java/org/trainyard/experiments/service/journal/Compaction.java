package org.trainyard.experiments.service.journal;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.JsonText;

/**
 * Drops from a file of events the reports of progress that a later one of the same job replaces, with no other event of
 * that job in between: the state after the later one is the same without them.
 *
 * <p>Their numbers stay, as {@code {"replaced": [FIRST, LAST]}}; their content is not known any more. Reports that a
 * remembered question may have read are kept.
 */
final class Compaction {
    static final String REPLACED = "replaced";
    /** A file is written anew when at least so many events, and half of all, can be dropped. */
    private static final int LEAST_DROPPED = 100;

    private final Path file;
    /** By number, the reports that can be dropped. */
    private final BitSet dropped = new BitSet();

    private final Map<String, Integer> lastReport = new HashMap<>();
    private int events;

    private Compaction(Path file) {
        this.file = file;
    }

    /**
     * Writes the file anew where that is worth it.
     *
     * @param last number of an event after which all reports are kept
     * @return the number of reports that were dropped
     */
    static int of(Path file, int last) {
        Compaction compaction = new Compaction(file);
        compaction.search(last);
        int dropped = compaction.dropped.cardinality();
        if (dropped < LEAST_DROPPED || 2 * dropped < compaction.events) {
            return 0;
        }
        AtomicFiles.write(file, compaction::write);
        return dropped;
    }

    /** The last event whose successors no remembered question may have read. */
    static int last(List<AskedQuestion> questions) {
        return questions.isEmpty() ? Integer.MAX_VALUE : questions.get(0).after();
    }

    private void search(int last) {
        try (JournalReader reader = new JournalReader(file)) {
            reader.next();
            for (JsonNode entry = reader.next(); entry != null; entry = reader.next()) {
                entry.path("events").forEach(event -> note(event, last));
            }
        }
    }

    private void note(JsonNode event, int last) {
        if (ClusterJournal.isGap(event)) {
            return;
        }
        events++;
        int number = event.path("sequence").intValue();
        String job = event.path("job").asText();
        boolean isReport = event.path("type").asText().equals("progress");
        Integer before = isReport ? lastReport.put(job, number) : lastReport.remove(job);
        if (isReport && before != null && number <= last) {
            dropped.set(before);
        }
    }

    private void write(OutputStream out) throws IOException {
        try (JournalReader reader = new JournalReader(file)) {
            JsonNode first = reader.next();
            if (first != null) {
                out.write(JournalLine.of(first).array());
            }
            int[] gap = null;
            for (JsonNode entry = reader.next(); entry != null; entry = reader.next()) {
                List<Object> kept = new ArrayList<>();
                for (JsonNode event : entry.path("events")) {
                    int[] range = range(event);
                    if (range == null) {
                        if (gap != null) {
                            kept.add(Map.of(REPLACED, gap));
                        }
                        gap = null;
                        kept.add(event);
                    } else {
                        gap = gap == null ? range : new int[] {gap[0], range[1]};
                    }
                }
                if (!kept.isEmpty()) {
                    out.write(JournalLine.of(JsonText.tree(Map.of("at", entry.path("at"), "events", kept)))
                            .array());
                }
            }
            if (gap != null) {
                throw new IllegalStateException("a report that is replaced has a later event");
            }
        }
    }

    /** The first and last number of what is dropped; null for an event that is kept. */
    private int @Nullable [] range(JsonNode event) {
        if (ClusterJournal.isGap(event)) {
            return new int[] {ClusterJournal.firstOf(event), ClusterJournal.lastOf(event)};
        }
        int number = event.path("sequence").intValue();
        return dropped.get(number) ? new int[] {number, number} : null;
    }
}
