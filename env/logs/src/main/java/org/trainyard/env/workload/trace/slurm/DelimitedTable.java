package org.trainyard.env.workload.trace.slurm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.log.BarredName;

/**
 * A table as text: a line of names, then lines of values. The tools of Slurm split them by bars with {@code -P}; in CSV
 * a cell in quotes may hold commas.
 */
public final class DelimitedTable {
    private final String source;
    private final Map<String, Integer> columns = new LinkedHashMap<>();
    private final List<Row> rows = new ArrayList<>();

    /** The cells of a line of the text, counted from 1. */
    private record Row(int line, List<String> cells) {}

    private DelimitedTable(String source, Map<String, Integer> columns, List<Row> rows) {
        this.source = source;
        this.columns.putAll(columns);
        this.rows.addAll(rows);
    }

    private DelimitedTable(String source, List<String> lines, char delimiter, String... needed) {
        this.source = source;
        int number = 0;
        int width = 0;
        BarredName barred = new BarredName(List.of());
        for (String line : lines) {
            number++;
            if (line.isBlank()) {
                continue;
            }
            List<String> cells = delimiter == ',' ? quoted(line) : List.of(line.split("\\|", -1));
            if (columns.isEmpty()) {
                width = cells.size();
                barred = new BarredName(cells);
                for (int column = 0; column < width; column++) {
                    columns.putIfAbsent(cells.get(column).strip(), column);
                }
                for (String name : needed) {
                    if (!columns.containsKey(name)) {
                        throw InputException.at(source + ":" + number, line, "a line of names with " + name + seems());
                    }
                }
            } else {
                boolean isBarred = delimiter == '|' && cells.size() > width;
                rows.add(new Row(number, isBarred ? barred.mended(cells) : cells));
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

    /** Returns the table with only the rows whose cell of a column has this text. */
    public DelimitedTable only(String column, String text) {
        List<Row> kept = new ArrayList<>();
        for (int row = 0; row < rows.size(); row++) {
            if (text(row, column).equals(text)) {
                kept.add(rows.get(row));
            }
        }
        return new DelimitedTable(source, columns, kept);
    }

    /** The cell of the first of these columns that says something there; empty for none. */
    public String first(int row, String... names) {
        return Arrays.stream(names)
                .map(name -> text(row, name))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("");
    }

    public int rows() {
        return rows.size();
    }

    /** A cell; empty where the row or the table has none. */
    public String text(int row, String column) {
        Integer at = columns.get(column);
        List<String> cells = rows.get(row).cells;
        return at == null || at >= cells.size() ? "" : cells.get(at).strip();
    }

    /** The spaces before the text of a cell. */
    public int indent(int row, String column) {
        Integer at = columns.get(column);
        List<String> cells = rows.get(row).cells;
        String cell = at == null || at >= cells.size() ? "" : cells.get(at);
        return cell.length() - cell.stripLeading().length();
    }

    /** A whole number; the default where the cell is empty. */
    public long number(int row, String column, long otherwise) {
        String text = text(row, column);
        return text.isEmpty() ? otherwise : SlurmText.number(place(row, column), text);
    }

    /** Where a cell stands, for messages. */
    public String place(int row, String column) {
        return "%s:%d, %s".formatted(source, rows.get(row).line, column);
    }

    /** Seconds of a span of time, in which a plain number is minutes; -1 for no limit. */
    public long seconds(int row, String column) {
        return SlurmText.seconds(place(row, column), text(row, column));
    }
}
