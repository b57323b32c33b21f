package org.trainyard.env.workload.trace;

import java.util.List;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.adaptive.AdaptiveTrainingRun;
import org.trainyard.env.workload.log.FirstLines;
import org.trainyard.env.workload.log.LogRows;
import org.trainyard.env.workload.log.TraceRow;
import org.trainyard.env.workload.trace.batch.GavelRows;
import org.trainyard.env.workload.trace.log.LoggedFormat;

/**
 * The traces of Shockwave (P. Zheng et al., NSDI 2023), of Gavel's make: columns separated by tabs, and no header. Seconds; a job
 * is called by its line. A job whose batch size adapts runs shorter than the duration column says, which is for its first batch
 * size: its duration is that of its {@link AdaptiveTrainingRun}, where there are rates for it.
 */
final class ShockwaveFormat extends LoggedFormat {
    ShockwaveFormat() {
        super("shockwave", ShockwaveRow.COLUMNS, List.of());
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
        return fields.length == ShockwaveRow.COLUMNS.size() && GavelRows.isType(fields[0]);
    }

    @Override
    protected LogRows rows(LogRows.Source source) {
        return new LogRows() {
            private final ShockwaveRow.Tally adaptive = new ShockwaveRow.Tally();

            @Override
            public TraceJob add(TraceRow row) {
                TraceJob job = ShockwaveRow.job(row);
                adaptive.add(job);
                return job;
            }

            @Override
            public List<String> remarks(long jobs) {
                String remark = adaptive.remark();
                return remark == null ? List.of() : List.of(remark);
            }
        };
    }
}
