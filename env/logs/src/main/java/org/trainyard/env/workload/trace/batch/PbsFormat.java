package org.trainyard.env.workload.trace.batch;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.FirstLines;
import org.trainyard.env.workload.log.LogFile;
import org.trainyard.env.workload.log.LogRows;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.log.TraceRow;
import org.trainyard.env.workload.trace.log.JobRows;
import org.trainyard.env.workload.trace.log.TextRecords;

/** The accounting log of PBS, a record a line. */
public final class PbsFormat extends HeaderlessFormat {
    public PbsFormat() {
        super("pbs", List.of("date;E;job;ctime=", "start=", "end=", "Resource_List.ngpus="), List.of());
    }

    @Override
    protected boolean begins(FirstLines first) {
        return PbsText.isRecord(first.line());
    }

    @Override
    protected Trace lines(LogFile file, TraceReader.Options options, @Nullable Consumer<TraceJob> jobs)
            throws IOException {
        return TextRecords.lines(file, collector(file, options, List.of("record"), jobs));
    }

    @Override
    protected LogRows rows(LogRows.Source source) {
        return new JobRows(source) {
            private final PbsText records = new PbsText(log, source.options().loads());

            @Override
            public @Nullable TraceJob add(TraceRow row) {
                records.add(row);
                return null;
            }

            @Override
            public void finish(Consumer<TraceJob> jobs) {
                records.finish();
                super.finish(jobs);
            }
        };
    }
}
