package org.trainyard.env.scheduling.order;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/** A scheduler that considers waiting jobs by a rank, which it can name: for readers of its decisions. */
public interface OrderedScheduler extends Scheduler {
    /** The rank of a waiting job now; the lowest is considered first. */
    double rank(SimView view, int job);

    /** The rank in words, with its unit. */
    String rankName();

    /**
     * Reason, known to this scheduler alone, why a waiting job does not start: Slurm's word, a colon and a sentence
     * without its full stop, such as {@code Reservation: ...}; null for none.
     */
    default @Nullable String hindrance(SimView view, int job) {
        return null;
    }
}
