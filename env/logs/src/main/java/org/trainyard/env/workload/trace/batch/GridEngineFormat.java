package org.trainyard.env.workload.trace.batch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.HostShare;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.TraceLimits;
import org.trainyard.env.workload.log.FirstLines;
import org.trainyard.env.workload.log.LogFile;
import org.trainyard.env.workload.log.LogRows;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceFieldException;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.log.TraceRow;
import org.trainyard.env.workload.trace.log.JobRows;
import org.trainyard.env.workload.trace.log.Lengths;
import org.trainyard.env.workload.trace.log.LogEntry;
import org.trainyard.env.workload.trace.log.TextRecords;

/**
 * The file of accounting of Grid Engine (accounting(5) of Sun, Son of, Univa and Altair Grid Engine): fields between
 * colons, without a header. GPUs are what {@code -l gpu=2} asks for in the category of a job, once for the whole job.
 */
public final class GridEngineFormat extends HeaderlessFormat {
    private static final List<String> FIELDS = List.of(
            "qname",
            "hostname",
            "group",
            "owner",
            "job_name",
            "job_number",
            "account",
            "priority",
            "submission_time",
            "start_time",
            "end_time",
            "failed",
            "exit_status");

    private static final int PROJECT = 31;
    private static final int SLOTS = 34;
    private static final int TASK = 35;
    private static final int CATEGORY = 39;
    private static final int PART = 41;
    private static final String NOTHING = "NONE";
    private static final long MOST_LIMIT_SECONDS = 100L * 365 * 86_400;
    private static final Pattern DIGITS = Pattern.compile("\\d{1,9}");
    private static final Pattern TIMES = Pattern.compile("\\d{1,19}:\\d{1,19}:\\d{1,19}");
    private static final Pattern GPUS = Pattern.compile("(?:-l |,)((?:n|num_|nvidia_)?gpus?(?:_cards?)?)=([^,\\s]*)");
    private static final Pattern LIMIT = Pattern.compile("(?:-l |,)h_rt=(\\d[\\d:]{0,12})");
    /** How a run ended after which its job goes on: rescheduled. */
    private static final String RESCHEDULED = "25";

    public GridEngineFormat() {
        super("grid-engine", columns(), List.of());
    }

    private static List<String> columns() {
        List<String> columns = new ArrayList<>(FIELDS);
        columns.addAll(List.of("project", "slots", "task_number", "category", "pe_taskid"));
        return columns;
    }

    @Override
    protected boolean begins(FirstLines first) {
        String[] fields = first.line().split(":", -1);
        return fields.length > CATEGORY
                && TIMES.matcher(String.join(":", fields[8], fields[9], fields[10]))
                        .matches();
    }

    @Override
    protected Trace lines(LogFile file, TraceReader.Options options, @Nullable Consumer<TraceJob> jobs)
            throws IOException {
        return TextRecords.read(
                file, collector(file, options, required(), jobs), line -> false, " ", GridEngineFormat::fields);
    }

    /** The fields that are read; of a line that is none as they are. */
    private static List<String> fields(String line) {
        List<String> all = List.of(line.split(":", -1));
        if (all.size() <= CATEGORY) {
            return all.subList(0, Math.min(all.size(), FIELDS.size()));
        }
        List<String> fields = new ArrayList<>(all.subList(0, FIELDS.size()));
        fields.add(all.get(PROJECT));
        fields.add(all.get(SLOTS));
        fields.add(all.get(TASK));
        fields.add(String.join(":", all.subList(CATEGORY, all.size())));
        fields.add(all.size() > PART ? all.get(PART) : NOTHING);
        return fields;
    }

    @Override
    protected LogRows rows(LogRows.Source source) {
        return new JobRows(source) {
            @Override
            public @Nullable TraceJob add(TraceRow row) {
                String reason = run(row);
                if (reason != null) {
                    log.leaveOut(reason);
                }
                return null;
            }

            /** Takes a run; why it is left out, or null when it is not. */
            private @Nullable String run(TraceRow row) {
                if (!row.textOr("pe_taskid", NOTHING).equals(NOTHING)) {
                    log.note("%,d rows are tasks of parallel jobs; folded.");
                    return null;
                }
                Matcher asked = GPUS.matcher(row.textOr("category", ""));
                String gpus = asked.find() ? asked.group(2) : "0";
                if (!DIGITS.matcher(gpus).matches()) {
                    return "with resources that are not read as GPUs (%s)".formatted(asked.group(1));
                }
                if (Integer.parseInt(gpus) > TraceLimits.GPUS) {
                    throw new TraceFieldException("category", gpus, "at most %d GPUs".formatted(TraceLimits.GPUS));
                }
                if (Integer.parseInt(gpus) == 0 && (!source.options().loads() || slots(row) == 0)) {
                    return "without GPUs";
                }
                if (!row.isKnown("start_time") || row.text("start_time").equals("0")) {
                    return "that never ran";
                }
                if (Integer.parseInt(gpus) > 0 && !row.textOr("slots", "1").equals("1")) {
                    log.note(
                            "%,d jobs of several slots hold the GPUs of -l once, as of a resource that is consumable by"
                                    + " job; by slot they would hold more.");
                }
                log.take(entry(row, Integer.parseInt(gpus)));
                return null;
            }

            private LogEntry entry(TraceRow row, int gpus) {
                String job = row.text("job_number");
                String task = row.textOr("task_number", "0");
                String name = log.shared(row.textOrNull("job_name"));
                LogEntry entry = new LogEntry(task.equals("0") ? job : job + "_" + task)
                        .submitted(time(row, "submission_time"))
                        .ran(time(row, "start_time"), time(row, "end_time"))
                        .gpus(gpus, 1000)
                        .host(new HostShare(1000 * slots(row), 0))
                        .by(log.shared(row.textOrNull("owner")), name, name)
                        .in(log.shared(row.textOrNull("qname")))
                        .on(log.shared(row.textOrNull("hostname")))
                        .ended(null, row.textOrNull("exit_status"), null)
                        .resumable(row.textOr("failed", "").strip().startsWith(RESCHEDULED))
                        .terms(terms(row, job, task));
                log.order(entry, row, "submission_time", "start_time", "end_time");
                return entry;
            }

            private SubmissionTerms terms(TraceRow row, String job, String task) {
                String project = row.textOr("project", NOTHING);
                SubmissionTerms.Builder terms = new SubmissionTerms.Builder()
                        .account(project.equals(NOTHING) ? null : log.shared(project))
                        .unixGroup(log.shared(row.textOrNull("group")))
                        .partition(log.shared(row.textOrNull("qname")));
                if (DIGITS.matcher(task).matches() && !task.equals("0")) {
                    terms.array(new SubmissionTerms.ArrayTask(job, Long.parseLong(task), 0));
                }
                Matcher limit = LIMIT.matcher(row.textOr("category", ""));
                if (limit.find()) {
                    String text = limit.group(1);
                    terms.limitNanos(
                            text.indexOf(':') > 0
                                    ? Lengths.nanos("category", text)
                                    : Math.min(Long.parseLong(text), MOST_LIMIT_SECONDS) * TraceRow.SECOND);
                }
                return terms.build();
            }

            /** Slots of a job, a CPU each. */
            private long slots(TraceRow row) {
                String slots = row.textOr("slots", "1");
                return DIGITS.matcher(slots).matches() ? Long.parseLong(slots) : 0;
            }

            private long time(TraceRow row, String column) {
                return log.clock().nanos(column, row.text(column), 0);
            }
        };
    }
}
