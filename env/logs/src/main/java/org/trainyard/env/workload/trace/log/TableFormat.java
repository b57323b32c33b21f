package org.trainyard.env.workload.trace.log;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.LogRows;
import org.trainyard.env.workload.log.TraceRow;

/** A format that is a {@link Table}. */
public class TableFormat extends LoggedFormat {
    private final Table table;

    public TableFormat(String label, Table table) {
        super(label, table.required(), table.optional());
        this.table = table;
    }

    /** The table of a text that is known to be right. */
    public TableFormat(String label, String table) {
        this(label, Table.of(table));
    }

    @Override
    protected boolean isOfSingleRows() {
        return !table.hasPast();
    }

    @Override
    protected LogRows rows(LogRows.Source source) {
        return rows(source, table, GpuText.NONE);
    }

    /** The reader of the rows of a table. */
    static LogRows rows(LogRows.Source source, Table table, GpuText gpus) {
        return new JobRows(source) {
            private final TableRows rows = new TableRows(table, source.columns(), log, source.options(), gpus, false);

            @Override
            public @Nullable TraceJob add(TraceRow row) {
                LogEntry entry = rows.entry(row);
                if (entry != null && !table.hasPast()) {
                    return entry.alone().traced();
                } else if (entry != null) {
                    log.take(entry);
                }
                return null;
            }

            @Override
            public boolean isDated() {
                return rows.isDated();
            }
        };
    }

    /** The table itself. */
    protected final Table table() {
        return table;
    }
}
