package org.trainyard.experiments.io;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A table of an {@link Answer}: rows, and typed columns that say how the cells of a row read.
 *
 * <p>On a console the first column and columns without a heading are aligned to the left, all others to the right. A
 * value of null is an empty cell.
 */
public final class AnswerTable<R> {
    private static final String GAP = "  ";

    private final Iterable<R> rows;
    private final List<String> headings = new ArrayList<>();
    private final List<Function<? super R, @Nullable String>> columns = new ArrayList<>();

    private AnswerTable(Iterable<R> rows) {
        this.rows = rows;
    }

    /** A table without columns; {@code rows} are read whenever it is rendered. */
    public static <R> AnswerTable<R> of(Iterable<R> rows) {
        return new AnswerTable<>(rows);
    }

    public static AnswerTable<List<String>> texts(List<String> headings, List<List<String>> rows) {
        AnswerTable<List<String>> table = of(rows);
        for (int i = 0; i < headings.size(); i++) {
            int column = i;
            table.text(headings.get(i), row -> row.get(column));
        }
        return table;
    }

    /** Adds a column of words. */
    public AnswerTable<R> text(String heading, Function<? super R, ? extends @Nullable String> value) {
        headings.add(heading);
        columns.add(value::apply);
        return this;
    }

    /** Adds a column of numbers; {@link Number#doubleValue} is formatted. */
    public AnswerTable<R> column(
            String heading, CellFormat format, Function<? super R, ? extends @Nullable Number> value) {
        return text(heading, row -> {
            Number number = value.apply(row);
            return number == null ? "" : format.text(number.doubleValue());
        });
    }

    /** Adds a column of floating-point numbers. */
    public AnswerTable<R> number(String heading, String format, Function<? super R, ? extends @Nullable Number> value) {
        return column(heading, CellFormat.of(format), value);
    }

    /** Adds a column of shares in per cent, with one decimal place. */
    public AnswerTable<R> percent(String heading, Function<? super R, ? extends @Nullable Number> share) {
        return column(heading, CellFormat.percent(1), share);
    }

    /** Adds a column of seconds as durations for people. */
    public AnswerTable<R> duration(String heading, Function<? super R, ? extends @Nullable Number> seconds) {
        return column(heading, CellFormat.DURATION, seconds);
    }

    /** Adds a column of whole numbers. */
    public AnswerTable<R> count(String heading, Function<? super R, ? extends @Nullable Number> number) {
        return column(heading, CellFormat.COUNT, number);
    }

    /** The headings and the rows, cell by cell. */
    public List<List<String>> cells() {
        List<List<String>> cells = new ArrayList<>();
        cells.add(List.copyOf(headings));
        rows.forEach(row -> cells.add(cells(row)));
        return cells;
    }

    private List<String> cells(R row) {
        return columns.stream()
                .map(column -> column.apply(row))
                .map(cell -> cell == null ? "" : cell)
                .toList();
    }

    /** The headings and the rows for a console, each ended by a newline. */
    public String console() {
        List<List<String>> cells = cells();
        int[] widths = new int[headings.size()];
        for (List<String> row : cells) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : cells) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                String cell = row.get(column);
                String padding = " ".repeat(widths[column] - cell.length());
                boolean left = column == 0 || headings.get(column).isEmpty();
                line.append(column == 0 ? "" : GAP).append(left ? cell + padding : padding + cell);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    /**
     * The headings and the rows in Markdown, each ended by a newline.
     *
     * @param rules below the headings, such as {@code ---|--:} with a second column aligned to the right
     */
    public String markdown(String rules) {
        StringBuilder text = new StringBuilder();
        headings.forEach(heading -> text.append("| ").append(heading).append(heading.isEmpty() ? "" : " "));
        text.append("|\n|").append(rules).append("|\n");
        rows.forEach(
                row -> text.append("| ").append(String.join(" | ", cells(row))).append(" |\n"));
        return text.toString();
    }

    /**
     * The headings and the rows as a {@code tabular} of LaTeX, which needs no package; all columns but the first are
     * aligned to the right.
     */
    public String latex() {
        List<String> lines = new ArrayList<>();
        for (List<String> row : cells()) {
            lines.add(row.stream().map(AnswerTable::escaped).collect(Collectors.joining(" & ")) + " \\\\");
        }
        lines.add(1, "\\hline");
        return "\\begin{tabular}{l%s}\n\\hline\n%s\n\\hline\n\\end{tabular}\n"
                .formatted("r".repeat(headings.size() - 1), String.join("\n", lines));
    }

    /** The {@code tabular} below sentences as comments: what the table says and how it is to be read. */
    public String latex(List<String> sentences) {
        return sentences.stream()
                        .flatMap(String::lines)
                        .map(line -> "%% %s\n".formatted(line))
                        .collect(Collectors.joining())
                + latex();
    }

    /** Text in which no character is a command of LaTeX. */
    private static String escaped(String cell) {
        return cell.replace("\\", "\\textbackslash")
                .replaceAll("[&%$#_{}]", "\\\\$0")
                .replace("\\textbackslash", "\\textbackslash{}")
                .replace("~", "\\textasciitilde{}")
                .replace("^", "\\textasciicircum{}")
                .replace("<", "\\textless{}")
                .replace(">", "\\textgreater{}")
                .replace("…", "\\ldots{}");
    }

    /** The headings and the rows as CSV, lines ended by {@code \n}. */
    public String csv() {
        return csv(LineDelimiter.LF);
    }

    /** The headings and the rows as CSV. */
    public String csv(LineDelimiter lines) {
        StringWriter text = new StringWriter();
        write(text, lines);
        return text.toString();
    }

    /** Writes the headings and the rows as CSV in UTF-8; a row is read when it is written. The stream is not closed. */
    public void csv(OutputStream out) throws IOException {
        Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
        try {
            write(writer, LineDelimiter.LF);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        writer.flush();
    }

    private void write(Writer writer, LineDelimiter lines) {
        CsvWriter csv = CsvWriter.builder().lineDelimiter(lines).build(writer);
        csv.writeRecord(headings);
        rows.forEach(row -> csv.writeRecord(cells(row)));
        try {
            csv.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A long name without its middle, because variants of a scheduler differ at the end. */
    public static String shortened(String name, int room) {
        if (name.length() <= room) {
            return name;
        }
        int tail = room / 2;
        return name.substring(0, room - 1 - tail) + "…" + name.substring(name.length() - tail);
    }
}
