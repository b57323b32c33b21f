package org.trainyard.experiments.twin;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.env.InputException;

/** A file with a line of names and a delimiter: CSV with quotes, or what sacct -P prints. */
final class DelimitedFile {
    private final String source;
    private final Map<String, Integer> columns = new HashMap<>();
    private final List<List<String>> rows = new ArrayList<>();

    DelimitedFile(String source, List<String> lines, char delimiter, String... needed) {
        this.source = source;
        for (String line : lines) {
            if (line.isBlank()) {
                continue;
            }
            List<String> cells = split(line, delimiter);
            if (columns.isEmpty()) {
                for (String cell : cells) {
                    columns.put(cell, columns.size());
                }
            } else {
                rows.add(cells);
            }
        }
        for (String name : needed) {
            if (!columns.containsKey(name)) {
                throw InputException.at(source + ":1", columns.keySet(), "a column " + name);
            }
        }
    }

    private static List<String> split(String line, char delimiter) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char at = line.charAt(i);
            if (at == '"') {
                quoted = !quoted;
            } else if (at == delimiter && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(at);
            }
        }
        cells.add(cell.toString());
        return cells;
    }

    int rows() {
        return rows.size();
    }

    /** A cell; empty where the row or the file has none. */
    String text(int row, String column) {
        Integer at = columns.get(column);
        return at == null || at >= rows.get(row).size() ? "" : rows.get(row).get(at);
    }

    /** A whole number; the default where the cell is empty. */
    long number(int row, String column, long otherwise) {
        String text = text(row, column);
        if (text.isEmpty()) {
            return otherwise;
        }
        if (!text.matches("\\d{1,15}")) {
            throw InputException.at("%s:%d, %s".formatted(source, row + 2, column), text, "a whole number");
        }
        return Long.parseLong(text);
    }

    String place(int row, String column) {
        return "%s:%d, %s".formatted(source, row + 2, column);
    }
}
