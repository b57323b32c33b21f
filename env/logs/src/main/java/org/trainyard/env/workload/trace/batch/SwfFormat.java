package org.trainyard.env.workload.trace.batch;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.TraceLimits;
import org.trainyard.env.workload.log.FirstLines;
import org.trainyard.env.workload.log.LogFile;
import org.trainyard.env.workload.log.LogRows;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceCollector;
import org.trainyard.env.workload.log.TraceFieldException;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.log.TraceRow;
import org.trainyard.env.workload.trace.log.JobRows;
import org.trainyard.env.workload.trace.log.LogEntry;
import org.trainyard.env.workload.trace.log.LogJobs;
import org.trainyard.env.workload.trace.log.LoggedFormat;

/** The Standard Workload Format of the Parallel Workloads Archive. */
public final class SwfFormat extends LoggedFormat {
    private static final Pattern NUMBERS = Pattern.compile("\\s*-?\\d+(\\s+-?\\d+(\\.\\d+)?){17}\\s*");

    public SwfFormat() {
        super("swf", SwfRows.COLUMNS, List.of());
    }

    @Override
    protected boolean hasHeader() {
        return false;
    }

    @Override
    protected boolean begins(FirstLines first) {
        return first.text()
                .lines()
                .filter(line -> !line.isBlank()
                        && !line.startsWith("#")
                        && !line.stripLeading().startsWith(";"))
                .findFirst()
                .filter(line -> NUMBERS.matcher(line).matches())
                .isPresent();
    }

    @Override
    public Trace read(LogFile file, TraceReader.Options options, @Nullable Consumer<TraceJob> jobs) throws IOException {
        // No JSON is of this format, even where its first line begins as JSON does.
        return file.isParquet() ? super.read(file, options, jobs) : lines(file, options, jobs);
    }

    @Override
    protected Trace lines(LogFile file, TraceReader.Options options, @Nullable Consumer<TraceJob> jobs)
            throws IOException {
        TraceCollector collector = collector(file, options, SwfRows.COLUMNS, jobs);
        BufferedReader text = file.text();
        int number = 0;
        String line = text.readLine();
        while (line != null) {
            number++;
            String row = line.strip();
            if (!row.isEmpty() && !row.startsWith(";") && !row.startsWith("#")) {
                collector.add(List.of(row.split("\\s+", SwfRows.COLUMNS.size() + 1)), number);
            }
            line = text.readLine();
        }
        return collector.finish();
    }

    @Override
    protected LogRows rows(LogRows.Source source) {
        return new JobRows(source) {
            private final SwfRows rows = new SwfRows(log);

            @Override
            public @Nullable TraceJob add(TraceRow row) {
                rows.add(row);
                return null;
            }
        };
    }

    /**
     * Reads the Standard Workload Format (S. Chapin et al., 1999): 18 numbers a line, -1 for unknown, comments behind
     * semicolons. Processors stand for GPUs. Lines of parts of a job (status 2 to 4) repeat what its own line says.
     */
    private static final class SwfRows {
        static final List<String> COLUMNS = List.of(
                "job",
                "submit",
                "wait",
                "run_time",
                "processors",
                "cpu_time",
                "memory",
                "requested_processors",
                "requested_time",
                "requested_memory",
                "status",
                "user",
                "group",
                "executable",
                "queue",
                "partition",
                "preceding_job",
                "think_time");

        private static final int LAST_PART = 4;
        private static final int FIRST_PART = 2;
        private static final int CANCELLED = 5;

        private final LogJobs jobs;

        SwfRows(LogJobs jobs) {
            this.jobs = jobs;
            jobs.note("Processors (field 5, or 8 where it is -1) stand for GPUs (%,d file).");
        }

        /** Takes one row. */
        void add(TraceRow row) {
            long job = row.whole("job", 0, Long.MAX_VALUE / 4);
            long status = row.whole("status", -1, 100);
            if (status >= FIRST_PART && status <= LAST_PART) {
                jobs.note("%,d lines are parts of jobs; folded.");
                return;
            }
            long processors = row.whole("processors", -1, TraceLimits.GPUS);
            long requested = row.whole("requested_processors", -1, TraceLimits.GPUS);
            long gpus = processors > 0 ? processors : requested;
            if (gpus <= 0) {
                jobs.leaveOut("without processors");
                return;
            }
            boolean ran = known(row, "run_time");
            long length = ran ? row.nanos("run_time", TraceRow.SECOND) : 0;
            if (length == 0) {
                jobs.leaveOut(
                        status == CANCELLED || !ran ? "that never ran" : "that ended in the second of their start");
                return;
            }
            if (!known(row, "submit")) {
                throw new TraceFieldException("submit", row.text("submit"), "a time of zero or more");
            }
            long submit = row.nanos("submit", TraceRow.SECOND);
            LogEntry entry = new LogEntry(Long.toString(job))
                    .submitted(submit)
                    .lasted(length)
                    .gpus((int) gpus, 1000)
                    .by(name(row, "user", "u"), null, name(row, "executable", "app"))
                    .in(name(row, "queue", "q"))
                    .terms(terms(row));
            if (known(row, "wait")) {
                long start = submit + row.nanos("wait", TraceRow.SECOND);
                entry.ran(start, start + length);
            }
            jobs.take(entry);
        }

        private static boolean known(TraceRow row, String column) {
            return !row.text(column).strip().startsWith("-");
        }

        private @Nullable String name(TraceRow row, String column, String prefix) {
            return known(row, column) ? jobs.shared(prefix + row.text(column).strip()) : null;
        }

        private SubmissionTerms terms(TraceRow row) {
            SubmissionTerms.Builder terms = new SubmissionTerms.Builder()
                    .partition(name(row, "partition", "p"))
                    .unixGroup(name(row, "group", "g"));
            if (known(row, "requested_time")) {
                terms.limitNanos(row.nanos("requested_time", TraceRow.SECOND));
            }
            if (known(row, "preceding_job")) {
                terms.dependency("afterany:" + row.text("preceding_job").strip());
            }
            return terms.build();
        }
    }
}
