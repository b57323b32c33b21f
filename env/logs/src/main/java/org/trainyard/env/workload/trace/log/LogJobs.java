package org.trainyard.env.workload.trace.log;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.TraceLimits;
import org.trainyard.env.workload.log.LogClock;
import org.trainyard.env.workload.log.LogEnd;
import org.trainyard.env.workload.log.LogNotes;
import org.trainyard.env.workload.log.TraceFieldException;
import org.trainyard.env.workload.log.TraceRow;

/**
 * Gathers the runs of a log into jobs, and counts what is left out and why.
 *
 * <p>A job is a cluster, an id with its task of an array, and a chain of runs: the next run belongs to it when the last
 * one ended so that the job goes on (requeued, preempted, node failed), or when both are parts that overlap, and user
 * and name are the same. Another run of the id is another job, whose id then ends on {@code #2} and so on.
 */
public final class LogJobs {
    private static final long SECOND = 1_000_000_000L;
    private static final long SKEW = 5 * SECOND;
    private static final int POOL = 1 << 14;
    private static final int MOST_REASONS = 1000;
    /** Rows over which the runs of a job may be spread in a log that is not kept. */
    private static final int WINDOW = 100_000;

    private static final class Account {
        private long jobs;
        private double gpuHours;
        private double openGpus;
        private double openSince;
    }

    /** Jobs that waited when the log ended, and are not kept. */
    private static final class Queue {
        private long jobs;
        private double gpus;
        private long limited;
        private double limitedHours;
        private double submitNanos;

        void add(LogEntry entry) {
            double wanted = entry.gpus * entry.gpuMilli / 1000.0;
            jobs++;
            gpus += wanted;
            limited += entry.terms.limitNanos() > 0 ? 1 : 0;
            limitedHours += wanted * entry.terms.limitNanos() / 3.6e12;
            submitNanos += entry.submitNanos;
        }

        LeftOut leftOut(long endNanos) {
            double hours = Math.max(0, endNanos - submitNanos / jobs) / 3.6e12;
            String limits = limited == 0
                    ? ""
                    : String.format(Locale.ROOT, ", up to %,.0f GPU-hours by ", limitedHours)
                            + (limited == jobs ? "their limits" : Counted.say("the limits of %,d jobs", limited));
            return new LeftOut(
                    String.format(
                            Locale.ROOT,
                            "%s (%s%s, %s so far on average), so the true mean wait is higher",
                            LeftOut.WAITING,
                            Counted.of((long) Math.ceil(gpus), "GPU"),
                            limits,
                            hours < 1 ? "%.0f min".formatted(60 * hours) : "%,.0f h".formatted(hours)),
                    jobs,
                    0);
        }
    }

    /** The runs by cluster and id, one or a list of them, in the order of their first rows. */
    private final Map<String, Object> runs = new LinkedHashMap<>();
    /** Runs that left the window of a log that is not kept, and may go on. */
    private final Map<String, Object> goingOn = new LinkedHashMap<>();

    private final Map<String, Account> left = new TreeMap<>();
    /** Accounts of open jobs that are kept, for whoever leaves them out. */
    private final Map<String, Account> keptOpen = new TreeMap<>();

    private final Queue keptQueue = new Queue();
    private final List<LogEntry> open = new ArrayList<>();
    private final Queue queue = new Queue();
    private final SortedSet<String> ranOn = new TreeSet<>();
    /** Texts by their hashes: one stays until another comes that falls on its place. */
    private final @Nullable String[] pool = new String[POOL];

    private final Set<String> clusters = new HashSet<>();
    private final LogNotes notes;
    private final LogClock clock;
    private final @Nullable Consumer<LogJob> stream;
    private final boolean keepsOpen;
    private final List<LogEntry> ending = new ArrayList<>();
    private final List<Long> cancelledNanos = new ArrayList<>();
    private long lastNanos;
    private long eventNanos;
    private long rows;
    private boolean numbered;

    /**
     * @param notes count what is to be said of the rows
     * @param stream is given each job of a long log when so many rows have followed that others of it are not expected;
     *     null to keep all until {@link #finish}
     * @param keepsOpen whether jobs without an end are kept, for the {@link LogEnd}
     */
    public LogJobs(LogNotes notes, @Nullable Consumer<LogJob> stream, boolean keepsOpen) {
        this.notes = notes;
        this.keepsOpen = keepsOpen && stream == null;
        clock = notes.clock();
        this.stream = stream;
    }

