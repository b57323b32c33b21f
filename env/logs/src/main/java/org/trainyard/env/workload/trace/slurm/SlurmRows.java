package org.trainyard.env.workload.trace.slurm;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.HostShare;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.Segments;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceLimits;
import org.trainyard.env.workload.log.SegmentOptions;
import org.trainyard.env.workload.log.TraceColumns;
import org.trainyard.env.workload.log.TraceFieldException;
import org.trainyard.env.workload.log.TraceRow;
import org.trainyard.env.workload.trace.log.Lengths;
import org.trainyard.env.workload.trace.log.LogEntry;
import org.trainyard.env.workload.trace.log.LogJobs;

/**
 * Reads rows of Slurm. Steps ({@code 17.batch}) belong to their job, parts of a heterogeneous job ({@code 17+1}) are
 * one job, every task of an array ({@code 17_4}) is a job, and so is every chain of runs of a requeued one
 * ({@code --duplicates}). Jobs without GPUs, jobs that never ran and jobs that still ran are left out and counted.
 * Columns: sacct(1).
 *
 * <p>A job that could not start when it was submitted (a dependency, a begin time) waits from {@code Eligible} on,
 * where that column is there.
 */
public final class SlurmRows {
    private static final Pattern ID = Pattern.compile("(\\d+)(_\\d+|_\\[[^\\]]*\\])?(\\+\\d+)?(\\..+)?");
    private static final Set<String> NOT_BEGUN = Set.of("PENDING", "PD", "CONFIGURING", "CF", "REVOKED", "RV");
    /** Begun by another cluster of a federation. */
    private static final Set<String> REVOKED = Set.of("REVOKED", "RV");

    private static final Set<String> NOT_ENDED = Set.of(
            "RUNNING",
            "R",
            "SUSPENDED",
            "S",
            "COMPLETING",
            "CG",
            "STOPPED",
            "ST",
            "SIGNALING",
            "SI",
            "STAGE_OUT",
            "SO");
    private static final Set<String> GOES_ON = Set.of(
            "REQUEUED",
            "RQ",
            "PREEMPTED",
            "PR",
            "NODE_FAIL",
            "NF",
            "BOOT_FAIL",
            "BF",
            "RESIZING",
            "RS",
            "REQUEUE_HOLD",
            "REQUEUE_FED",
            "SPECIAL_EXIT",
            "SE");
    /** States of the database, by number; flags stand above them. */
    private static final List<String> NUMBERED = List.of(
            "PENDING",
            "RUNNING",
            "SUSPENDED",
            "COMPLETED",
            "CANCELLED",
            "FAILED",
            "TIMEOUT",
            "NODE_FAIL",
            "PREEMPTED",
            "BOOT_FAIL",
            "DEADLINE",
            "OUT_OF_MEMORY");

    private static final int FLAG_REQUEUED = 0x400;
    /** Numbers from here on stand for "not set". */
    private static final long NOT_SET = 4_294_967_290L;

    private static final long MOST_LIMIT_SECONDS = 100L * 365 * 86_400;

    /** Digits of numbers that are read. */
    private static final int LONGEST = 15;

    private static final int SHORT = 9;

    private static final int KEPT_TEXTS = 20_000;

