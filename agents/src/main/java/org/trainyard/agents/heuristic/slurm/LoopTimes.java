package org.trainyard.agents.heuristic.slurm;

import org.trainyard.agents.heuristic.slurm.configuration.SchedulerParameters;

/**
 * When the loops of the controller run, in milliseconds. A thread looks about once a second whether the main scheduler has
 * been asked for and {@code batch_sched_delay} has passed, or {@code sched_interval}; the backfill loop sleeps
 * {@code bf_interval} after a cycle, and a second more while nothing has changed.
 */
public final class LoopTimes {
    /** A look of the thread takes a little longer than its second. */
    private static final long LOOK_MILLIS = 1012;

    private static final long SHORT_SLEEP_MILLIS = 1001;

    /** Whether the main scheduler runs, and how far down its queue. */
    public enum Due {
        NOT,
        DEFAULT_DEPTH,
        FULL
    }

    private final SchedulerParameters parameters;
    private final long firstMain;
    private final long firstBackfill;
    private boolean asked;
    private long lastMain;
    private long lastFull;
    private long lastBackfill;
    private long changedSecond;

    /**
     * @param firstMain when the thread looks first
     * @param firstBackfill when the backfill loop looks first
     */
    public LoopTimes(SchedulerParameters parameters, long firstMain, long firstBackfill) {
        this.parameters = parameters;
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
        return now + LOOK_MILLIS;
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

    /** When the backfill loop looks next. */
    public long nextBackfill(long now, boolean ran) {
        return now + (ran ? 1000 * parameters.backfillInterval() + 2 : SHORT_SLEEP_MILLIS);
    }
}
