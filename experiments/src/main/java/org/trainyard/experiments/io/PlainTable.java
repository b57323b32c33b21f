package org.trainyard.experiments.io;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Columns of text: the first flush left, the others flush right. */
public final class PlainTable {
    private final List<List<String>> rows = new ArrayList<>();

    public PlainTable(String... header) {
        rows.add(List.of(header));
    }

    public void add(String... cells) {
        if (cells.length != rows.get(0).size()) {
            throw new IllegalArgumentException("%d cells under %d headings"
                    .formatted(cells.length, rows.get(0).size()));
        }
        rows.add(List.of(cells));
    }

    public void print(PrintWriter out) {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(pad(row.get(0), widths[0], true));
            for (int i = 1; i < widths.length; i++) {
                line.append("  ").append(pad(row.get(i), widths[i], false));
            }
            out.println(line.toString().stripTrailing());
        }
    }

    private static String pad(String cell, int width, boolean left) {
        String blank = " ".repeat(width - cell.length());
        return left ? cell + blank : blank + cell;
    }
}
