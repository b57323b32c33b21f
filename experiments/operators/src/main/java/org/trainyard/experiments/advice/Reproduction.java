package org.trainyard.experiments.advice;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.io.CellFormat;
import org.trainyard.experiments.metrics.Distribution;

/**
 * How a simulation reproduces the past of a log.
 *
 * @param nearest the scheduler whose waits are nearest to those of the past, job by job, with durations multiplied by
 *     the factor
 * @param alike names of other schedulers whose waits are as near
 * @param durationFactor with which the nearest scheduler has the mean wait of the past; 1 where it has nearly that mean
 *     anyway, or none within 0.75..1.33 gives it
 * @param unfitted the nearest scheduler with durations as logged
 * @param managed the same of those that managers of clusters run, for some other of many may be near by chance
 * @param foreign the same of those but Slurm with the cluster's own files
 * @param cycleStarts the part of the starts in the controller's log that Slurm's rules make from the state of each
 *     cycle; null without such a log, or where the nearest is not Slurm as its files configure it
 */
@JsonPropertyOrder({
    "past",
    "nearest",
    "nearest_as",
    "as_near",
    "reproduced",
    "duration_factor",
    "starts_within_60s",
    "cycle_starts_equal",
    "error",
    "fitted",
    "mean_error_unfitted",
    "p95_error",
    "tolerance_s"
})
public record Reproduction(
        LogOutcome past,
        @JsonProperty("reproduced") LogOutcome nearest,
        @JsonProperty("as_near") List<String> alike,
        double durationFactor,
        @JsonIgnore LogOutcome unfitted,
        @JsonIgnore LogOutcome managed,
        @JsonIgnore LogOutcome foreign,
        @JsonProperty("cycle_starts_equal") @Nullable Double cycleStarts) {
    public Reproduction {
        alike = List.copyOf(alike);
    }

    /** How far the answers can be trusted. */
    public enum Trust {
        GOOD("the simulation reproduces your past"),
        FAIR("the simulation is near your past"),
        WEAK("no scheduler here reproduces your past, so this answer is weak");

        private final String words;

        Trust(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }

        /** The trust in a word. */
        @JsonValue
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Parts of the load that lower trust when they are left out, and that make an answer weak. */
    static final double LOWERS = 0.05;

    static final double WEAKENS = 0.25;

    private static final CellFormat PERCENT = CellFormat.percent(0);
    private static final double GOOD = 0.1;
    private static final double FAIR = 0.3;
    private static final double HALF = 0.5;
    /** The part of equal starts below which trust is not good, whatever the means: a real Slurm repeats nine in ten. */
    private static final double STARTS = 0.8;
    /** Relative error of the mean wait below which nothing is fitted. */
    private static final double NEAR = 0.02;
    /** {@link #NEAR} where the nearest is Slurm as the cluster's own files configure it, which says what ran. */
    private static final double NEAR_OWN = 0.15;
    /** Mean wait, seconds, below which there is no congestion to fit; an error below it counts for nothing. */
    static final double IDLE_SECONDS = 60;

    /** Difference of distances that says nothing. */
    private static final double ALIKE = 1e-3;

    /**
     * A difference of distances below that at which a real Slurm repeats itself: 0.04 under FIFO, 0.19 under backfill.
     */
    private static final double REPEATED = 0.05;

    private static final double LEAST_FACTOR = 0.75;
    private static final double MOST_FACTOR = 1.33;
    private static final int HALVINGS = 10;

    /**
     * Finds the nearest of some replays and fits its factor by bisection, for waits grow with durations.
     *
     * @param past of the jobs that have one
     * @param made replays of all jobs
     * @param dated places of the jobs that have a past
     * @param cycleStarts by the cluster's own files and its controller's log, or null
     */
    static Reproduction of(
            LogOutcome past,
            List<LogOutcome> made,
            LogReplays runs,
            List<LogReplays.Candidate> candidates,
            List<TraceJob> jobs,
            int[] dated,
            @Nullable Double cycleStarts) {
        List<LogOutcome> replays =
                made.stream().map(replay -> replay.over(dated)).toList();
        LogOutcome nearest = nearest(past, replays, runs);
        LogOutcome found = nearest;
        List<String> alike = replays.stream()
                .filter(replay -> replay != found && replay.distance(past) <= found.distance(past) + ALIKE)
                .map(LogOutcome::name)
                .filter(name -> !plain(name).equals(plain(found.name())))
                .toList();
        double target = past.waits().mean();
        Double cycles = found.name().equals(runs.own()) ? cycleStarts : null;
        LogOutcome managed = managed(past, replays, runs);
        LogOutcome foreign = managed(
                past,
                replays.stream()
                        .filter(replay -> !replay.name().equals(runs.own()))
                        .toList(),
                runs);
        Reproduction asLogged = new Reproduction(past, nearest, alike, 1, nearest, managed, foreign, cycles);
        if (asLogged.trust() == Trust.GOOD
                || target < IDLE_SECONDS
                || Math.abs(nearest.waits().mean() / target - 1)
                        < (found.name().equals(runs.own()) ? NEAR_OWN : NEAR)) {
            return asLogged;
        }
        LogReplays.Candidate candidate = candidates.stream()
                .filter(one -> one.name().equals(found.name()))
                .findFirst()
                .orElseThrow();
        double low = LEAST_FACTOR;
        double high = MOST_FACTOR;
        LogOutcome fitted = nearest;
        double factor = 1;
        try (ReplayProgress progress = new ReplayProgress("fit durations", HALVINGS, jobs.size())) {
            for (int i = 0; i < HALVINGS; i++) {
                double middle = (low + high) / 2;
                LogOutcome whole = runs.run(candidate, jobs, middle, progress);
                if (whole == null) {
                    break;
                }
                LogOutcome replay = whole.over(dated);
                double mean = replay.waits().mean();
                if (Math.abs(mean - target) < Math.abs(fitted.waits().mean() - target)) {
                    fitted = replay;
                    factor = middle;
                }
                low = mean < target ? middle : low;
                high = mean < target ? high : middle;
            }
        }
        boolean isFitted = Math.abs(fitted.waits().mean() / target - 1) <= FAIR;
        return isFitted ? new Reproduction(past, fitted, alike, factor, nearest, managed, foreign, cycles) : asLogged;
    }

    /** The past and its one replay, with durations as logged. */
    static Reproduction of(LogOutcome past, LogOutcome replay, @Nullable Double cycleStarts) {
        return new Reproduction(past, replay, List.of(), 1, replay, replay, replay, cycleStarts);
    }

    /**
     * The replay nearest to the past; of those that differ by less than a real scheduler repeats itself, that of the
     * cluster's own files, which say what ran.
     */
    private static LogOutcome nearest(LogOutcome past, List<LogOutcome> replays, LogReplays runs) {
        LogOutcome nearest = replays.stream()
                .min(Comparator.comparingDouble(replay -> replay.distance(past)))
                .orElseThrow();
        return replays.stream()
                .filter(replay -> replay.name().equals(runs.own()))
                .filter(replay -> replay.distance(past) <= nearest.distance(past) + REPEATED)
                .findFirst()
                .orElse(nearest);
    }

    private static LogOutcome managed(LogOutcome past, List<LogOutcome> replays, LogReplays runs) {
        List<LogOutcome> managed = replays.stream()
                .filter(replay ->
                        replay.name().equals(runs.own()) || SchedulerTraits.isConfigured(plain(replay.name())))
                .toList();
        return nearest(past, managed.isEmpty() ? replays : managed, runs);
    }

    private static String plain(String name) {
        return name.replaceFirst(" \\(.*", "");
    }

    /** The part of the jobs that start within a minute of their start in the past, without the fit of durations. */
    @JsonProperty("starts_within_60s")
    public double startsWithinMinute() {
        return unfitted.within(past, IDLE_SECONDS);
    }

    /** The registry's name of the nearest scheduler, without what it was told or how it places. */
    @JsonProperty("nearest")
    public String nearestName() {
        return plain(nearest.name());
    }

    /** Name of the nearest scheduler, with how it placed and what it was told. */
    @JsonProperty("nearest_as")
    private String nearestAs() {
        return nearest.name();
    }

    /** The larger of the relative errors of the mean wait and of its 95th percentile. */
    @JsonProperty("error")
    public double error() {
        return Math.max(relative(nearest.waits().mean(), past.waits().mean()), p95Error());
    }

    /** The difference of a wait that counts for nothing in the trust, seconds. */
    @JsonProperty("tolerance_s")
    public double toleranceSeconds() {
        return IDLE_SECONDS;
    }

    /** Whether durations were fitted to the mean wait, which then says nothing. */
    @JsonProperty("fitted")
    public boolean isFitted() {
        return durationFactor != 1;
    }

    /** The relative error of the mean wait without the fit of durations. */
    @JsonProperty("mean_error_unfitted")
    public double meanError() {
        return relative(unfitted.waits().mean(), past.waits().mean());
    }

    /** The relative error of the 95th percentile of the wait, after the fit. */
    @JsonProperty("p95_error")
    public double p95Error() {
        return relative(nearest.waits().p95(), past.waits().p95());
    }

    /** A relative error; of waits below a second, of a second. */
    private static double relative(double is, double was) {
        return Math.abs(is - was) / Math.max(1, was);
    }

    /** A relative error of what exceeds {@link #IDLE_SECONDS}. */
    private static double counted(double is, double was) {
        return Math.max(0, Math.abs(is - was) - IDLE_SECONDS) / Math.max(IDLE_SECONDS, was);
    }

    /** Whether a wait as it is told is off by much, be it by less than a minute. */
    private boolean isOffByMuch() {
        return Math.max(meanError(), p95Error()) > HALF;
    }

    public Trust trust() {
        Distribution was = past.waits();
        double worst = Math.max(
                Math.max(
                        counted(nearest.waits().mean(), was.mean()),
                        counted(nearest.waits().p95(), was.p95())),
                counted(unfitted.waits().mean(), was.mean()));
        double starts = cycleStarts == null ? startsWithinMinute() : Math.max(cycleStarts, startsWithinMinute());
        boolean isGood = worst <= GOOD && starts >= STARTS && !isOffByMuch();
        return isGood ? Trust.GOOD : worst <= FAIR ? Trust.FAIR : Trust.WEAK;
    }

    /**
     * The trust in answers by it: less where much of the load was left out, or much of the wait was for what no replay
     * has.
     *
     * @param leftOutShare the part of the load, 0 to 1
     */
    Trust trust(double leftOutShare, Advice.@Nullable Held held) {
        double doubtful = Math.max(leftOutShare, held == null ? 0 : held.doubt());
        return doubtful > WEAKENS ? Trust.WEAK : doubtful > LOWERS && trust() == Trust.GOOD ? Trust.FAIR : trust();
    }

    /** Errors of the mean and of the p95 wait, and the part of the equal starts; half a sentence. */
    String errors() {
        Distribution was = past.waits();
        String errors = isFitted()
                ? "durations were fitted to the mean wait, which was off by %s; the p95, which was not fitted, is off by %s"
                : "nothing was fitted; the mean wait is off by %s and the p95 by %s";
        return errors.formatted(
                        off(unfitted.waits().mean(), was.mean()),
                        off(nearest.waits().p95(), was.p95()))
                + "; %s of the jobs start within a minute of their start".formatted(PERCENT.text(startsWithinMinute()))
                + (cycleStarts == null
                        ? ""
                        : ", and %s of the starts of the controller's log are made from the state of their cycle"
                                .formatted(PERCENT.text(cycleStarts)));
    }

    /** A relative error, with a word where it is of less than a minute, which counts for nothing. */
    private static String off(double is, double was) {
        double seconds = Math.abs(is - was);
        double percent = 100 * seconds / Math.max(1, was);
        String minute = percent >= 0.5 && seconds < IDLE_SECONDS ? " (under a minute)" : "";
        return "%.0f %%%s".formatted(percent, minute);
    }
}
