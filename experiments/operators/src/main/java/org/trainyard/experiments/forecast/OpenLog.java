package org.trainyard.experiments.forecast;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.TraceLimits;
import org.trainyard.env.workload.log.LogEnd;
import org.trainyard.env.workload.log.Trace;

/**
 * A log with the jobs that ran or waited at its end, by its own rows and by a listing of the queue, which prevails.
 *
 * @param jobs in order of submission; the pasts of open ones are assumed, as in {@link LogEnd}
 * @param endNanos last time that either names
 * @param zeroNanos of all times, nanoseconds since 1970; 0 where the log has no dates
 * @param startNanos the first submission of the log
 * @param open number of jobs that ran or waited at the end
 * @param unlisted number of jobs that the log calls open and the listing does not have; they are left out
 * @param cancelledNanos as in {@link LogEnd}
 */
public record OpenLog(
        List<TraceJob> jobs,
        long endNanos,
        long zeroNanos,
        long startNanos,
        int open,
        int unlisted,
        List<Long> cancelledNanos) {
    public OpenLog {
        jobs = List.copyOf(jobs);
        cancelledNanos = List.copyOf(cancelledNanos);
    }

    /**
     * Joins the two.
     *
     * @param queue listing of the queue, read as the log was; or null
     */
    public static OpenLog of(Trace log, @Nullable Trace queue) {
        LogEnd end = log.end();
        if (queue == null) {
            return of(log, 0, end.open(), end.nanos(), end.zeroNanos(), 0);
        }
        LogEnd listed = queue.end();
        if (end.zeroNanos() == 0 || listed.zeroNanos() == 0) {
            throw InputException.at("--squeue", queue.name(), "a listing and a log that both have dates");
        }
        long zero = Math.min(end.zeroNanos(), listed.zeroNanos());
        long shift = end.zeroNanos() - zero;
        long shiftListed = listed.zeroNanos() - zero;
        long last = Math.max(end.nanos() + shift, listed.nanos() + shiftListed);
        Map<String, TraceJob> known = new LinkedHashMap<>();
        end.open().forEach(job -> known.put(job.id(), job));
        List<TraceJob> open = new ArrayList<>();
        int found = 0;
        for (TraceJob job : listed.open()) {
            TraceJob same = known.get(job.id());
            found += same == null ? 0 : 1;
            TraceJob moved = job.submittedAt(job.submitNanos() + shiftListed);
            LoggedRun run = Objects.requireNonNull(moved.past());
            boolean waits = run.startNanos() > listed.nanos() + shiftListed;
            TraceJob told = same == null ? moved : same.submittedAt(same.submitNanos() + shift);
            long from = Math.max(told.submitNanos(), waits ? last + 1 : run.startNanos());
            open.add(told.lasting(1).ran(new LoggedRun(from, Math.max(last, from) + 1, run.facts())));
        }
        return of(log, shift, open, last, zero, known.size() - found);
    }

    private static OpenLog of(Trace log, long shift, List<TraceJob> open, long endNanos, long zeroNanos, int unlisted) {
        List<TraceJob> jobs = new ArrayList<>(open);
        log.jobs().forEach(job -> jobs.add(job.submittedAt(job.submitNanos() + shift)));
        jobs.sort(Comparator.comparingLong(TraceJob::submitNanos));
        return new OpenLog(
                jobs,
                endNanos,
                zeroNanos,
                shift,
                open.size(),
                unlisted,
                log.end().cancelledNanos());
    }

    /**
     * An instant of it, as a user gives it.
     *
     * @param seconds after its first submission, or since 1970
     */
    public long instant(String place, double seconds) {
        boolean isTime = seconds >= 0 && seconds * 1e9 <= TraceLimits.NANOS;
        long given = isTime ? Math.round(seconds * 1e9) : 0;
        long after = given + startNanos;
        long dated = given - zeroNanos;
        boolean isDated = zeroNanos > 0 && after > endNanos && dated >= 0 && dated <= endNanos;
        if (!isTime || (after > endNanos && !isDated)) {
            throw InputException.at(
                    place,
                    "%,.0f".formatted(seconds),
                    "seconds from 0 to %,.0f, when the log ends%s"
                            .formatted(
                                    Math.ceil((endNanos - startNanos) / 1e9),
                                    zeroNanos == 0
                                            ? ""
                                            : ", or seconds since 1970 up to %,.0f"
                                                    .formatted(Math.ceil((zeroNanos + endNanos) / 1e9))));
        }
        return isDated ? dated : after;
    }
}
