package org.trainyard.experiments.io;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table of text; the first column and columns without a heading are aligned to the left, all others to the right. */
public final class TextTable {
    private static final String GAP = "  ";

    private final List<String[]> rows = new ArrayList<>();

    public TextTable(String... header) {
        rows.add(header.clone());
    }

    public void add(String... cells) {
        int columns = rows.get(0).length;
        if (cells.length != columns) {
            throw new IllegalArgumentException("%d cells under %d headings".formatted(cells.length, columns));
        }
        rows.add(cells.clone());
    }

    /** The header and the rows, cell by cell. */
    public List<List<String>> rows() {
        return rows.stream().map(List::of).toList();
    }

    /** The header and the rows, each ended by a newline. */
    public String render() {
        String[] header = rows.get(0);
        StringBuilder text = new StringBuilder();
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < header.length; column++) {
                boolean left = column == 0 || header[column].isEmpty();
                line.append(column == 0 ? "" : GAP).append(padded(row[column], width(column), left));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    public void print(PrintWriter out) {
        out.print(render());
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row[column].length()).max().orElse(0);
    }

    private static String padded(String cell, int width, boolean left) {
        String padding = " ".repeat(width - cell.length());
        return left ? cell + padding : padding + cell;
    }

    /** A long name without its middle, because variants of a scheduler differ at the end. */
    public static String shortened(String name, int room) {
        if (name.length() <= room) {
            return name;
        }
        int tail = room / 2;
        return name.substring(0, room - 1 - tail) + "…" + name.substring(name.length() - tail);
    }

    public static String number(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
