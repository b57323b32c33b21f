package org.trainyard.experiments.forecast;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.LogEnd;
import org.trainyard.experiments.io.Durations;

/**
 * The time after the end of a log: jobs that ran or waited then, with run times drawn as in a forecast, and a week of
 * submissions like those of the log. Jobs that a change delays beyond the end would meet nobody there without it.
 *
 * <p>Simplified: nobody cancels a job that waits.
 */
public final class LogSequel {
    private static final long DAY_NANOS = 86_400_000_000_000L;
    private static final int DAYS = 7;

    /** A job without an end, and how long it had run. */
    private record Open(TraceJob job, double elapsedSeconds) {}

    private final List<Open> open = new ArrayList<>();
    private final RunTimeHistory history;
    private final StartForecaster.ArrivalHistory arrivals;
    private final long horizonNanos;
    private final long seed;

    /**
     * The sequel of a log.
     *
     * @param ended jobs of the log, in order of submission
     * @param end of the log, by a time 0 of its own
     * @param unended its open jobs, with what they demand on the cluster
     * @param zeroNanos the time 0 of the jobs that ended, as in {@link LogEnd}
     * @param mondayNanos as in {@link Outlook}
     */
    public LogSequel(
            List<TraceJob> ended,
            LogEnd end,
            List<TraceJob> unended,
            long zeroNanos,
            @Nullable Long mondayNanos,
            long seed) {
        this.seed = seed;
        long shift = end.zeroNanos() - zeroNanos;
        for (TraceJob job : unended) {
            LoggedRun run = Objects.requireNonNull(job.past());
            open.add(new Open(
                    job.ran(null).submittedAt(Math.max(0, job.submitNanos() + shift)),
                    Math.max(0, end.nanos() - run.startNanos()) / 1e9));
        }
        history = new RunTimeHistory(ended);
        List<TraceJob> submitted = new ArrayList<>(ended);
        open.forEach(one -> submitted.add(one.job));
        submitted.sort(Comparator.comparingLong(TraceJob::submitNanos));
        long last = end.nanos() + shift;
        arrivals = new StartForecaster.ArrivalHistory(submitted, last, Outlook.NONE.since(mondayNanos));
        horizonNanos = Math.min(DAYS * DAY_NANOS, last - submitted.get(0).submitNanos());
    }

    /** The jobs of one draw. */
    public List<TraceJob> draw(int number) {
        RandomGenerator random = RandomStreams.stream(seed, "sequel %d of a log".formatted(number));
        List<TraceJob> drawn = new ArrayList<>();
        open.forEach(one -> drawn.add(lasting(one.job, one.elapsedSeconds, random)));
        arrivals.draw(horizonNanos, random).forEach(job -> drawn.add(lasting(job, 0, random)));
        return drawn;
    }

    private TraceJob lasting(TraceJob job, double elapsedSeconds, RandomGenerator random) {
        return StartDraw.lasting(job, Math.round(1e9 * history.drawSeconds(job, elapsedSeconds, random)));
    }

    /** The assumptions on that time, a sentence. */
    public String note() {
        return Counted.say(
                "After the log: %s, open at its end, and submissions as in the log for %s are replayed too, and count in no mean.",
                Counted.of(open.size(), "job"), Durations.human(horizonNanos / 1e9));
    }
}
