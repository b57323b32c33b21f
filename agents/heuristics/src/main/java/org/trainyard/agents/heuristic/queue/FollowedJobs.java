package org.trainyard.agents.heuristic.queue;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.JournalCursor;
import org.trainyard.env.simulation.SimView;

/**
 * The books of a scheduler that remembers more of jobs than the state says. They follow the journal or, where that does
 * not tell all that has happened, are compared with the state.
 *
 * @param <J> a job in the books
 */
public abstract class FollowedJobs<J> {
    protected SimView view;
    protected final Int2ObjectOpenHashMap<J> jobs = new Int2ObjectOpenHashMap<>();
    private final JournalCursor journal = new JournalCursor();
    /** GPUs out of order when the scheduler last heard of them. */
    private BitSet down = new BitSet();

    protected FollowedJobs(SimView view) {
        this.view = view;
        journal.advance(view);
    }

    /** Takes over the jobs that run and those that wait; for the end of a constructor. */
    protected final void begin() {
        for (int id = view.firstRunning(); id != SimView.NONE; id = view.nextRunning(id)) {
            jobs.put(id, adopted(id));
        }
        for (int id = view.firstWaiting(); id != SimView.NONE; id = view.nextWaiting(id)) {
            jobs.put(id, arrived(id, view.queuedSinceNanos(id)));
        }
        repair();
    }

    /** A job ran before the books were begun. */
    protected abstract J adopted(int id);

    /** A job waits since a time. */
    protected abstract J arrived(int id, long sinceNanos);

    /** Whether a running job was to start, as it did. */
    protected abstract boolean isAsDecided(int id, J job);

    /** Whether a waiting job has been stopped, as the books have it. */
    protected abstract boolean isGone(J job);

    /** A job that ran waits again; null when the books do not know it. */
    protected abstract void stopped(int id, @Nullable J job);

    /** A job that ran does not wait yet. */
    protected abstract void held(int id, @Nullable J job);

    /** A job has ended and is no longer in the books. */
    protected abstract void ended(J job);

    /** Called when other GPUs are out of order than before. */
    protected abstract void repaired();

    /** Brings the books up to date; whether all is what they can know of, or else they have to be made anew. */
    public final boolean update(SimView with) {
        boolean isAnew = journal.advance(with);
        view = with;
        return isAnew ? compare() : follow();
    }

    private boolean follow() {
        for (int entry = journal.first(); entry < journal.end(); entry++) {
            int id = view.journalJob(entry);
            switch (view.journalKind(entry)) {
                case ARRIVE -> jobs.put(id, arrived(id, view.nowNanos()));
                case START -> {
                    J job = jobs.get(id);
                    if (job == null || !isAsDecided(id, job)) {
                        return false;
                    }
                }
                case FINISH, TIMEOUT, REJECT, FORWARD -> end(id);
                case PREEMPT, KILL -> stopped(id, jobs.get(id));
                case HOLD -> held(id, jobs.get(id));
                case RESIZE -> {
                    return false;
                }
                case DOWN, UP -> repair();
                case FREEZE, HOST_CPU, HOST_MEMORY -> {}
            }
        }
        return true;
    }

    private boolean compare() {
        for (int id : jobs.keySet().toIntArray()) {
            J job = jobs.get(id);
            switch (view.state(id)) {
                case RUNNING -> {
                    if (!isAsDecided(id, job)) {
                        return false;
                    }
                }
                case WAITING -> {
                    if (isGone(job)) {
                        stopped(id, job);
                    }
                }
                default -> end(id);
            }
        }
        for (int id = view.firstRunning(); id != SimView.NONE; id = view.nextRunning(id)) {
            if (!jobs.containsKey(id)) {
                return false;
            }
        }
        for (int id = view.firstWaiting(); id != SimView.NONE; id = view.nextWaiting(id)) {
            if (!jobs.containsKey(id)) {
                jobs.put(id, arrived(id, view.queuedSinceNanos(id)));
            }
        }
        if (!down.equals(outOfOrder())) {
            repair();
        }
        return true;
    }

    private void end(int id) {
        J job = jobs.remove(id);
        if (job != null) {
            ended(job);
        }
    }

    private void repair() {
        down = outOfOrder();
        repaired();
    }

    private BitSet outOfOrder() {
        BitSet now = new BitSet();
        for (int gpu = 0; gpu < view.topology().gpus(); gpu++) {
            now.set(gpu, view.cluster().owner(gpu) == Cluster.DOWN);
        }
        return now;
    }
}
