package org.trainyard.env.workload.trace.slurm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.trainyard.env.InputException;

/**
 * A table as text: a line of names, then lines of values. The tools of Slurm split them by bars with {@code -P}; in CSV
 * a cell in quotes may hold commas.
 */
public final class DelimitedTable {
    private final String source;
    private final Map<String, Integer> columns = new LinkedHashMap<>();
    private final List<List<String>> rows = new ArrayList<>();

    private DelimitedTable(String source, List<String> lines, char delimiter, String... needed) {
        this.source = source;
        for (String line : lines) {
            if (line.isBlank()) {
                continue;
            }
            List<String> cells = delimiter == ',' ? quoted(line) : List.of(line.split("\\|", -1));
            if (columns.isEmpty()) {
                cells.forEach(cell -> columns.put(cell.strip(), columns.size()));
                for (String name : needed) {
                    if (!columns.containsKey(name)) {
                        throw InputException.at(source + ":1", line, "a line of names with " + name + seems());
                    }
                }
            } else {
                rows.add(cells);
            }
        }
    }

    /** The other table of Slurm that this looks like, in brackets; empty for none. */
    private String seems() {
        String other = columns.containsKey("JobID")
                ? "sacct"
                : columns.containsKey("Account") && columns.containsKey("User")
                        ? "sacctmgr -P show assoc (assoc.txt)"
                        : columns.containsKey("Name") && columns.containsKey("Priority")
                                ? "sacctmgr -P show qos (qos.txt)"
                                : null;
        return other == null ? "" : "; this looks like what %s prints".formatted(other);
    }

    /** A table as {@code sacct -P} or {@code sacctmgr -P show} prints it; the columns that are needed must be there. */
    public static DelimitedTable ofBars(String source, List<String> lines, String... needed) {
        return new DelimitedTable(source, lines, '|', needed);
    }

    /** Comma-separated values; the columns that are needed must be there. */
    public static DelimitedTable ofCommas(String source, List<String> lines, String... needed) {
        return new DelimitedTable(source, lines, ',', needed);
    }

    private static List<String> quoted(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char at = line.charAt(i);
            if (at == '"') {
                quoted = !quoted;
            } else if (at == ',' && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(at);
            }
        }
        cells.add(cell.toString());
        return cells;
    }

    /** The names of the columns. */
    public Set<String> columns() {
        return columns.keySet();
    }

    /** Whether a cell of a column has more than nothing, zero or no. */
    public boolean saysSomething(String column) {
        for (int row = 0; row < rows.size(); row++) {
            if (!text(row, column).matches("(?i)|[0:.]+|no|none|cluster|n/a")) {
                return true;
            }
        }
        return false;
    }

    /** Whether a cell of a column has more than a word for nothing; zero is a limit. */
    public boolean hasText(String column) {
        for (int row = 0; row < rows.size(); row++) {
            if (!text(row, column).matches("(?i)|0?\\.0+|none|n/a")) {
                return true;
            }
        }
        return false;
    }

    public int rows() {
        return rows.size();
    }

    /** A cell; empty where the row or the table has none. */
    public String text(int row, String column) {
        Integer at = columns.get(column);
        List<String> cells = rows.get(row);
        return at == null || at >= cells.size() ? "" : cells.get(at).strip();
    }

    /** The spaces before the text of a cell. */
    public int indent(int row, String column) {
        Integer at = columns.get(column);
        String cell =
                at == null || at >= rows.get(row).size() ? "" : rows.get(row).get(at);
        return cell.length() - cell.stripLeading().length();
    }

    /** A whole number; the default where the cell is empty. */
    public long number(int row, String column, long otherwise) {
        String text = text(row, column);
        return text.isEmpty() ? otherwise : SlurmText.number(place(row, column), text);
    }

    /** Where a cell stands, for messages. */
    public String place(int row, String column) {
        return "%s:%d, %s".formatted(source, row + 2, column);
    }

    /** Seconds of a span of time, in which a plain number is minutes; -1 for no limit. */
    public long seconds(int row, String column) {
        return SlurmText.seconds(place(row, column), text(row, column));
    }
}
