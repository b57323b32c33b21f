package org.trainyard.agents.heuristic.slurm;

import java.util.PriorityQueue;
import org.trainyard.agents.heuristic.slurm.configuration.SchedulerParameters;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;

/**
 * When the loops of Slurm are next due, in nanoseconds: as {@link LoopTimer} has it, but without looks that find
 * nothing.
 *
 * <p>Simplified: (1) spans are exact, where Slurm compares whole seconds, and a look takes no more than its second; (2)
 * a loop does not run again until a job came, ended, started, became due or changed its priority, for it would start
 * none.
 */
final class LivelockGuard {
    static final long NEVER = Long.MAX_VALUE;
    private static final long SECOND = 1_000_000_000L;
    /** A whole number of seconds, for looks are at whole seconds after the last run of a loop. */
    private static final long LONG_AGO = Long.MIN_VALUE / 4 / SECOND * SECOND;
    /** Time between looks: of the main loop's thread, and of the backfill loop while nothing changes. */
    private static final long LOOK = SECOND;

    private final SchedulerParameters parameters;
    private final boolean backfills;
    private final long calcPeriod;
    /** Times at which requeued jobs may start again. */
    private final PriorityQueue<Long> begins = new PriorityQueue<>();

    private long asked = NEVER;
    private long askedFull = NEVER;
    private long askedBackfill = NEVER;
    private long lastMain = LONG_AGO;
    private long lastFull = LONG_AGO;
    private long lastBackfill = LONG_AGO;
    private long nextDecay;

    LivelockGuard(SlurmCluster cluster) {
        parameters = cluster.parameters();
        backfills = cluster.backfills();
        calcPeriod = cluster.priority().multifactor()
                ? SECOND * Math.max(1, cluster.priority().calcPeriodSeconds())
                : 0;
        nextDecay = calcPeriod == 0 ? NEVER : LONG_AGO;
    }

    /** A job came or ended: all loops have work. */
    void changed(long now) {
        asked = Math.min(asked, now);
        touched(now);
    }

    /** A job started, which may bring others within the depths of the loops. */
    void started(long now, int waiting) {
        if (waiting > parameters.queueDepth()) {
            askedFull = Math.min(askedFull, now);
        }
        askedBackfill = Math.min(askedBackfill, now);
    }

    private void touched(long now) {
        askedFull = Math.min(askedFull, now);
        askedBackfill = Math.min(askedBackfill, now);
    }

    /** A job may start from a second on. */
    void begins(long second) {
        begins.add(SECOND * second);
    }

    /** The first time at which something is due; {@link #NEVER} when that is up to events. */
    long next() {
        long begin = begins.isEmpty() ? NEVER : begins.element();
        return Math.min(Math.min(begin, nextDecay), Math.min(Math.min(mainDue(), fullDue()), backfillDue()));
    }

    private long mainDue() {
        return asked == NEVER ? NEVER : look(Math.max(asked, lastMain + SECOND * parameters.batchSchedDelay()));
    }

    private long fullDue() {
        return askedFull == NEVER ? NEVER : look(Math.max(askedFull, lastFull + SECOND * parameters.schedInterval()));
    }

    private long backfillDue() {
        if (!backfills || askedBackfill == NEVER) {
            return NEVER;
        }
        long slept = lastBackfill + SECOND * parameters.backfillInterval();
        return slept + Math.max(0, look(askedBackfill - slept));
    }

    /** The first look that is not earlier. */
    private static long look(long from) {
        return -Math.floorDiv(-from, LOOK) * LOOK;
    }

    /** Takes note of the jobs that have become due. */
    void takeBegins(long now) {
        while (!begins.isEmpty() && begins.element() <= now) {
            begins.remove();
            changed(now);
        }
    }

    /** Whether priorities are due; if so, they are taken to be calculated. */
    boolean takeDecay(long now) {
        if (nextDecay > now) {
            return false;
        }
        nextDecay = (Math.floorDiv(now, calcPeriod) + 1) * calcPeriod;
        touched(now);
        return true;
    }

    /** Whether the main loop runs; if so, it is taken to have run. */
    LoopTimer.Due takeMain(long now, int waiting) {
        boolean full = fullDue() <= now;
        if (!full && mainDue() > now) {
            return LoopTimer.Due.NOT;
        }
        asked = NEVER;
        lastMain = now;
        if (full || waiting <= parameters.queueDepth()) {
            askedFull = NEVER;
        }
        lastFull = full ? now : lastFull;
        return full ? LoopTimer.Due.FULL : LoopTimer.Due.DEFAULT_DEPTH;
    }

    /** Whether the backfill loop runs; if so, it is taken to have run. */
    boolean takeBackfill(long now) {
        if (backfillDue() > now) {
            return false;
        }
        lastBackfill = now;
        askedBackfill = NEVER;
        return true;
    }
}
