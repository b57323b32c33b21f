package org.trainyard.env.workload.trace.batch;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.FirstLines;
import org.trainyard.env.workload.log.LogFile;
import org.trainyard.env.workload.log.LogRows;
import org.trainyard.env.workload.log.TableText;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.trace.log.LoggedFormat;

/**
 * The traces of Gavel (D. Narayanan et al., OSDI 2020): 10 or 7 columns by tabs, no header. A duration is its steps at
 * the measured speed on V100s.
 */
public final class GavelFormat extends LoggedFormat {
    public GavelFormat() {
        super("gavel", GavelRows.COLUMNS, List.of());
    }

    @Override
    protected boolean hasHeader() {
        return false;
    }

    @Override
    protected boolean isOfSingleRows() {
        return true;
    }

    @Override
    protected boolean begins(FirstLines first) {
        String[] fields = first.line().split("\t", -1);
        return fields.length > 1 && GavelRows.isType(fields[0]);
    }

    @Override
    protected Trace lines(LogFile file, TraceReader.Options options, @Nullable Consumer<TraceJob> jobs)
            throws IOException {
        boolean isOld = file.first().line().split("\t", -1).length == GavelRows.OLD_COLUMNS.size();
        List<String> columns = isOld ? GavelRows.OLD_COLUMNS : GavelRows.COLUMNS;
        return TableText.headless(file, '\t', collector(file, options, columns, jobs));
    }

    @Override
    protected LogRows rows(LogRows.Source source) {
        return row -> GavelRows.entry(row).alone().traced();
    }
}
