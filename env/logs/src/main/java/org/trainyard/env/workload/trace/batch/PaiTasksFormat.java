package org.trainyard.env.workload.trace.batch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.FirstLines;
import org.trainyard.env.workload.log.LogFile;
import org.trainyard.env.workload.log.LogRows;
import org.trainyard.env.workload.log.TableText;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.log.TraceRow;
import org.trainyard.env.workload.trace.log.JobRows;
import org.trainyard.env.workload.trace.log.LogEntry;
import org.trainyard.env.workload.trace.log.TableFormat;
import org.trainyard.env.workload.trace.log.TableRows;

/** The task table of PAI as published: comes without a header. The tasks of a job are a gang. Who submitted a job, and when, is in the job table, if that is beside it. */
public final class PaiTasksFormat extends TableFormat {
    private static final Pattern TASK = Pattern.compile(
            "[^,]+,[^,]*,\\d+(\\.\\d+)?,(Terminated|Failed|Running|Waiting),[\\d.]*,[\\d.]*,[\\d.]*,[\\d.]*,[\\d.]*,[^,]*");

    private static final List<String> COLUMNS = List.of(
            "job_name",
            "task_name",
            "inst_num",
            "status",
            "start_time",
            "end_time",
            "plan_cpu",
            "plan_mem",
            "plan_gpu",
            "gpu_type");

    public PaiTasksFormat() {
        super(
                "pai-tasks",
                "job=job_name,instances=inst_num,state=status,start=start_time,end=end_time,gpus_each=plan_gpu/100,gpu_type=gpu_type?,ignore=task_name"
                        + " plan_cpu plan_mem");
    }

    @Override
    protected boolean isOfSingleRows() {
        return false;
    }

    @Override
    protected boolean begins(FirstLines first) {
        return TASK.matcher(first.line()).matches();
    }

    @Override
    protected Trace lines(LogFile file, TraceReader.Options options, @Nullable Consumer<TraceJob> jobs)
            throws IOException {
        return TableText.headless(file, ',', collector(file, options, COLUMNS, jobs));
    }

    @Override
    public @Nullable Path tableIn(Path folder) {
        return PaiJobTable.tasksIn(folder);
    }

    @Override
    protected LogRows rows(LogRows.Source source) {
        return new JobRows(source) {
            private final @Nullable PaiJobTable submissions =
                    PaiJobTable.beside(Path.of(source.file()), source.options().mostBytes(), log);
            private final TableRows rows = new TableRows(table(), source.columns(), log, submissions != null);

            @Override
            public @Nullable TraceJob add(TraceRow row) {
                LogEntry entry = rows.entry(row);
                if (entry != null) {
                    LogEntry task = entry.partOf(row.textOr("task_name", ""));
                    log.take(submissions == null ? task : submissions.completed(task));
                }
                return null;
            }

            @Override
            public boolean isDated() {
                return rows.isDated();
            }
        };
    }
}
