package org.trainyard.agents.heuristic.slurm.configuration;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.env.InputException;

/** A table as {@code sacctmgr -P show} prints it: a line of names, then lines of values, split by bars. */
final class AccountingTable {
    private final String source;
    private final Map<String, Integer> columns = new HashMap<>();
    private final List<String[]> rows = new ArrayList<>();

    AccountingTable(String source, List<String> lines, String needed) {
        this.source = source;
        for (String line : lines) {
            if (line.isBlank()) {
                continue;
            }
            String[] cells = line.split("\\|", -1);
            if (columns.isEmpty()) {
                for (int i = 0; i < cells.length; i++) {
                    columns.put(cells[i].strip(), i);
                }
                if (!columns.containsKey(needed)) {
                    throw InputException.at(source + ":1", line, "a line of names with " + needed);
                }
            } else {
                rows.add(cells);
            }
        }
    }

    int rows() {
        return rows.size();
    }

    /** A cell; empty where the table has no such column. */
    String text(int row, String column) {
        Integer at = columns.get(column);
        String[] cells = rows.get(row);
        return at == null || at >= cells.length ? "" : cells[at].strip();
    }

    /** A whole number; the default where the cell is empty. */
    long number(int row, String column, long otherwise) {
        String text = text(row, column);
        return text.isEmpty() ? otherwise : SlurmConf.number(source + ":" + (row + 2), column, text);
    }

    /** The limits that begin with a word, such as {@code GrpTRES}. */
    TresLimits limits(int row, String tres, String jobs) {
        return TresLimits.parse(
                "%s:%d, %s".formatted(source, row + 2, tres), text(row, tres), (int) number(row, jobs, -1));
    }

    /** Minutes of a span of time in seconds; -1 for none. */
    long seconds(int row, String column) {
        return SlurmConf.seconds(source + ":" + (row + 2), column, text(row, column), 60);
    }
}
