package org.trainyard.agents.learned.training;

import java.nio.file.Path;
import org.trainyard.agents.learned.auction.BidPolicy;

/**
 * Improves a policy, update by update. A run that is saved and resumed after any update ends with the same bytes as one
 * that is not.
 */
public interface PolicyTrainer extends AutoCloseable {
    /** The policy in training; the trainer owns it. */
    BidPolicy policy();

    /** Updates made so far. */
    int updates();

    /** Updates in the whole run. */
    int plannedUpdates();

    /** Whether all updates are made. */
    default boolean isDone() {
        return updates() >= plannedUpdates();
    }

    /** Collects experience and learns from it. */
    UpdateStatistics update();

    /** Writes everything that the next update depends on; replaces the file atomically. */
    void save(Path file);

    /** Restores what {@link #save} wrote. The trainer must have been made with equal arguments. */
    void load(Path file);

    @Override
    void close();
}
