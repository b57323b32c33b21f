package org.trainyard.env.simulation;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler that proposes decisions for a live cluster.
 *
 * <p>A {@link Scheduler} remembers the decisions it has made. It is kept as long as the cluster carries them out; when
 * the cluster does something else, a new scheduler takes over in the present state. So a cluster that follows its
 * scheduler gets the decisions of a simulation, and a cluster that does not still gets legal ones; so it is with a
 * question about an earlier time than the one before. To ask again at the same time without an event in between gives
 * the same answer.
 */
public final class LiveScheduler {
    private final LiveCluster cluster;
    private final Supplier<Scheduler> schedulers;
    private @Nullable Scheduler scheduler;
    private List<Decision> last = List.of();
    private long lastNanos = -1;
    private long lastEvents;
    private long renewals;
    private boolean isComplete = true;
    private Turn turn = Turn.REPEATED;

    /** How a proposal follows the ones before it. */
    public enum Turn {
        /** The first of a new scheduler: earlier proposals do not matter any more. */
        FIRST,
        /** The scheduler goes on. */
        NEXT,
        /** Nothing has changed since the last proposal, which is given again. */
        REPEATED
    }

    /**
     * @param schedulers gives a new scheduler at every call; it is the only one that {@link LiveCluster#propose
     *     proposes} for the cluster
     */
    public LiveScheduler(LiveCluster cluster, Supplier<Scheduler> schedulers) {
        this.cluster = cluster;
        this.schedulers = schedulers;
    }

    /** Number of times a new scheduler took over. */
    public long renewals() {
        return renewals;
    }

    /** Whether the last proposal was the whole plan of the scheduler, rather than the part until it was stopped. */
    public boolean isComplete() {
        return isComplete;
    }

    /** How the last proposal follows the ones before it. */
    public Turn turn() {
        return turn;
    }

    /**
     * Whether the scheduler of the last proposal goes on with the next one, if the cluster carries out its decisions.
     */
    public boolean isKept() {
        return scheduler != null;
    }

    /**
     * Decisions of the last proposal that are still to be carried out, if all events since are its beginning: they
     * stand, should the proposal not have been heard in time.
     */
    public List<Decision> outstanding() {
        return cluster.outstanding();
    }

    /** Lets a new scheduler take over at the next question. */
    public void renew() {
        renewals += scheduler == null ? 0 : 1;
        scheduler = null;
        lastNanos = -1;
    }

    /** The decisions to make now, in their order; the last is a {@link Decision.Wait}. */
    public List<Decision> propose() {
        return propose(made -> false);
    }

    /**
     * The decisions to make now, in their order, or their beginning: a proposal that is stopped early ends with a wait
     * of one nanosecond, and the scheduler goes on from there at the next question.
     *
     * @param stop is told of the decisions so far wherever they can end, and says whether they do
     */
    public List<Decision> propose(Predicate<List<Decision>> stop) {
        SimView view = cluster.view();
        if (lastNanos == view.nowNanos() && lastEvents == cluster.reports()) {
            turn = Turn.REPEATED;
            return last;
        }
        Scheduler present = scheduler;
        turn = Turn.NEXT;
        if (present == null || !cluster.isAsProposed() || view.nowNanos() < lastNanos) {
            renewals += present == null ? 0 : 1;
            present = schedulers.get();
            turn = Turn.FIRST;
        }
        // A scheduler that fails has an unknown state and is not asked again.
        scheduler = null;
        lastNanos = -1;
        Ending ending = new Ending(stop);
        last = cluster.propose(present, ending);
        isComplete = !ending.isReached;
        scheduler = isComplete || present.isBetweenPlans() ? present : null;
        renewals += scheduler == null ? 1 : 0;
        lastNanos = view.nowNanos();
        lastEvents = cluster.reports();
        return last;
    }

    /** Remembers that a proposal was stopped. */
    private static final class Ending implements Predicate<List<Decision>> {
        private final Predicate<List<Decision>> stop;
        private boolean isReached;

        Ending(Predicate<List<Decision>> stop) {
            this.stop = stop;
        }

        @Override
        public boolean test(List<Decision> made) {
            isReached = stop.test(made);
            return isReached;
        }
    }
}
