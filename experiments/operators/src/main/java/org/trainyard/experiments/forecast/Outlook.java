package org.trainyard.experiments.forecast;

import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.MaintenanceWindow;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.TraceLimits;

/**
 * Knowledge of the time after a moment beside the jobs.
 *
 * @param windows maintenance that is announced
 * @param patience of jobs that wait
 * @param mondayNanos when some week begins; null where nobody knows
 * @param limitSeconds time limits of jobs that no scheduler is told, by id
 */
public record Outlook(
        List<MaintenanceWindow> windows,
        CancelledWaits patience,
        @Nullable Long mondayNanos,
        Map<String, Long> limitSeconds) {
    /** No knowledge. */
    public static final Outlook NONE = new Outlook(List.of(), CancelledWaits.ENDLESS, null, Map.of());

    private static final long DAY_NANOS = 86_400_000_000_000L;
    /** The longest limit to which a time may be added. */
    private static final long MOST_SECONDS = TraceLimits.NANOS / 1_000_000_000L;

    private static final LocalDate MONDAY = LocalDate.of(2024, 1, 1);

    public Outlook {
        windows = List.copyOf(windows);
        limitSeconds = Map.copyOf(limitSeconds);
    }

    /** Returns this outlook with the beginning of a week; null where nobody knows. */
    Outlook since(@Nullable Long monday) {
        return new Outlook(windows, patience, monday, limitSeconds);
    }

    /** Returns this outlook with other limits. */
    Outlook limiting(Map<String, Long> limits) {
        return new Outlook(windows, patience, mondayNanos, limits);
    }

    /** A job as long as it may run at most. */
    TraceJob limited(TraceJob job) {
        Long seconds = limitSeconds.get(job.id());
        return seconds == null
                ? job
                : job.on(job.terms()
                        .but()
                        .limitNanos(Math.min(MOST_SECONDS, seconds) * 1_000_000_000L)
                        .build());
    }

    /**
     * When a week begins where a log was written.
     *
     * @param zeroNanos of the log, nanoseconds since 1970; 0 where it has no dates
     * @param zone of its times; null for UTC
     */
    public static @Nullable Long monday(long zeroNanos, @Nullable ZoneId zone) {
        long monday = MONDAY.atStartOfDay(zone == null ? ZoneOffset.UTC : zone).toEpochSecond();
        return zeroNanos == 0 ? null : monday * 1_000_000_000L - zeroNanos;
    }

    /** Whether two days are both of a weekend or both not, by their middles; any are where nobody knows. */
    boolean isAlike(long dayNanos, long otherNanos) {
        Long monday = mondayNanos;
        return monday == null || isWeekend(dayNanos - monday) == isWeekend(otherNanos - monday);
    }

    private static boolean isWeekend(long nanos) {
        return Math.floorMod(Math.floorDiv(nanos + DAY_NANOS / 2, DAY_NANOS), 7L) >= 5;
    }
}
