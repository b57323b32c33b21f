package org.trainyard.agents.heuristic.slurm;

import java.util.SplittableRandom;
import org.trainyard.agents.heuristic.slurm.configuration.SchedulerParameters;

/**
 * When the loops of the controller run, in milliseconds. A thread looks about once a second whether the main scheduler
 * has been asked for and {@code batch_sched_delay} has passed, or {@code sched_interval}; the backfill loop sleeps
 * {@code bf_interval} after the end of a cycle, and a second more while nothing has changed; that it plans jobs itself
 * is a change. How much longer than their spans looks and cycles last is drawn from the logs of a controller.
 */
public final class LoopTimer {
    private static final long SECOND_MILLIS = 1000;
    /** How much longer than its second a look of the thread lasts: at least, and more on average. */
    private static final long LEAST_LATE_MILLIS = 2;

    private static final double LATE_MILLIS = 10;
    /** Mean duration of a cycle of the backfill loop, for each job that waits. */
    private static final double TEST_MILLIS = 1;

    /** Whether the main scheduler runs, and how far down its queue. */
    public enum Due {
        NOT,
        DEFAULT_DEPTH,
        FULL
    }

    private final SchedulerParameters parameters;
    private final long firstMain;
    private final long firstBackfill;
    private final SplittableRandom random;
    private boolean asked;
    private long lastMain;
    private long lastFull;
    private long lastBackfill;
    private long changedSecond;

    /**
     * @param firstMain when the thread looks first
     * @param firstBackfill when the backfill loop looks first
     * @param seed of how long looks and cycles last
     */
    public LoopTimer(SchedulerParameters parameters, long firstMain, long firstBackfill, long seed) {
        this.parameters = parameters;
        random = new SplittableRandom(seed);
        this.firstMain = firstMain;
        this.firstBackfill = firstBackfill;
        lastFull = firstMain;
        lastMain = Long.MIN_VALUE / 2;
        lastBackfill = Long.MIN_VALUE / 2;
        changedSecond = Long.MIN_VALUE / 2;
    }

    public long firstMain() {
        return firstMain;
    }

    public long firstBackfill() {
        return firstBackfill;
    }

    private static long second(long millis) {
        return Math.floorDiv(millis, 1000);
    }

    /** A job came or ended: both loops have work. */
    public void changed(long now) {
        asked = true;
        touched(now);
    }

    /** A job changed: the backfill loop has work. */
    public void touched(long now) {
        changedSecond = second(now);
    }

    /** Whether the main scheduler is due. */
    public Due main(long now) {
        if (second(now) - second(lastFull) >= parameters.schedInterval()) {
            return Due.FULL;
        }
        return asked && second(now) - second(lastMain) >= parameters.batchSchedDelay() ? Due.DEFAULT_DEPTH : Due.NOT;
    }

    /** The main scheduler ran. */
    public void mainRan(long now, boolean full) {
        asked = false;
        lastMain = now;
        lastFull = full ? now : lastFull;
        touched(now);
    }

    /** When the thread looks next. */
    public long nextMain(long now) {
        return now + SECOND_MILLIS + LEAST_LATE_MILLIS + drawn(LATE_MILLIS);
    }

    /**
     * When a loop looks last before a time up to which nothing happens; the main scheduler has run in vain until then.
     */
    public long lastLook(long until) {
        lastFull = Math.max(lastFull, until - random.nextLong(SECOND_MILLIS * Math.max(1, parameters.schedInterval())));
        return until - random.nextLong(SECOND_MILLIS);
    }

    /** A span of an exponential distribution. */
    private long drawn(double mean) {
        return Math.round(-mean * Math.log1p(-random.nextDouble()));
    }

    /** Whether the backfill loop runs; if so, it has run. */
    public boolean backfill(long now) {
        if (second(now) - second(lastBackfill) < parameters.backfillInterval()
                || changedSecond < second(lastBackfill)) {
            return false;
        }
        lastBackfill = now;
        return true;
    }

    /** When the backfill loop looks next, after a look that ran or did not while so many jobs waited. */
    public long nextBackfill(long now, boolean ran, int waiting) {
        if (!ran) {
            return now + SECOND_MILLIS + 1;
        }
        int tested = Math.min(waiting, parameters.maxJobTest());
        return now + SECOND_MILLIS * parameters.backfillInterval() + 1 + drawn(TEST_MILLIS * tested);
    }
}
