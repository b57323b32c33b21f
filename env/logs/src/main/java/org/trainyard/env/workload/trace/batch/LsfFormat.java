package org.trainyard.env.workload.trace.batch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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
import org.trainyard.env.workload.log.TraceColumns;
import org.trainyard.env.workload.log.TraceFieldException;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.log.TraceRow;
import org.trainyard.env.workload.trace.log.JobRows;
import org.trainyard.env.workload.trace.log.LogEntry;
import org.trainyard.env.workload.trace.log.LogJobs;
import org.trainyard.env.workload.trace.log.TableFormat;
import org.trainyard.env.workload.trace.log.TextRecords;

/** LSF: its accounting file {@code lsb.acct}, or {@code bjobs -a -json -o "..."} with these columns. */
public final class LsfFormat extends TableFormat {
    private static final String RECORD = "record";

    public LsfFormat() {
        super(
                "lsf",
                "job=jobid,state=stat,submit=submit_time,start=start_time,end=finish_time,gpus=gpu_num,user=user?,partition=queue?,group=job_name?,account=proj_name?,cpus=nalloc_slot?,node_list=exec_host?,ignore=job_name"
                        + " gpu_alloc gpu_mode run_time pend_time from_host nexec_host slots");
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
            private final LsfText records = new LsfText(log, source.options().loads());

            @Override
            public @Nullable TraceJob add(TraceRow row) {
                records.add(row);
                return null;
            }
        };
    }

    /**
     * Reads the accounting file of LSF, {@code lsb.acct}: records of fields between spaces, of which {@code JOB_FINISH}
     * is a job. GPUs stand in its resource requirement ({@code rusage[ngpus_physical=2]}), on each of its servers.
     */
    private static final class LsfText {
        private static final Pattern FIELD = Pattern.compile("\"([^\"]*+(?:\"\"[^\"]*+)*+)\"|(\\S+)");
        private static final Pattern GPUS = Pattern.compile("ngpus(?:_physical|_excl_p|_shared|_excl_t)?=(\\d{1,6})");
        private static final Pattern GPU_REQUEST = Pattern.compile("(?:^|[:\\s])num=(\\d{1,6})");
        private static final Pattern TASK = Pattern.compile(".*\\[(\\d{1,7})]");
        private static final Pattern SEVERAL = Pattern.compile("(\\d{1,9})\\*(.*)");
        private static final int ASKED_HOSTS = 22;
        private static final int EXITED = 32;

        private final LogJobs jobs;
        private final boolean loads;

        /** @param loads whether jobs without GPUs are kept, of which each slot is a CPU */
        LsfText(LogJobs jobs, boolean loads) {
            this.jobs = jobs;
            this.loads = loads;
        }

        /** Whether a line is a record of LSF's accounting. */
        static boolean isRecord(String line) {
            return line.startsWith("\"JOB_FINISH\"")
                    || line.startsWith("\"JOB_")
                    || line.startsWith("\"EVENT_ADRSV_FINISH\"");
        }

        /** Takes one line. */
        void add(TraceRow row) {
            String line = row.text("record");
            List<String> fields = new ArrayList<>();
            Matcher field = FIELD.matcher(line);
            while (field.find()) {
                fields.add(
                        field.group(1) != null ? field.group(1).replace("\"\"", "\"") : String.valueOf(field.group(2)));
            }
            if (fields.isEmpty() || !fields.get(0).equals("JOB_FINISH")) {
                jobs.note("%,d records are of no job's end; not used.");
                return;
            }
            int asked = (int) number(fields, ASKED_HOSTS, "numAskedHosts");
            int hosts = ASKED_HOSTS + asked + 1;
            int held = (int) number(fields, hosts, "numExHosts");
            int after = hosts + held + 1;
            if (fields.size() < after + 8) {
                throw new TraceFieldException(
                        "record", line, "a record JOB_FINISH with its servers, state, name and command");
            }
            take(fields, fields.subList(hosts + 1, after), after, line);
        }

        private void take(List<String> fields, List<String> hosts, int after, String line) {
            Set<String> servers = new LinkedHashSet<>();
            long slots = 0;
            for (String host : hosts) {
                Matcher several = SEVERAL.matcher(host);
                slots += several.matches() ? Long.parseLong(several.group(1)) : 1;
                servers.add(several.matches() ? several.group(2) : host);
            }
            long gpus = gpus(line) * Math.max(1, servers.size());
            long submit = number(fields, 7, "submitTime");
            long begin = number(fields, 8, "beginTime");
            long start = number(fields, 10, "startTime");
            long end = number(fields, 2, "eventTime");
            String name = fields.get(after + 2);
            if (gpus == 0 && (!loads || slots == 0)) {
                jobs.leaveOut("without GPUs");
            } else if (start == 0) {
                jobs.leaveOut("that never ran");
            } else if (gpus > TraceLimits.GPUS || end < start || start < submit) {
                throw new TraceFieldException(
                        "record", line, "GPUs up to %d and times in order".formatted(TraceLimits.GPUS));
            } else {
                LogEntry entry = new LogEntry(jobId(fields.get(3), name))
                        .submitted(jobs.clock().nanos("submitTime", fields.get(7), 0))
                        .ran(
                                jobs.clock().nanos("startTime", fields.get(10), 0),
                                jobs.clock().nanos("eventTime", fields.get(2), 0))
                        .gpus((int) gpus, 1000)
                        .host(new HostShare(1000 * slots, 0))
                        .by(jobs.shared(fields.get(11)), name, jobs.shared(name.isEmpty() ? null : name))
                        .in(jobs.shared(fields.get(12)))
                        .on(servers.isEmpty() ? null : String.join(",", servers))
                        .ended(number(fields, after, "jStatus") == EXITED ? "FAILED" : "COMPLETED", null, null)
                        .terms(new SubmissionTerms.Builder()
                                .nodes(gpus == 0 ? servers.size() : 0)
                                .partition(jobs.shared(fields.get(12)))
                                .build());
                if (begin > submit) {
                    entry.eligible(jobs.clock().nanos("beginTime", fields.get(8), 0));
                }
                jobs.take(entry);
            }
        }

        /** Tasks of an array have their number at the end of their name: {@code train[3]}. */
        private static String jobId(String id, String name) {
            Matcher task = TASK.matcher(name);
            return task.matches() ? id + "_" + task.group(1) : id;
        }

        private static long gpus(String line) {
            Matcher resource = GPUS.matcher(line);
            long most = 0;
            while (resource.find()) {
                most = Math.max(most, Long.parseLong(resource.group(1)));
            }
            Matcher request = GPU_REQUEST.matcher(line);
            while (most == 0 && request.find()) {
                most = Math.max(most, Long.parseLong(request.group(1)));
            }
            return most;
        }

        private static long number(List<String> fields, int at, String name) {
            String text = at < fields.size() ? fields.get(at) : "missing";
            if (!text.matches("-?\\d{1,12}") || (name.startsWith("num") && Long.parseLong(text) > 100_000)) {
                throw new TraceFieldException(name, text, "a number");
            }
            return Math.max(0, Long.parseLong(text));
        }
    }
}
