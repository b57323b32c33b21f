package org.trainyard.experiments.service.journal;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.trainyard.env.FailedWriteException;

/**
 * One write-ahead file of entries: what {@link #append} has returned from is there after a kill or a loss of power. A
 * last line that a kill has left incomplete is dropped.
 */
public final class EntryLog implements Closeable {
    private final Path file;
    private final AppendedFile appended;

    /**
     * Opens or makes the file; one process at a time, which the caller sees to.
     *
     * @param replay is given the entries that are there, in order
     */
    public EntryLog(Path file, Consumer<JsonNode> replay) {
        this.file = file;
        long sound = 0;
        if (Files.exists(file)) {
            try (JournalReader reader = new JournalReader(file)) {
                for (JsonNode entry = reader.next(); entry != null; entry = reader.next()) {
                    replay.accept(entry);
                }
                sound = reader.soundBytes();
            }
        }
        try {
            appended = new AppendedFile(file, sound);
        } catch (IOException e) {
            throw new FailedWriteException(file, e);
        }
    }

    /** Appends entries and waits until they are on the disk. */
    public void append(List<? extends JsonNode> entries) {
        try {
            for (int i = 0; i < entries.size(); i++) {
                appended.append(JournalLine.of(entries.get(i)), i == entries.size() - 1);
            }
        } catch (IOException e) {
            throw new FailedWriteException(file, e);
        }
    }

    @Override
    public void close() {
        try {
            appended.close();
        } catch (IOException e) {
            throw new FailedWriteException(file, e);
        }
    }
}
