package org.trainyard.agents.heuristic.composed;

import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.util.Arrays;
import org.trainyard.agents.heuristic.backfill.Backfill;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.JournalCursor;
import org.trainyard.env.simulation.SimView;

/**
 * Leaves out the waiting jobs that run too long to pass the reservations, most of them without a look: for each kind of
 * job it keeps a bound below the expected run times of those that wait. O(jobs of the kind) where the bound lets one
 * through.
 */
final class ShortJobs {
    private static final int KINDS = 16;

    private final Backfill backfill;
    private final WaitingJobs waiting;
    private final JournalCursor journal = new JournalCursor();
    /** By kind, a bound below all expected run times; 0 when not known. */
    private long[] bound = new long[KINDS];
    /** By kind, the shortest of the jobs that were looked at in this pass, and the pass. */
    private long[] shortest = new long[KINDS];

    private long[] lookedIn = new long[KINDS];
    private long pass;
    /** Jobs that came before the reservations were full, in this pass and in those before: no bound counts them. */
    private final IntOpenHashSet first = new IntOpenHashSet();

    private final IntOpenHashSet earlier = new IntOpenHashSet();

    ShortJobs(Backfill backfill, WaitingJobs waiting) {
        this.backfill = backfill;
        this.waiting = waiting;
    }

    /** Whether under these settings a job that may not pass the reservations has no other effect in a pass. */
    static boolean mayLeaveOut(ComposedSettings settings) {
        return settings.value(Knob.DELAY) == 0
                && settings.value(Knob.HOLD) == 0
                && settings.value(Knob.LIMIT) == Double.POSITIVE_INFINITY
                && settings.value(Knob.SHARE) >= 1
                && !settings.order().isPreemptive();
    }

    /** Begins a pass through the waiting jobs. */
    void update(SimView view) {
        pass++;
        earlier.addAll(first);
        first.clear();
        if (journal.advance(view)) {
            Arrays.fill(bound, 0);
        }
        for (int entry = journal.first(); entry < journal.end(); entry++) {
            EventKind event = view.journalKind(entry);
            if (event == EventKind.ARRIVE || event == EventKind.PREEMPT || event == EventKind.KILL) {
                int job = view.journalJob(entry);
                int kind = kind(view, job);
                bound[kind] = Math.min(bound[kind], backfill.expectedNanos(view, job));
            }
        }
    }

    /**
     * Whether the first job of its kind is too long to pass the reservations; then the jobs of its kind before the
     * first that is not are passed over.
     */
    boolean leavesOut(SimView view, int job) {
        if (!backfill.isFull() || view.cluster().isShared()) {
            first.add(job);
            return false;
        }
        countEarlier(view);
        int kind = kind(view, job);
        long longest = backfill.longestNanos(view, view.job(job).gpus());
        int next = bound[kind] > longest ? SimView.NONE : next(view, job, kind, longest);
        if (next == SimView.NONE) {
            waiting.refuse(view, job);
        } else if (next != job) {
            waiting.passTo(view, next);
        }
        return next != job;
    }

    private void countEarlier(SimView view) {
        for (int job : earlier) {
            if (!first.contains(job) && view.state(job) == JobState.WAITING) {
                int kind = kind(view, job);
                bound[kind] = Math.min(bound[kind], backfill.expectedNanos(view, job));
            }
        }
        earlier.clear();
    }

    private int next(SimView view, int job, int kind, long longest) {
        if (lookedIn[kind] != pass) {
            lookedIn[kind] = pass;
            shortest[kind] = Long.MAX_VALUE;
        }
        int next = waiting.firstOfKind(view, job, other -> {
            long expected = backfill.expectedNanos(view, other);
            shortest[kind] = Math.min(shortest[kind], expected);
            return expected <= longest;
        });
        bound[kind] = next == SimView.NONE ? shortest[kind] : bound[kind];
        return next;
    }

    private int kind(SimView view, int job) {
        int kind = waiting.kind(view, job);
        if (kind >= bound.length) {
            bound = Arrays.copyOf(bound, 2 * kind);
            shortest = Arrays.copyOf(shortest, 2 * kind);
            lookedIn = Arrays.copyOf(lookedIn, 2 * kind);
        }
        return kind;
    }
}
