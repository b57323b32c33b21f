package org.trainyard.experiments.twin;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.trace.slurm.HostList;
import org.trainyard.env.workload.trace.slurm.SlurmText;

/**
 * Events of jobs and cycles in slurmctld's log: at {@code SlurmctldDebug=info} submissions, starts and ends; with
 * {@code debug} the runs of the main scheduler; with {@code DebugFlags=Backfill,Priority} plans and priorities. Other
 * lines are skipped. Times name no zone: a log in whose time the clock was put back, or whose files are out of order,
 * is refused.
 */
final class ControllerLog {
    private static final Pattern LINE = Pattern.compile("\\[(\\d{4}-\\d\\d-\\d\\dT[\\d:.]+)\\] (.*)");
    private static final String JOB = "JobId=(\\d+(?:_\\d+|_\\*)?)(?:\\(\\d+\\))?";
    private static final Pattern SUBMIT =
            Pattern.compile("_slurm_rpc_submit_batch_job: JobId=(\\d+) InitPrio=(\\d+).*");
    private static final Pattern ALLOCATE = Pattern.compile("sched: Allocate " + JOB + " NodeList=(\\S+) .*");
    private static final Pattern STARTED =
            Pattern.compile("sched/backfill: _start_job: Started " + JOB + " in \\S+ on (\\S+)");
    private static final Pattern DONE = Pattern.compile("_job_complete: " + JOB + " done");
    private static final Pattern TIMEOUT = Pattern.compile("Time limit exhausted for " + JOB);
    private static final Pattern PREEMPTED =
            Pattern.compile("preempted " + JOB + " has been (?:requeued|terminated).*");
    private static final Pattern CLEANED = Pattern.compile("Requeuing " + JOB);
    private static final Pattern KILLED =
            Pattern.compile("job_signal: 9 of (?:pending|running) " + JOB + " successful.*");
    private static final Pattern PLAN = Pattern.compile("sched/backfill: _dump_job_sched: " + JOB
            + " to start at (\\S+), end at (\\S+) on nodes (\\S+) in partition .*");
    private static final Pattern PRIORITY = Pattern.compile(
            "priority/multifactor: _get_priority_internal: Job (\\d+) priority: .* = (\\d+)(?:\\.\\d*)?");
    private static final Pattern PRIORITIES = Pattern.compile(
            "priority/multifactor: _get_priority_internal: PRIO: JobId=(\\d+) multi-partition priorities: (.*)");
    private static final Pattern NODE = Pattern.compile("update_node: node (\\S+) state set to (\\S+)");
    private static final Pattern HOLD =
            Pattern.compile("sched: _(hold|release)_job_rec: (?:release )?hold on " + JOB + ".*");
    private static final Pattern RESERVATION = Pattern.compile(
            "sched: Created reservation=(\\S+) (?:users=(\\S+) )?.*?nodes=(\\S+) .*start=(\\S+) end=(\\S+) .*");

    private static final long HALF_SECOND = 500;
    /**
     * Milliseconds by which a line may be before the ones above it, of several threads or of a clock that was set
     * right.
     */
    static final long BACK_MILLIS = 60_000;

    private final String name;
    private final List<LogEvent> events = new ArrayList<>();
    private boolean mainCycles;
    private boolean priorities;

    private ControllerLog(String name) {
        this.name = name;
    }

