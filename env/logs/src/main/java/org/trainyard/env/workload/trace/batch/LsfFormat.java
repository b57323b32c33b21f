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
import org.trainyard.env.workload.log.TraceColumns;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.log.TraceRow;
import org.trainyard.env.workload.trace.log.JobRows;
import org.trainyard.env.workload.trace.log.TableFormat;
import org.trainyard.env.workload.trace.log.TextRecords;

/** LSF: its accounting file {@code lsb.acct}, or {@code bjobs -a -json -o "..."} with these columns. */
public final class LsfFormat extends TableFormat {
    private static final String RECORD = "record";

    public LsfFormat() {
        super(
                "lsf",
                "job=jobid,state=stat,submit=submit_time,start=start_time,end=finish_time,gpus=gpu_num,user=user?,partition=queue?,group=job_name?,account=proj_name?,node_list=exec_host?,ignore=job_name"
                        + " gpu_alloc gpu_mode run_time pend_time from_host nexec_host nalloc_slot slots");
    }

    @Override
    protected boolean begins(FirstLines first) {
        return LsfText.isRecord(first.line());
    }

    @Override
    protected Trace lines(LogFile file, TraceReader.Options options, @Nullable Consumer<TraceJob> jobs)
            throws IOException {
        return TextRecords.lines(file, collector(file, options, List.of(RECORD), jobs));
    }

    @Override
    protected boolean reads(String column, TraceColumns columns) {
        return columns.has(RECORD) || super.reads(column, columns);
    }

    @Override
    protected LogRows rows(LogRows.Source source) {
        if (!source.columns().has(RECORD)) {
            return super.rows(source);
        }
        return new JobRows(source) {
            private final LsfText records = new LsfText(log);

            @Override
            public @Nullable TraceJob add(TraceRow row) {
                records.add(row);
                return null;
            }
        };
    }
}
