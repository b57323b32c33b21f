package org.trainyard.experiments.io;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An answer of a command to people: sentences and tables, in the order in which they are read.
 *
 * <p>The same for machines is a record, which {@link JsonText} writes.
 */
public final class Answer {
    private static final int WIDTH = 100;
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}&&[^\n\t]]");

    private final List<Part> parts = new ArrayList<>();

    /** A paragraph or a table; exactly one is not null. */
    private record Part(
            @Nullable String sentence,
            boolean isWrapped,
            @Nullable AnswerTable<?> table) {
        String console() {
            if (table != null) {
                return table.console();
            }
            return isWrapped ? wrapped(String.valueOf(sentence)) : sentence + "\n";
        }
    }

    /** Adds a sentence that has a line of its own, however long; an empty one is an empty line. */
    public Answer say(String sentence) {
        parts.add(new Part(sentence, false, null));
        return this;
    }

    /** Adds a sentence by a format, as {@link CellFormat#number} writes it. */
    public Answer tell(String format, Object... values) {
        return say(CellFormat.number(format, values));
    }

    /** Adds sentences, a line each. */
    public Answer say(Iterable<String> sentences) {
        sentences.forEach(this::say);
        return this;
    }

    /** Adds a sentence in lines of at most 100 columns; nothing when it is empty. */
    public Answer wrap(String sentence) {
        if (!sentence.isEmpty()) {
            parts.add(new Part(sentence, true, null));
        }
        return this;
    }

    /** Adds sentences in lines of at most 100 columns. */
    public Answer wrap(Iterable<String> sentences) {
        sentences.forEach(this::wrap);
        return this;
    }

    public Answer table(AnswerTable<?> table) {
        parts.add(new Part(null, false, table));
        return this;
    }

    /** Adds an empty line. */
    public Answer gap() {
        return say("");
    }

    /** Adds what another answer says. */
    public Answer add(Answer other) {
        parts.addAll(other.parts);
        return this;
    }

    public boolean isEmpty() {
        return parts.isEmpty();
    }

    /** Text for a console, each line ended by a newline; control characters, as in names of a log, are {@code ?}. */
    public String console() {
        StringBuilder text = new StringBuilder();
        parts.forEach(part -> text.append(part.console()));
        return CONTROL.matcher(text).replaceAll("?");
    }

    public void print(PrintWriter out) {
        out.print(console());
    }

    /** The first table, or null without one. */
    public @Nullable AnswerTable<?> firstTable() {
        return parts.stream()
                .<@Nullable AnswerTable<?>>map(Part::table)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** All sentences, those of tables left out. */
    public List<String> sentences() {
        return parts.stream()
                .filter(part -> part.table() == null)
                .map(part -> String.valueOf(part.sentence()))
                .filter(sentence -> !sentence.isBlank())
                .toList();
    }

    /** The section of a page: sentences above the first table, the table, sentences below it. */
    public Section section(String trust, List<?> waitBySize) {
        List<String> sentences = new ArrayList<>();
        List<String> footnotes = new ArrayList<>();
        List<List<String>> cells = List.of();
        for (Part part : parts) {
            if (part.table() != null) {
                cells = cells.isEmpty() ? part.table().cells() : cells;
            } else if (!String.valueOf(part.sentence()).isEmpty()) {
                (cells.isEmpty() ? sentences : footnotes).add(String.valueOf(part.sentence()));
            }
        }
        return new Section(trust, sentences, cells, footnotes, waitBySize);
    }

    /**
     * An answer in {@code report.html}, under the key {@code advice}.
     *
     * @param trust a word by which the page colours it, or empty
     * @param waitBySize rows of a chart, or empty
     */
    public record Section(
            String trust,
            List<String> sentences,
            List<List<String>> table,
            List<String> footnotes,
            List<?> waitBySize) {}

    /** A sentence in lines of at most 100 columns. */
    public static String wrapped(String sentence) {
        return sentence.replaceAll("(.{1,%d})(?: |$)".formatted(WIDTH), "$1\n");
    }
}