    public LogClock clock() {
        return clock;
    }

    /** Returns one string for many equal ones, of which most are near each other. */
    public @Nullable String shared(@Nullable String text) {
        if (text == null) {
            return null;
        }
        int hash = text.hashCode();
        int place = (hash ^ hash >>> 16) & (POOL - 1);
        String known = pool[place];
        if (text.equals(known)) {
            return known;
        }
        pool[place] = text;
        return text;
    }

    /** The rows count as parts of jobs: {@link #remarks} says how many jobs they are. */
    public void numbered() {
        numbered = true;
    }

    /** Counts something to be said: a sentence with one {@code %,d}. */
    public void note(String sentence) {
        notes.note(sentence);
    }

    /** A job ran on GPUs of these types, for which it had not asked. */
    public void ranOn(Set<String> types) {
        ranOn.addAll(types);
    }

    /** The types of GPUs on which jobs ran that had asked for no type. */
    public SortedSet<String> ranOn() {
        return ranOn;
    }

    /** Counts a job that is left out and held nothing. */
    public void leaveOut(String reason) {
        account(left, reason).jobs++;
    }

    private static Account account(Map<String, Account> accounts, String reason) {
        boolean more = accounts.size() >= MOST_REASONS && !accounts.containsKey(reason);
        return accounts.computeIfAbsent(more ? "for other reasons" : reason, key -> new Account());
    }

    /** Counts a job that is left out, and the GPUs that it held, as far as the entry says. */
    public void leaveOut(String reason, LogEntry entry) {
        count(account(left, reason), entry);
    }

    private void count(Account account, LogEntry entry) {
        account.jobs++;
        seen(entry);
        double gpus = entry.gpus * entry.gpuMilli / 1000.0;
        if (entry.startNanos >= 0 && entry.endNanos >= entry.startNanos) {
            account.gpuHours += gpus * (entry.endNanos - entry.startNanos) / 3.6e12;
            lastNanos = Math.max(lastNanos, entry.endNanos);
        } else if (entry.durationNanos > 0) {
            account.gpuHours += gpus * entry.durationNanos / 3.6e12;
        } else if (entry.startNanos >= 0) {
            account.openGpus += gpus;
            account.openSince += gpus * entry.startNanos / 3.6e12;
        }
    }

    /**
     * A job that waited when the log ended, which is left out where such jobs are not kept, unless another row of its
     * id tells of its end.
     */
    public void waited(LogEntry entry) {
        seen(entry);
        if (stream != null && open.size() >= WINDOW) {
            queue.add(entry);
        } else {
            entry.reason = LeftOut.WAITING;
            open.add(entry);
        }
    }

    /** A job that waited when the log ended, in a log whose open jobs are never kept. */
    public void queued(LogEntry entry) {
        if (entry.gpus == 0) {
            leaveOut("that never ran");
        } else {
            seen(entry);
            queue.add(entry);
        }
    }

    /** A job was cancelled before it started, when it had waited so long. */
    public void cancelled(long nanos) {
        if (keepsOpen && nanos > 0) {
            cancelledNanos.add(nanos);
        }
    }

    /** The log was made at a time or later: a job that runs says how long it has run. */
    public void reaches(long nanos) {
        eventNanos = Math.max(eventNanos, nanos);
    }

    private void seen(LogEntry entry) {
        eventNanos = Math.max(eventNanos, Math.max(entry.submitNanos, Math.max(entry.startNanos, entry.endNanos)));
    }

    /**
     * Leaves out a job that ran when the log ended, where such jobs are not kept, unless another row of its id tells of
     * its end.
     */
    public void stillRan(String reason, LogEntry entry) {
        if (stream != null && open.size() >= WINDOW) {
            leaveOut(reason, entry);
            return;
        }
        entry.reason = reason;
        seen(entry);
        open.add(entry);
    }

