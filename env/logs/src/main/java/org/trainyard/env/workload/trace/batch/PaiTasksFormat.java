package org.trainyard.env.workload.trace.batch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.FileText;
import org.trainyard.env.workload.log.FirstLines;
import org.trainyard.env.workload.log.LogFile;
import org.trainyard.env.workload.log.LogRows;
import org.trainyard.env.workload.log.TableText;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.log.TraceRow;
import org.trainyard.env.workload.trace.log.GpuText;
import org.trainyard.env.workload.trace.log.JobRows;
import org.trainyard.env.workload.trace.log.LogEntry;
import org.trainyard.env.workload.trace.log.LogJobs;
import org.trainyard.env.workload.trace.log.TableFormat;
import org.trainyard.env.workload.trace.log.TableRows;

/**
 * The task table of PAI as published: comes without a header. The tasks of a job are a gang. Who submitted a job, and
 * when, is in the job table, if that is beside it.
 */
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
            private final TableRows rows =
                    new TableRows(table(), source.columns(), log, source.options(), GpuText.NONE, submissions != null);

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

    /**
     * The table of jobs that PAI, 2020, has beside its table of tasks: who submitted a job, and when. It is kept in
     * memory, about a hundred bytes a job. Like the table of tasks it comes without a header; one that was added is
     * skipped.
     */
    private static final class PaiJobTable {
        private static final String NAME = "pai_job_table.csv";
        private static final List<String> TASKS = List.of("pai_task_table.csv", "pai_task_table.csv.gz");
        private static final int COLUMNS = 6;
        private static final int USER = 2;
        private static final int SUBMITTED = 4;
        private static final String TIME = "\\d{1,9}(\\.\\d{1,9})?";
        private static final int NANO_DIGITS = 9;

        private record Submission(@Nullable String user, long nanos) {}

        private final Map<String, Submission> submissions = new HashMap<>();
        private final LogJobs log;

        private PaiJobTable(LogJobs log) {
            this.log = log;
        }

        /** The table of tasks in a folder, or null. */
        static @Nullable Path tasksIn(Path folder) {
            return TASKS.stream()
                    .map(folder::resolve)
                    .filter(Files::isRegularFile)
                    .findFirst()
                    .orElse(null);
        }

        /**
         * The table beside a table of tasks, plain or gzipped, or null without one.
         *
         * @param mostBytes of text, unpacked; a longer file is refused
         * @param log is told what is odd
         */
        static @Nullable PaiJobTable beside(Path tasks, long mostBytes, LogJobs log) {
            for (String name : List.of(NAME, NAME + ".gz")) {
                Path file = tasks.resolveSibling(name);
                if (Files.isRegularFile(file)) {
                    PaiJobTable table = new PaiJobTable(log);
                    try (BufferedReader text = FileText.open(file, mostBytes, bytes -> {})) {
                        text.lines().forEach(table::add);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    log.note("Users and submissions are those of pai_job_table beside it (%,d file).");
                    return table;
                }
            }
            log.note("Users and submissions are in pai_job_table, which is not beside this file (%,d file).");
            return null;
        }

        private void add(String line) {
            List<String> fields = List.of(line.split(",", -1));
            if (line.isBlank() || fields.get(0).equals("job_name")) {
                return;
            }
            if (fields.size() != COLUMNS || !fields.get(SUBMITTED).matches(TIME)) {
                log.note("%,d rows have no time of submission in pai_job_table; not used.");
                return;
            }
            String user = fields.get(USER).strip();
            submissions.put(
                    fields.get(0),
                    new Submission(
                            user.isEmpty() ? null : log.shared(user),
                            new BigDecimal(fields.get(SUBMITTED))
                                    .movePointRight(NANO_DIGITS)
                                    .longValue()));
        }

        /** The task with what the table says of its job. */
        LogEntry completed(LogEntry task) {
            Submission submission = submissions.get(task.id());
            if (submission == null) {
                log.note(
                        "%,d tasks are of jobs that pai_job_table lacks; the starts of these stand for their submissions.");
                return task;
            }
            if (!task.submittedBy(submission.user, submission.nanos)) {
                log.note("%,d tasks start before pai_job_table has the job submitted; a wait of 0 s.");
            }
            return task;
        }
    }
}
