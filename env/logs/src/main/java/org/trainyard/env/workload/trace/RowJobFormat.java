package org.trainyard.env.workload.trace;

import java.util.List;
import org.trainyard.env.workload.log.LogRows;
import org.trainyard.env.workload.log.RowFormat;

/** A table of which each row is a job. */
final class RowJobFormat extends RowFormat {
    private final LogRows rows;

    RowJobFormat(String label, List<String> required, List<String> optional, LogRows rows) {
        super(label, required, optional);
        this.rows = rows;
    }

    @Override
    protected LogRows rows(LogRows.Source source) {
        return rows;
    }
}
