package org.trainyard.experiments.io;

import java.util.List;
import java.util.Locale;

/** Rows of text as columns as wide as their widest cell; the first and an untitled last one to the left, the others to the right. */
public final class TextTable {
    private static final String GAP = "  ";

    private TextTable() {}

    /** @param rows the header first; each line of the answer ends with a newline */
    public static String layout(List<String[]> rows) {
        String[] header = rows.get(0);
        StringBuilder text = new StringBuilder();
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < header.length; column++) {
                boolean left = column == 0 || header[column].isEmpty();
                line.append(column == 0 ? "" : GAP).append(padded(row[column], width(rows, column), left));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static int width(List<String[]> rows, int column) {
        return rows.stream().mapToInt(row -> row[column].length()).max().orElse(0);
    }

    private static String padded(String cell, int width, boolean left) {
        String padding = " ".repeat(width - cell.length());
        return left ? cell + padding : padding + cell;
    }

    /** Long names lose their middle: variants of a scheduler differ at the end. */
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