    /**
     * Brings the times of a run in order, where clocks differ by seconds or were put back.
     *
     * @param row named when the times make no sense
     * @param submit column of the submission
     * @param start column of the start
     * @param end column of the end
     */
    public void order(LogEntry entry, TraceRow row, String submit, String start, String end) {
        if (entry.startNanos < entry.submitNanos) {
            if (entry.submitNanos - entry.startNanos <= SKEW) {
                clock.skew();
                entry.submitNanos = entry.startNanos;
            } else if (clock.wasPutBack(entry.submitNanos, entry.startNanos)) {
                entry.startNanos += 3600 * SECOND;
            } else {
                throw new TraceFieldException(start, row.text(start), "a time not before the column " + submit);
            }
        }
        if (entry.endNanos < entry.startNanos) {
            if (entry.startNanos - entry.endNanos <= SKEW) {
                clock.skewOfEnd();
                entry.endNanos = entry.startNanos;
            } else if (clock.wasPutBack(entry.startNanos, entry.endNanos)) {
                entry.endNanos += 3600 * SECOND;
            } else {
                throw new TraceFieldException(end, row.text(end), "a time not before the column " + start);
            }
        }
    }

    /** Takes one run. */
    public void take(LogEntry entry) {
        long latest =
                Math.max(Math.max(entry.submitNanos, entry.endNanos), Math.max(entry.startNanos, entry.durationNanos));
        long earliest = Math.min(Math.min(entry.submitNanos, entry.endNanos), entry.startNanos);
        if (latest > TraceLimits.NANOS || earliest < -1) {
            throw new TraceFieldException("line", entry.id, "times of less than 146 years");
        }
        rows++;
        seen(entry);
        lastNanos = Math.max(lastNanos, entry.endNanos);
        if (entry.cluster != null) {
            clusters.add(entry.cluster);
        }
        String key = entry.key();
        Map<String, Object> known = goingOn.containsKey(key) ? goingOn : runs;
        Object before = known.putIfAbsent(key, entry);
        if (before instanceof LogEntry first) {
            List<LogEntry> both = new ArrayList<>(2);
            both.add(first);
            both.add(entry);
            known.put(key, both);
        } else if (before != null) {
            @SuppressWarnings("unchecked")
            List<LogEntry> all = (List<LogEntry>) before;
            all.add(entry);
        } else if (stream != null && runs.size() > WINDOW) {
            letGo(stream);
        }
    }

    /** Hands out the eldest job of the window, unless other runs of it may follow. */
    private void letGo(Consumer<LogJob> to) {
        var eldest = runs.entrySet().iterator();
        var next = eldest.next();
        eldest.remove();
        boolean mayGoOn = !(next.getValue() instanceof LogEntry one) || one.part || one.resumable;
        if (mayGoOn) {
            goingOn.put(next.getKey(), next.getValue());
        } else {
            emit(next.getKey(), next.getValue(), to);
        }
    }

    /** Hands out the jobs, in the order of their first rows; to be called once, after the last row. */
    public void finish(Consumer<LogJob> jobs) {
        for (LogEntry entry : open) {
            boolean keeps = keepsOpen && isOpen(entry);
            if (keeps) {
                ending.add(entry);
            }
            if (LeftOut.WAITING.equals(entry.reason) && isOpen(entry)) {
                (keeps ? keptQueue : queue).add(entry);
            } else if (!runs.containsKey(entry.key()) && !goingOn.containsKey(entry.key())) {
                count(account(keeps ? keptOpen : left, String.valueOf(entry.reason)), entry);
            } else if (!keeps) {
                note("%,d rows tell of a job before its end; another row has its end.");
            }
        }
        emitAll(goingOn, jobs);
        emitAll(runs, jobs);
    }

    /** Whether no other row of its id tells of its end. */
    private boolean isOpen(LogEntry entry) {
        Object known = runs.get(entry.key());
        List<?> rest = known instanceof List<?> all ? all : known == null ? List.of() : List.of(known);
        return rest.stream().allMatch(one -> {
            LogEntry run = (LogEntry) one;
            long begins = entry.startNanos < 0 ? Long.MAX_VALUE : entry.startNanos;
            return !run.sameOwner(entry) || (run.resumable && run.endNanos <= begins);
        });
    }

    /** The end of the log; after {@link #finish}. */
    public LogEnd end() {
        List<TraceJob> jobs = new ArrayList<>();
        for (LogEntry entry : ending) {
            long from = entry.startNanos < 0 ? eventNanos + 1 : entry.startNanos;
            entry.ran(from, Math.max(eventNanos, from) + 1).pausedNanos = 0;
            jobs.add(entry.alone().traced());
        }
        return new LogEnd(eventNanos, 0, 0, jobs, leftOut(keptQueue, keptOpen), cancelledNanos);
    }

