package org.trainyard.experiments.service.journal;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.trainyard.experiments.io.JsonText;

/**
 * The write-ahead files of one cluster, from which its state is made again: one of its registration and its events, and
 * one of the questions that its scheduler remembers.
 *
 * <p>Events are on the disk before they are acknowledged. Questions are with the system only; they are dropped when a
 * new scheduler takes over, so their file never has more than {@link #MOST_QUESTIONS}.
 */
public final class ClusterJournal implements Closeable {
    /** Questions after which a new scheduler has to take over. */
    public static final int MOST_QUESTIONS = 4_096;

    /** Reports of progress after which the file of events may be worth compacting. */
    private static final int MANY_REPORTS = 50_000;

    private final Path file;
    private final AppendedFile questions;
    private AppendedFile events;
    private int remembered;
    /** Number of the last event before the first question that is remembered. */
    private int firstAfter;

    private int reports;
    private int nextCompaction = MANY_REPORTS;

    /** @param asked the questions that are remembered */
    ClusterJournal(Path file, AppendedFile events, AppendedFile questions, List<AskedQuestion> asked) {
        this.file = file;
        this.events = events;
        this.questions = questions;
        remembered = asked.size();
        firstAfter = Compaction.last(asked);
    }

    /**
     * Appends events; they are on the disk when this returns.
     *
     * @param wallMillis when they came
     */
    public void events(List<JsonNode> accepted, long wallMillis) {
        append(events, JsonText.tree(Map.of("at", wallMillis, "events", accepted)), true);
        reports += (int) accepted.stream()
                .filter(event -> event.path("type").asText().equals("progress"))
                .count();
        if (reports >= nextCompaction) {
            compact();
        }
    }

    /** Reports that later ones replace leave the file; where few do, it is left for as long again. */
    private void compact() {
        try {
            events.close();
            int dropped = Compaction.of(file, firstAfter);
            events = new AppendedFile(file, Files.size(file));
            reports -= Math.min(reports, dropped);
            nextCompaction = reports + Math.max(reports, MANY_REPORTS);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Appends a question. */
    public void asked(AskedQuestion question) {
        append(questions, question.entry(), false);
        firstAfter = remembered == 0 ? question.after() : firstAfter;
        remembered++;
    }

    /** Drops all questions: a new scheduler takes over, which knows none of them. */
    public void forgetQuestions() {
        if (remembered > 0) {
            try {
                questions.cut(0);
            } catch (IOException e) {
                throw failed(e);
            }
            remembered = 0;
            firstAfter = Integer.MAX_VALUE;
        }
    }

    /** Whether an entry stands for events that later ones replace. */
    public static boolean isGap(JsonNode event) {
        return event.has(Compaction.REPLACED);
    }

    /** The first number of a {@link #isGap gap}. */
    public static int firstOf(JsonNode gap) {
        return gap.path(Compaction.REPLACED).path(0).intValue();
    }

    /** The last number of a {@link #isGap gap}. */
    public static int lastOf(JsonNode gap) {
        return gap.path(Compaction.REPLACED).path(1).intValue();
    }

    /** Whether its file of events is still where it was. */
    public boolean isThere() {
        return Files.exists(file);
    }

    /** Whether there are so many questions that a new scheduler has to take over. */
    public boolean isFull() {
        return remembered >= MOST_QUESTIONS;
    }

    private static void append(AppendedFile file, JsonNode entry, boolean isForced) {
        try {
            file.append(JournalLine.of(entry), isForced);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static UncheckedIOException failed(IOException e) {
        return new UncheckedIOException(String.valueOf(e.getMessage()), e);
    }

    /**
     * The questions of a file in their order; none when it is damaged, for then nobody knows what the scheduler
     * remembered.
     */
    static List<AskedQuestion> questions(JournalReader reader) {
        List<AskedQuestion> questions = new ArrayList<>();
        try {
            for (JsonNode entry = reader.next(); entry != null; entry = reader.next()) {
                AskedQuestion question = AskedQuestion.of(entry);
                if (question == null || questions.size() == 2 * MOST_QUESTIONS) {
                    return List.of();
                }
                questions.add(question);
            }
            return questions;
        } catch (DamagedLine e) {
            return List.of();
        }
    }

    @Override
    public void close() {
        try {
            try {
                events.close();
            } finally {
                questions.close();
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }
}
