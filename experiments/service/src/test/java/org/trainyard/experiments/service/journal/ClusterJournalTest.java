package org.trainyard.experiments.service.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.io.JsonText;

/** The size of a journal while it is written. */
class ClusterJournalTest {
    private static final int BATCH = 10_000;

    @TempDir
    private Path folder;

    private static JsonNode event(int sequence) {
        return JsonText.tree(Map.of(
                "sequence",
                sequence,
                "time_nanos",
                sequence,
                "type",
                sequence == 1 ? "started" : "progress",
                "job",
                "j"));
    }

    @Test
    void reports_that_later_ones_replace_leave_the_file_while_it_grows() throws IOException {
        Path file = folder.resolve("c.journal");
        try (StateFolder state = new StateFolder(folder, false);
                ClusterJournal journal = state.create(new RegisteredCluster("c", "small", Clusters.resolve("small")))) {
            List<JsonNode> batch = new ArrayList<>();
            for (int sequence = 1; sequence <= 6 * BATCH; sequence++) {
                batch.add(event(sequence));
                if (batch.size() == BATCH) {
                    journal.events(batch, 0);
                    batch.clear();
                }
            }
        }
        List<JsonNode> kept = new ArrayList<>();
        try (JournalReader reader = new JournalReader(file)) {
            reader.next();
            for (JsonNode entry = reader.next(); entry != null; entry = reader.next()) {
                entry.path("events").forEach(kept::add);
            }
        }

        assertThat(Files.size(file)).isLessThan(100L * BATCH);
        assertThat(kept.get(0)).isEqualTo(event(1));
        assertThat(ClusterJournal.isGap(kept.get(1))).isTrue();
        assertThat(ClusterJournal.firstOf(kept.get(1))).isEqualTo(2);
        assertThat(ClusterJournal.lastOf(kept.get(1))).isGreaterThanOrEqualTo(4 * BATCH);
        assertThat(kept.get(kept.size() - 1)).isEqualTo(event(6 * BATCH));
    }

    /** Of three lines of events, with a question after each, the second is damaged. */
    @Test
    void what_a_scheduler_remembers_of_lost_events_is_lost_with_them() throws IOException {
        Path file = folder.resolve("c.journal");
        try (StateFolder state = new StateFolder(folder, false);
                ClusterJournal journal = state.create(new RegisteredCluster("c", "small", Clusters.resolve("small")))) {
            for (int sequence = 1; sequence <= 3; sequence++) {
                journal.events(List.of(event(sequence)), 0);
                journal.asked(new AskedQuestion(sequence, sequence, "fifo", 0, true));
            }
        }
        assertThat(remembered(false)).containsExactly(1, 2, 3);
        Files.writeString(file, Files.readString(file).replace("\"sequence\":2", "\"sequence\":7"));

        assertThat(remembered(true)).isEmpty();
        assertThat(remembered(false)).isEmpty();
    }

    /** The last events before the questions with which a cluster is made again. */
    private List<Integer> remembered(boolean isSalvaging) {
        List<Integer> after = new ArrayList<>();
        try (StateFolder state = new StateFolder(folder, isSalvaging);
                ClusterJournal again = state.reopen(folder.resolve("c.journal"), (cluster, events, questions) -> {
                    after.clear();
                    questions.forEach(question -> after.add(question.after()));
                    while (events.next() != null) {
                        assertThat(events.isTorn()).isFalse();
                    }
                })) {
            assertThat(again).isNotNull();
        }
        return after;
    }
}