    /** Tasks of an array that are read from one row. */
    private static final int MOST_TASKS = 100_000;

    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9})(?::(\\d{1,9}))?)?");
    private static final Pattern HELD = Pattern.compile("\\(?(JobHeld.*|Dependency.*|BeginTime)\\)?");

    private static final String WITHOUT = "without GPUs";

    private static final String UNACCOUNTED =
            ": no row names gres/gpu, as where slurm.conf lacks AccountingStorageTRES=gres/gpu; where servers are given whole,"
                    + " what sacct -X -P -o JobID,State,Submit,Start,End,NNodes prints is read as of 8 GPUs on each by --columns"
                    + " \"job=JobID,gpus=NNodes*8,submit=Submit,start=Start,end=End,state=State\"";

    private final SlurmColumns columns;
    private final LogJobs jobs;
    /** GPUs by text, kept because most rows of a log repeat a few texts. */
    private final Map<String, SlurmGpus> known = new HashMap<>();

    private final Map<String, Long> limits = new HashMap<>();
    private final SlurmHosts hosts;
    private final int shards;
    private final boolean loads;
    private long without;
    private long kept;
    /** Whether some row names GPUs. */
    private boolean accounted;

    /**
     * @param shardsOfGpu shards that are a whole GPU; 0 when nobody says
     * @param keepsLoads whether jobs without GPUs are kept where their rows say what CPUs and memory they held
     */
    public SlurmRows(TraceColumns columns, LogJobs jobs, int shardsOfGpu, boolean keepsLoads) {
        this.columns = new SlurmColumns(columns);
        hosts = new SlurmHosts(this.columns);
        loads = keepsLoads;
        this.jobs = jobs;
        shards = shardsOfGpu;
    }

    /** Takes one row; one that cannot be used is a {@link TraceFieldException}. */
    public void add(TraceRow row) {
        String[] id = id(row.text(columns.id));
        if (id[3] != null) {
            jobs.note("%,d rows are steps of jobs; folded.");
            return;
        }
        String state = state(row);
        SlurmGpus held = gpus(row, columns.allocated);
        SlurmGpus wanted = gpus(row, columns.requested);
        if (wanted.isEmpty()) {
            wanted = gpus(row, columns.perNode);
        }
        accounted |= !held.isEmpty() || !wanted.isEmpty();
        LogEntry entry = entry(row, id, state);
        if (held.isEmpty() && wanted.isEmpty()) {
            String reason = held.reason().equals(WITHOUT) ? wanted.reason() : held.reason();
            if (reason.equals(WITHOUT)) {
                load(row, entry, state);
            } else {
                accounted = true;
                jobs.leaveOut(reason);
            }
        } else if (NOT_BEGUN.contains(state) && !REVOKED.contains(state)) {
            waited(row, id, state, wanted.isEmpty() ? held : wanted);
        } else if (NOT_BEGUN.contains(state) || !isTime(row, columns.start)) {
            if (state.startsWith("CA") && !columns.endsByLength && isTime(row, columns.end)) {
                long submit = jobs.clock().nanos(columns.submit, row.text(columns.submit), 0);
                jobs.cancelled(end(row, submit) - submit);
            }
            jobs.leaveOut("that never ran");
        } else if (NOT_ENDED.contains(state) || !isEnded(row)) {
            holds(entry, held.isEmpty() ? wanted : held);
            wanted.types().forEach(entry::asksFor);
            ran(row, entry, state);
        } else {
            take(row, entry, state, held, wanted);
        }
    }

    /** A job without GPUs that ran and held CPUs or memory, if such are kept. */
    private void load(TraceRow row, LogEntry entry, String state) {
        boolean ran = loads
                && isTime(row, columns.start)
                && isEnded(row)
                && !NOT_BEGUN.contains(state)
                && !NOT_ENDED.contains(state)
                && !hosts.of(row, 1).equals(HostShare.NONE);
        if (ran) {
            kept++;
            take(row, entry, state, SlurmGpus.of("", null, 0), null);
        } else if (loads && NOT_ENDED.contains(state) && isTime(row, columns.start)) {
            ran(row, entry, state);
        } else {
            without++;
        }
    }

    /** A job that still ran when the log ended. */
    private void ran(TraceRow row, LogEntry entry, String state) {
        entry.submitted(jobs.clock().nanos(columns.submit, row.text(columns.submit), 0));
        long start = jobs.clock().nanos(columns.start, row.text(columns.start), 0);
        entry.ran(start, -1);
        if (columns.elapsed != null && row.isKnown(columns.elapsed)) {
            jobs.reaches(start + length(row, columns.elapsed) + suspended(row));
        }
        jobs.stillRan("that still ran (state %s)".formatted(state), entry);
    }

    /** A job that waits, or the tasks of an array that wait: of those in one row the log has {@code 17_[4-9%2]}. */
    private void waited(TraceRow row, @Nullable String[] id, String state, SlurmGpus wanted) {
        String why = text(row, "reason");
        why = why == null ? text(row, "nodelist(reason)") : why;
        if (why != null && HELD.matcher(why).matches()) {
            jobs.leaveOut(LeftOut.HELD);
            return;
        }
        for (String task : tasks(id[1])) {
            LogEntry entry = entry(row, new @Nullable String[] {id[0], task, id[2], null}, state);
            entry.submitted(jobs.clock().nanos(columns.submit, row.text(columns.submit), 0));
            if (columns.eligible != null && isTime(row, columns.eligible)) {
                entry.eligible(jobs.clock().nanos(columns.eligible, row.text(columns.eligible), 0));
            }
            holds(entry, wanted);
            wanted.types().forEach(entry::asksFor);
            jobs.waited(entry);
        }
    }

    /** The tasks of an array that wait in one row, such as {@code _[4-9,12%2]}; the task itself of a row of one. */
    private static List<@Nullable String> tasks(@Nullable String task) {
        if (task == null || !task.startsWith("_[")) {
            return new ArrayList<>(Collections.singletonList(task));
        }
        List<@Nullable String> tasks = new ArrayList<>();
        for (String part :
                task.substring(2, task.length() - 1).replaceFirst("%.*", "").split(",", -1)) {
            Matcher range = RANGE.matcher(part.strip());
            if (!range.matches()) {
                return new ArrayList<>(Collections.singletonList(task));
            }
            int from = Integer.parseInt(range.group(1));
            int to = range.group(2) == null ? from : Integer.parseInt(range.group(2));
            int step = range.group(3) == null ? 1 : Math.max(1, Integer.parseInt(range.group(3)));
            for (int one = from; one <= to && tasks.size() < MOST_TASKS; one += step) {
                tasks.add("_" + one);
            }
        }
        return tasks;
    }

    /**
     * Counts the jobs without GPUs, to be called once, after the last row: whether the log accounts GPUs is known by
     * then.
     */
    public void finish() {
        String reason = accounted ? WITHOUT : WITHOUT + UNACCOUNTED;
        for (; without > 0; without--) {
            jobs.leaveOut(reason);
        }
        for (; !accounted && kept > 0; kept--) {
            jobs.note("%,d jobs hold CPUs and memory alone" + UNACCOUNTED);
        }
    }

    /** Job, task of an array, part of a heterogeneous job, and step; null where there is none. */
    private @Nullable String[] id(String text) {
        if (TraceRow.isWhole(text, LONGEST)) {
            return new @Nullable String[] {text, null, null, null};
        }
        Matcher id = ID.matcher(text);
        if (!id.matches()) {
            throw new TraceFieldException(columns.id, text, "a job of Slurm, such as 17, 17_4 or 17.batch");
        }
        return new @Nullable String[] {id.group(1), id.group(2), id.group(3), id.group(4)};
    }

    /** @param wanted GPUs asked for; null for a job that asked for none */
    private void take(TraceRow row, LogEntry entry, String state, SlurmGpus held, @Nullable SlurmGpus wanted) {
        long submit = jobs.clock().nanos(columns.submit, row.text(columns.submit), 0);
        long start = jobs.clock().nanos(columns.start, row.text(columns.start), submit);
        long end = end(row, start);
        if (end == start && (state.startsWith("CA") || held.isEmpty())) {
            jobs.cancelled(state.startsWith("CA") ? end - submit : 0);
            jobs.leaveOut("that never ran");
            return;
        }
        SlurmGpus gpus = held;
        if (held.isEmpty() && wanted != null) {
            if (!columns.allocated.isEmpty()) {
                String column = columns.allocated.get(0);
                throw new TraceFieldException(
                        column, row.textOr(column, ""), "gres/gpu=N for a job that ran and asked for GPUs");
            }
            gpus = wanted;
            jobs.note("%,d jobs hold as many GPUs as requested: the log has no column of GPUs that were allocated.");
        }
        entry.submitted(submit).ran(start, end);
        jobs.order(entry, row, columns.submit, columns.start, columns.end);
        long still = suspended(row);
        if (still == 0 && columns.elapsed != null && !columns.endsByLength && row.isKnown(columns.elapsed)) {
            entry.elapsed(length(row, columns.elapsed));
        }
        if (entry.suspended(still)) {
            jobs.note("%,d jobs were suspended for a while, which does not count as run time.");
        }
        if (columns.eligible != null && isTime(row, columns.eligible)) {
            entry.eligible(jobs.clock().nanos(columns.eligible, row.text(columns.eligible), submit));
            if (entry.isHeld()) {
                jobs.note("%,d jobs could start only after submission (column eligible); the wait begins then.");
            }
        }
        holds(entry, gpus);
        if (wanted == null) {
            jobs.take(entry);
            return;
        }
        String remark = gpus.remark();
        if (remark != null) {
            jobs.note(remark);
        }
        wanted.types().forEach(entry::asksFor);
        if (wanted.isEmpty()) {
            gpus.types().forEach(entry::asksFor);
        } else if (wanted.types().isEmpty()) {
            jobs.ranOn(gpus.types());
        }
        jobs.take(entry);
    }

    private static void holds(LogEntry entry, SlurmGpus gpus) {
        entry.gpus((int) gpus.count(), gpus.milli());
    }

    private boolean isEnded(TraceRow row) {
        return columns.endsByLength ? row.isKnown(columns.end) : isTime(row, columns.end);
    }

    /** The end; where the log has lengths alone, those of the run and of its suspension after the start. */
    private long end(TraceRow row, long start) {
        return columns.endsByLength
                ? start + length(row, columns.end) + suspended(row)
                : jobs.clock().nanos(columns.end, row.text(columns.end), start);
    }

    private long suspended(TraceRow row) {
        return columns.suspended == null || !row.isKnown(columns.suspended) ? 0 : length(row, columns.suspended);
    }

    /** Seconds, or days, hours, minutes and seconds. */
    private static long length(TraceRow row, String column) {
        String text = row.text(column);
        return text.indexOf(':') > 0 ? Lengths.nanos(column, text) : row.nanos(column, TraceRow.SECOND);
    }

    private boolean isTime(TraceRow row, String column) {
        return row.isKnown(column) && !row.text(column).strip().equals("0");
    }

    private LogEntry entry(TraceRow row, @Nullable String[] id, String state) {
        String task = id[1] == null ? "" : id[1];
        String job = String.valueOf(id[0]);
        Long array = number(row, columns.array);
        Long number = number(row, columns.task);
        if (task.isEmpty() && array != null && array > 0 && number != null) {
            job = array.toString();
            task = "_" + number;
        }
        String piece = id[2];
        Long het = number(row, columns.het);
        Long offset = number(row, columns.offset);
        if (piece == null && het != null && het > 0 && offset != null) {
            job = het.toString();
            piece = "+" + offset;
        }
        Long nodes = number(row, columns.nodes);
        String partition = text(row, "partition");
        String account = text(row, "account");
        String name = text(row, columns.name);
        String named = text(row, columns.hosts);
        LogEntry entry = new LogEntry(task.isEmpty() ? job : job + task)
                .cluster(text(row, "cluster"))
                .by(user(row), name, name)
                .in(partition == null ? account : partition)
                .on(named == null || named.startsWith("(") ? null : named)
                .ended(state, text(row, columns.exit), text(row, "reason"))
                .resumable(GOES_ON.contains(state))
                .terms(terms(row, job, task))
                .host(hosts.of(row, Math.max(1, nodes == null ? 1 : nodes)))
                .billed(hosts.billing(row));
        String restarts = columns.restarts == null ? null : row.textOrNull(columns.restarts);
        if (restarts != null && TraceRow.isWhole(restarts, SHORT)) {
            entry.restarted(Integer.parseInt(restarts));
        }
        return piece == null ? entry : entry.partOf(piece);
    }

    private SubmissionTerms terms(TraceRow row, String job, String task) {
        SubmissionTerms.Builder terms = new SubmissionTerms.Builder()
                .account(text(row, "account"))
                .unixGroup(unnumbered(text(row, columns.group)))
                .qos(text(row, columns.qos))
                .partition(text(row, "partition"))
                .features(text(row, columns.features))
                .licenses(licenses(row))
                .dependency(text(row, "dependency"))
                .reservation(text(row, columns.reservation))
                .segments(segments(row));
        String priority = said(row, "priority");
        if (priority != null && TraceRow.isWhole(priority, LONGEST)) {
            terms.priority(Long.parseLong(priority));
        }
        String limit = said(row, columns.limit);
        if (limit != null) {
            Long nanos = limits.get(limit);
            if (nanos == null) {
                nanos = limitNanos(limit);
                if (limits.size() < KEPT_TEXTS) {
                    limits.put(limit, nanos);
                }
            }
            terms.limitNanos(nanos);
        }
        String nodes = said(row, columns.nodes);
        if (nodes != null && TraceRow.isWhole(nodes, SHORT)) {
            terms.nodes(Math.min(TraceLimits.GPUS, Integer.parseInt(nodes)));
        }
        String nice = text(row, "nice");
        if (nice != null && nice.matches("-?\\d{1,9}")) {
            terms.nice(Integer.parseInt(nice));
        }
        if (task.length() > 1 && TraceRow.isWhole(task.substring(1), SHORT)) {
            Long atOnce = number(row, columns.throttle);
            terms.array(new SubmissionTerms.ArrayTask(
                    job, Long.parseLong(task.substring(1)), atOnce == null ? 0 : (int) Math.min(atOnce, 1_000_000)));
        }
        return terms.build();
    }

    /** Nanoseconds of a limit; 0 when there is none, or the partition's, or it cannot be read. */
    private static long limitNanos(String limit) {
        Long seconds = SlurmDuration.secondsOfPlainMinutes(limit);
        return seconds == null ? 0 : Math.min(MOST_LIMIT_SECONDS, seconds) * 1_000_000_000L;
    }

    /** By the options of its command, or by columns of their own. */
    private @Nullable Segments segments(TraceRow row) {
        String command = said(row, columns.command);
        Long size = number(row, columns.segment);
        if (command == null && size == null) {
            return null;
        }
        Segments asked = SegmentOptions.of(
                command == null ? "" : command, size == null ? 0 : (int) Math.max(0, Math.min(size, TraceLimits.GPUS)));
        boolean isSaid = "yes".equalsIgnoreCase(said(row, columns.consolidated));
        return asked == null ? null : new Segments(asked.nodes(), asked.consolidated() || isSaid);
    }

    /** Licenses as the log writes them, else those among the requested resources. */
    private @Nullable String licenses(TraceRow row) {
        String said = text(row, columns.licenses);
        String requested = said == null && columns.requested.contains("reqtres") ? said(row, "reqtres") : null;
        String licenses = requested == null ? "" : Tres.licenses(requested);
        return licenses.isEmpty() ? said : jobs.shared(licenses);
    }

    private @Nullable String user(TraceRow row) {
        return unnumbered(text(row, columns.user));
    }

    /** The name of {@code name(1001)}. */
    private @Nullable String unnumbered(@Nullable String text) {
        int bracket = text == null ? -1 : text.indexOf('(');
        return text == null || bracket <= 0 ? text : jobs.shared(text.substring(0, bracket));
    }

    private @Nullable String text(TraceRow row, @Nullable String column) {
        return jobs.shared(said(row, column));
    }

    private static @Nullable String said(TraceRow row, @Nullable String column) {
        if (column == null) {
            return null;
        }
        String text = row.textOrNull(column);
        if (text == null
                || text.equals("(null)")
                || text.equals("None")
                || text.equals("None assigned")
                || text.equals("N/A")) {
            return null;
        }
        return text;
    }

    /** A number, or null when the column is missing, empty or not set. */
    private @Nullable Long number(TraceRow row, @Nullable String column) {
        String text = said(row, column);
        if (text == null || !TraceRow.isWhole(text, LONGEST)) {
            return null;
        }
        long number = Long.parseLong(text);
        return number >= NOT_SET ? null : Long.valueOf(number);
    }

    private String state(TraceRow row) {
        String text = LogEntry.stateWord(row.text(columns.state));
        if (TraceRow.isWhole(text, SHORT)) {
            int code = Integer.parseInt(text);
            int base = code & 0xff;
            if (base >= NUMBERED.size()) {
                throw new TraceFieldException(columns.state, text, "a state of Slurm, a number up to 11 without flags");
            }
            return (code & FLAG_REQUEUED) != 0 ? "REQUEUED" : NUMBERED.get(base);
        }
        return String.valueOf(jobs.shared(text));
    }

    private SlurmGpus held(String column, @Nullable String text) {
        SlurmGpus found = known.get(text);
        if (found == null || SlurmColumns.PER_NODE.contains(column)) {
            found = SlurmGpus.of(column, text, shards);
            if (text != null && known.size() < KEPT_TEXTS && !SlurmColumns.PER_NODE.contains(column)) {
                known.put(text, found);
            }
        }
        return found;
    }

    /** The GPUs in the first of these columns that has some; per server they count times the servers. */
    private SlurmGpus gpus(TraceRow row, List<String> names) {
        SlurmGpus gpus = SlurmGpus.of("", null, shards);
        for (String column : names) {
            String text = row.textOrNull(column);
            SlurmGpus here = held(column, text);
            if (!here.isEmpty()) {
                if (!SlurmColumns.PER_NODE.contains(column)) {
                    return here;
                }
                Long nodes = number(row, columns.nodes);
                return here.times(nodes == null ? 1 : nodes, column, String.valueOf(text));
            }
            gpus = gpus.reason().equals(WITHOUT) ? here : gpus;
        }
        return gpus;
    }
}
