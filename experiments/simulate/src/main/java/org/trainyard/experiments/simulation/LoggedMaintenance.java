package org.trainyard.experiments.simulation;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.MaintenanceWindow;
import org.trainyard.env.simulation.Outage;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.LogClock;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.trace.slurm.SlurmReservations;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.InputFiles;

/**
 * The planned maintenance of a cluster, by its log and by what Slurm says of reservations.
 *
 * <p>A log shows the maintenance of all servers by a gap of at least an hour in which no job ran though jobs waited
 * that might start. It begins when the last job had ended or, if that is later, at the latest end that a time limit
 * allowed a job that had started: none crossed it. A gap that such an end outlasts was an outage that nobody had
 * planned. A reservation that comes again each day or week is taken back into the past where the log has such a gap.
 *
 * @param windows by their begin
 * @param announced those of them that a reservation says; nobody could know the others before they were over
 * @param notes sentences on where they are from, and on what is left out
 * @param zeroNanos time 0 of the log, nanoseconds since 1970; 0 where it has no dates
 */
public record LoggedMaintenance(
        List<MaintenanceWindow> windows, List<MaintenanceWindow> announced, List<String> notes, long zeroNanos) {
    /** No maintenance, of which nothing is to be said. */
    public static final LoggedMaintenance NONE = new LoggedMaintenance(List.of(), List.of(), List.of(), 0);

    private static final long HOUR = 3_600_000_000_000L;
    /** Jobs that must have waited during a gap: one may have been held by hand. */
    private static final int WAITING = 2;
    /** How often a reservation that comes again does so after the end of a log. */
    private static final int TO_COME = 8;

    public LoggedMaintenance {
        windows = List.copyOf(windows);
        announced = List.copyOf(announced);
        notes = List.copyOf(notes);
    }

    /**
     * Reads the maintenance of a log as {@code --maintenance} says.
     *
     * @param option a file, the word for no maintenance, or null for what lies beside the log
     * @param zone of the log's clocks, or null
     */
    public static LoggedMaintenance read(
            @Nullable String option, String log, Trace trace, @Nullable ZoneId zone, Topology topology) {
        return read(option, log, trace.jobs(), trace.end().zeroNanos(), zone, topology);
    }

    /**
     * Reads the maintenance of jobs of a log.
     *
     * @param zero time 0 of the jobs, nanoseconds since 1970; 0 where the log has no dates
     */
    public static LoggedMaintenance read(
            @Nullable String option,
            String log,
            List<TraceJob> jobs,
            long zero,
            @Nullable ZoneId zone,
            Topology topology) {
        if ("none".equals(option)) {
            return new LoggedMaintenance(List.of(), List.of(), List.of(), zero);
        }
        Path beside = InputFiles.path(log).toAbsolutePath().resolveSibling("reservations.txt");
        Path file = option != null
                ? InputFiles.readable(InputFiles.path(option))
                : Files.isRegularFile(beside) ? beside : null;
        if (file != null && zero == 0) {
            throw InputException.at("--maintenance", file, "a log with dates beside it, or none");
        }
        List<SlurmReservations.Reservation> reservations = file == null
                ? List.of()
                : SlurmReservations.read(file.toString(), InputFiles.text(file), new LogClock(zone));
        return of(jobs, topology.servers(), new LoggedServers(topology, jobs), reservations, zero, zone);
    }

    /** Puts the windows into the configuration of a run. */
    public void describe(ObjectNode config) {
        if (!windows.isEmpty()) {
            ArrayNode all = config.putArray("maintenance");
            windows.forEach(window -> all.addArray()
                    .add(Durations.seconds(window.span().fromNanos()))
                    .add(Durations.seconds(window.span().untilNanos()))
                    .add(window.servers().size()));
        }
    }

    /**
     * The windows on a cluster that has more servers, all behind one: those of all servers are of the new ones, too.
     *
     * @param before number of servers
     * @param now number of servers of the larger one
     * @param after number of the server behind which the new ones are
     */
    public List<MaintenanceWindow> grown(int before, int now, int after) {
        return windows.stream()
                .map(window -> new MaintenanceWindow(
                        window.span(),
                        window.servers().size() == before
                                ? IntStream.range(0, now).boxed().toList()
                                : window.servers().stream()
                                        .map(server -> server > after ? server + now - before : server)
                                        .toList()))
                .toList();
    }

    /** A time without any running job, from the end of the last to the next start. */
    record Gap(long fromNanos, long untilNanos, long limitEndNanos, int waiting) {
        /** Whether a job had started that was allowed to run for all of it. */
        boolean isUnplanned() {
            return limitEndNanos >= untilNanos;
        }

        Outage span() {
            return new Outage(Math.max(fromNanos, limitEndNanos), untilNanos);
        }

        private boolean meets(Outage span) {
            long both = Math.min(untilNanos, span.untilNanos()) - Math.max(fromNanos, span.fromNanos());
            return 2 * both > span.untilNanos() - span.fromNanos();
        }
    }

    /**
     * Finds it. O(n log n).
     *
     * @param jobs of a log, in order of submission
     * @param named says which server a name means
     * @param reservations as Slurm lists them; none when they are not known
     * @param zeroNanos time 0 of the jobs, nanoseconds since 1970; 0 where the log has no dates
     * @param zone of the log's clocks, or null
     */
    public static LoggedMaintenance of(
            List<TraceJob> jobs,
            int servers,
            LoggedServers named,
            List<SlurmReservations.Reservation> reservations,
            long zeroNanos,
            @Nullable ZoneId zone) {
        List<MaintenanceWindow> windows = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        List<Gap> gaps = new ArrayList<>(gaps(jobs));
        long end = jobs.stream()
                .mapToLong(job -> Math.max(
                        job.submitNanos(), job.past() == null ? 0 : job.past().endNanos()))
                .max()
                .orElse(0);
        List<Integer> all = IntStream.range(0, servers).boxed().toList();
        for (SlurmReservations.Reservation one : reservations) {
            List<Integer> where = servers(one, all, named);
            if (!one.isMaintenance() || where == null) {
                notes.add("Reservation %s is left out: %s."
                        .formatted(
                                one.name(),
                                one.isMaintenance()
                                        ? "its nodes are not those of the cluster"
                                        : "it is for some jobs, and has not the flag MAINT"));
                continue;
            }
            windows.addAll(windows(one, where, gaps, zeroNanos));
        }
        List<MaintenanceWindow> announced = List.copyOf(windows);
        for (Gap gap : gaps) {
            if (gap.isUnplanned()) {
                notes.add(
                        "No job ran for %s from %s on, though %,d waited, and a limit of a job that had started outlasted it: an outage that nobody planned, which is not simulated."
                                .formatted(
                                        Durations.human((gap.untilNanos - gap.fromNanos) / 1e9),
                                        at(gap.fromNanos),
                                        gap.waiting));
            } else {
                windows.add(new MaintenanceWindow(gap.span(), all));
            }
        }
        windows.sort(Comparator.comparingLong(window -> window.span().fromNanos()));
        if (!windows.isEmpty()) {
            notes.add(0, sentence(windows, end, new LogDates(zeroNanos, zone)));
        }
        return new LoggedMaintenance(windows, announced, notes, zeroNanos);
    }

    private static @Nullable List<Integer> servers(
            SlurmReservations.Reservation one, List<Integer> all, LoggedServers named) {
        if (one.nodes() == null || one.nodes().size() == all.size()) {
            return all;
        }
        List<Integer> where = one.nodes().stream().map(named::named).toList();
        return where.isEmpty() || where.contains(-1) ? null : where;
    }

    /** Spans of a reservation from now on, and past ones that a gap of the log shows; these gaps are taken out. */
    private static List<MaintenanceWindow> windows(
            SlurmReservations.Reservation one, List<Integer> where, List<Gap> gaps, long zeroNanos) {
        List<MaintenanceWindow> windows = new ArrayList<>();
        long length = one.endNanos() - one.startNanos();
        long first = one.startNanos() - zeroNanos;
        long period = one.periodNanos();
        long back = period == 0 || first < 0 ? 0 : first / period;
        for (long k = -back; k <= (period == 0 ? 0 : TO_COME); k++) {
            Outage span = first + k * period < 0 ? null : new Outage(first + k * period, first + k * period + length);
            if (span != null && (k >= 0 || gaps.removeIf(gap -> gap.meets(span)))) {
                gaps.removeIf(gap -> gap.meets(span));
                windows.add(new MaintenanceWindow(span, where));
            }
        }
        return windows;
    }

    /** The gaps of at least an hour in which jobs waited that depend on no other job, in order. */
    static List<Gap> gaps(List<TraceJob> jobs) {
        List<TraceJob> ran = jobs.stream()
                .filter(job -> job.past() != null)
                .sorted(Comparator.comparingLong(job -> past(job).startNanos()))
                .toList();
        List<TraceJob> free =
                ran.stream().filter(job -> job.terms().dependency() == null).toList();
        long[] eligible = free.stream()
                .mapToLong(job -> job.submitNanos() + job.terms().delayNanos())
                .sorted()
                .toArray();
        long[] starts = free.stream().mapToLong(job -> past(job).startNanos()).toArray();
        List<Gap> gaps = new ArrayList<>();
        long last = Long.MAX_VALUE;
        long limitEnd = 0;
        for (TraceJob job : ran) {
            LoggedRun run = past(job);
            if (last < Long.MAX_VALUE && run.startNanos() - last >= HOUR) {
                int waiting = upTo(eligible, last) - upTo(starts, last);
                if (waiting >= WAITING) {
                    gaps.add(new Gap(last, run.startNanos(), limitEnd, waiting));
                }
                limitEnd = 0;
            }
            last = Math.max(last == Long.MAX_VALUE ? 0 : last, run.endNanos());
            limitEnd = Math.max(limitEnd, run.startNanos() + job.terms().limitNanos());
        }
        return gaps;
    }

    private static LoggedRun past(TraceJob job) {
        return Objects.requireNonNull(job.past());
    }

    /** How many of some ascending times are at most another. */
    private static int upTo(long[] times, long nanos) {
        int at = Arrays.binarySearch(times, nanos);
        while (at >= 0 && at < times.length && times[at] == nanos) {
            at++;
        }
        return at < 0 ? -at - 1 : at;
    }

    private static String sentence(List<MaintenanceWindow> windows, long end, LogDates dates) {
        long begun = windows.stream()
                .filter(window -> window.span().fromNanos() < end)
                .count();
        Outage first = windows.get(0).span();
        return "Maintenance: %s in the log%s, the first from %s to %s; --maintenance none leaves them out."
                .formatted(
                        Counted.of(begun, "window"),
                        begun == windows.size() ? "" : " and %d to come".formatted(windows.size() - begun),
                        date(first.fromNanos(), dates),
                        date(first.untilNanos(), dates));
    }

    /** A date by the clock of the log; without dates, the time after the first submission. */
    private static String date(long nanos, LogDates dates) {
        String date = dates.of(nanos);
        return date == null ? at(nanos) : date;
    }

    private static String at(long nanos) {
        return Durations.human(nanos / 1e9);
    }
}