    private void emitAll(Map<String, Object> known, Consumer<LogJob> jobs) {
        // What was handed out is let go of, for a long log fills the memory twice otherwise.
        for (var rest = known.entrySet().iterator(); rest.hasNext(); rest.remove()) {
            var next = rest.next();
            emit(next.getKey(), next.getValue(), jobs);
        }
    }

    private void emit(String key, Object found, Consumer<LogJob> jobs) {
        if (found instanceof LogEntry one) {
            emit(List.of(one), key, jobs);
        } else {
            @SuppressWarnings("unchecked")
            List<LogEntry> all = (List<LogEntry>) found;
            chains(all, key, jobs);
        }
    }

    private void chains(List<LogEntry> all, String key, Consumer<LogJob> jobs) {
        List<LogEntry> sorted = new ArrayList<>(all);
        sorted.sort(Comparator.comparingLong((LogEntry entry) -> entry.startNanos));
        List<List<LogEntry>> chains = new ArrayList<>();
        for (LogEntry entry : sorted) {
            List<LogEntry> chain = chains.stream()
                    .filter(runsOfOne -> belongs(entry, runsOfOne))
                    .findFirst()
                    .orElse(null);
            if (chain == null) {
                chains.add(new ArrayList<>(List.of(entry)));
            } else if (chain.stream().anyMatch(run -> isSame(run, entry))) {
                note("%,d rows are there twice; counted once.");
            } else {
                chain.add(entry);
            }
        }
        for (int i = 0; i < chains.size(); i++) {
            emit(chains.get(i), i == 0 ? key : key + "#" + (i + 1), jobs);
        }
        if (chains.size() > 1) {
            note("%,d ids are used again by other jobs, which are told apart.");
        }
    }

    private static boolean isSame(LogEntry one, LogEntry other) {
        return one.piece.equals(other.piece) && one.startNanos == other.startNanos && one.endNanos == other.endNanos;
    }

    private static boolean belongs(LogEntry entry, List<LogEntry> chain) {
        LogEntry last = chain.get(0);
        long end = last.endNanos;
        for (LogEntry run : chain) {
            if (run.endNanos > last.endNanos) {
                last = run;
            }
            if (isSame(run, entry) && run.sameOwner(entry)) {
                return true;
            }
            end = Math.max(end, run.endNanos);
        }
        boolean goesOn = last.resumable && entry.startNanos >= end;
        boolean overlaps = entry.part && last.part && entry.startNanos < end;
        return last.sameOwner(entry) && (goesOn || overlaps);
    }

    private void emit(List<LogEntry> chain, String key, Consumer<LogJob> jobs) {
        LogEntry first = chain.get(0);
        String id = clusters.size() > 1 || first.cluster == null ? key : key.substring(first.cluster.length() + 1);
        LogJob job = new RunChain(chain).job(id);
        if (chain.size() > 1 && chain.stream().anyMatch(run -> run.gpuMilli != first.gpuMilli)) {
            note("%,d jobs hold whole GPUs and parts of GPUs at once; the parts count as whole ones.");
        }
        if (chain.size() > 1 && chain.stream().anyMatch(run -> !run.part && run.gpus != first.gpus)) {
            note("%,d jobs held other numbers of GPUs in other runs (resized); the most counts for all of the time.");
        }
        if (job.ranNanos() <= 0) {
            leaveOut("that ended in the second of their start", first);
        } else {
            jobs.accept(job);
        }
    }

    /** The jobs left out, by reason; after {@link #finish}. */
    public List<LeftOut> leftOut() {
        return leftOut(queue, left);
    }

    private List<LeftOut> leftOut(Queue waiting, Map<String, Account> accounts) {
        List<LeftOut> all = new ArrayList<>();
        if (waiting.jobs > 0) {
            all.add(waiting.leftOut(eventNanos));
        }
        accounts.forEach((reason, account) -> all.add(new LeftOut(
                reason,
                account.jobs,
                account.gpuHours + Math.max(0, account.openGpus * lastNanos / 3.6e12 - account.openSince))));
        return all;
    }

    /** Remarks on the rows, as sentences; after {@link #finish}. */
    public List<String> remarks(long jobs) {
        return numbered && rows > jobs ? List.of(Counted.say("%,d pods are %,d jobs.", rows, jobs)) : List.of();
    }
}