    /** Reads the lines of a log. */
    static ControllerLog parse(String name, List<String> lines) {
        ControllerLog log = new ControllerLog(name);
        int number = 0;
        long last = 0;
        String latest = "";
        for (String line : lines) {
            number++;
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches()) {
                long millis = SlurmText.millis(name + ":" + number, matcher.group(1));
                if (millis < last - BACK_MILLIS) {
                    throw InputException.at(
                            name + ":" + number,
                            matcher.group(1),
                            "a time not before %s in a line above, as where files are in order and no clock was put back"
                                    .formatted(latest));
                }
                if (millis > last) {
                    last = millis;
                    latest = matcher.group(1);
                }
                log.take(millis, matcher.group(2).stripTrailing());
            }
        }
        if (log.events.isEmpty()) {
            throw InputException.at(name, "no line of a job or a cycle", "the log of slurmctld");
        }
        return log;
    }

    /** Takes the cancellations of the accounting of which no line tells, in the middle of their seconds. */
    void cancel(List<TwinRun> runs) {
        Set<String> told = new HashSet<>();
        for (LogEvent event : events) {
            if (event.kind() == LogEvent.Kind.CANCELLED) {
                told.add(event.job());
            }
        }
        List<LogEvent> untold = new ArrayList<>();
        for (TwinRun run : runs) {
            if (run.cancelled() && run.endMillis() >= 0 && !told.contains(run.job()) && !told.contains(run.array())) {
                untold.add(LogEvent.cancelled(run, HALF_SECOND));
            }
        }
        if (!untold.isEmpty()) {
            events.addAll(untold);
            events.sort(Comparator.comparingLong(LogEvent::millis));
        }
    }

    List<LogEvent> events() {
        return events;
    }

    /** Whether the log says when the main scheduler ran. */
    boolean hasMainCycles() {
        return mainCycles;
    }

    /** Whether the log has changes of priorities. */
    boolean hasPriorities() {
        return priorities;
    }

    private void take(long millis, String text) {
        if (text.startsWith("sched/backfill: ")) {
            backfill(millis, text);
        } else if (text.startsWith("priority/multifactor: ")) {
            Matcher priority = PRIORITY.matcher(text);
            if (priority.matches()) {
                priorities = true;
                add(millis, LogEvent.Kind.PRIORITY, priority.group(1), Long.parseLong(priority.group(2)), List.of());
                return;
            }
            Matcher several = match(PRIORITIES, text, "multi-partition");
            if (several != null) {
                add(
                        millis,
                        LogEvent.Kind.PRIORITIES,
                        several.group(1),
                        0,
                        List.of(several.group(2).split(", ", -1)));
            } else if (text.contains("_ft_debug:     root (root)")) {
                add(millis, LogEvent.Kind.DECAY, "", 0, List.of());
            }
        } else if (text.startsWith("debug:  sched: Running job scheduler")) {
            mainCycles = true;
            boolean full = text.contains("full queue");
            add(millis, full ? LogEvent.Kind.MAIN_FULL : LogEvent.Kind.MAIN, "", 0, List.of());
        } else {
            job(millis, text);
        }
    }

    private void backfill(long millis, String text) {
        if (text.contains("_attempt_backfill: beginning")) {
            add(millis, LogEvent.Kind.BACKFILL, "", 0, List.of());
            return;
        }
        if (text.contains("_attempt_backfill: completed") || text.contains("_attempt_backfill: no jobs")) {
            add(millis, LogEvent.Kind.BACKFILL_END, "", 0, List.of());
            return;
        }
        Matcher plan = match(PLAN, text, "_dump_job_sched");
        if (plan != null) {
            long start = Math.floorDiv(SlurmText.millis(name, plan.group(2)), 1000);
            add(millis, LogEvent.Kind.PLAN, plan.group(1), start, hosts(plan.group(4)));
            return;
        }
        Matcher started = match(STARTED, text, "_start_job: Started");
        if (started != null) {
            add(millis, LogEvent.Kind.START, started.group(1), 1, hosts(started.group(2)));
        }
    }

    private void job(long millis, String text) {
        Matcher matcher = match(SUBMIT, text, "_slurm_rpc_submit");
        if (matcher != null) {
            add(millis, LogEvent.Kind.SUBMIT, matcher.group(1), Long.parseLong(matcher.group(2)), List.of());
            return;
        }
        matcher = match(ALLOCATE, text, "sched: Allocate");
        if (matcher != null) {
            add(millis, LogEvent.Kind.START, matcher.group(1), 0, hosts(matcher.group(2)));
            return;
        }
        matcher = match(NODE, text, "update_node:");
        if (matcher != null) {
            boolean drained = matcher.group(2).matches("(DRAIN|DOWN|FAIL).*");
            add(millis, drained ? LogEvent.Kind.DRAIN : LogEvent.Kind.RESUME, matcher.group(1), 0, List.of());
            return;
        }
        matcher = match(HOLD, text, "sched: _");
        if (matcher != null) {
            boolean hold = matcher.group(1).equals("hold");
            add(millis, hold ? LogEvent.Kind.HOLD : LogEvent.Kind.RELEASE, matcher.group(2), 0, List.of());
            return;
        }
        matcher = match(RESERVATION, text, "sched: Created");
        if (matcher != null) {
            List<String> names = new ArrayList<>(hosts(matcher.group(3)));
            names.add("users=" + (matcher.group(2) == null ? "" : matcher.group(2)));
            events.add(new LogEvent(
                    millis,
                    LogEvent.Kind.RESERVATION,
                    matcher.group(1),
                    Math.floorDiv(SlurmText.millis(name, matcher.group(4)), 1000),
                    Math.floorDiv(SlurmText.millis(name, matcher.group(5)), 1000),
                    names));
            return;
        }
        ended(millis, text, DONE, "_job_complete", LogEvent.Kind.END);
        ended(millis, text, TIMEOUT, "Time limit", LogEvent.Kind.TIMEOUT);
        ended(millis, text, PREEMPTED, "preempted", LogEvent.Kind.PREEMPTED);
        ended(millis, text, CLEANED, "Requeuing", LogEvent.Kind.CLEANED);
        ended(millis, text, KILLED, "job_signal", LogEvent.Kind.CANCELLED);
    }

    private void ended(long millis, String text, Pattern pattern, String begin, LogEvent.Kind kind) {
        Matcher matcher = match(pattern, text, begin);
        if (matcher != null) {
            add(millis, kind, matcher.group(1), 0, List.of());
        }
    }

    private static @Nullable Matcher match(Pattern pattern, String text, String part) {
        if (!text.contains(part)) {
            return null;
        }
        Matcher matcher = pattern.matcher(text);
        return matcher.matches() ? matcher : null;
    }

    private List<String> hosts(String text) {
        return HostList.expand(name, text);
    }

    private void add(long millis, LogEvent.Kind kind, String job, long number, List<String> names) {
        events.add(new LogEvent(millis, kind, job, number, 0, names));
    }

    /** The users of a reservation's event. */
    static List<String> users(LogEvent reservation) {
        String last = reservation.names().get(reservation.names().size() - 1);
        return Arrays.asList(last.substring("users=".length()).split(",", -1));
    }
}
