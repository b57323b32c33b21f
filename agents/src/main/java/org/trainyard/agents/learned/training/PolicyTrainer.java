package org.trainyard.agents.learned.training;

import java.nio.file.Path;
import org.trainyard.agents.learned.policy.PolicyNetwork;

/** Makes a policy better, update by update; can be stopped and resumed after any of them without a trace. */
public interface PolicyTrainer extends AutoCloseable {
    /** The policy in training; the trainer owns it. */
    PolicyNetwork policy();

    /** Updates made so far. */
    int updates();

    /** Updates in the whole run. */
    int plannedUpdates();

    /** Whether all updates are made. */
    default boolean isDone() {
        return updates() >= plannedUpdates();
    }

    /** Gathers experience and learns from it. */
    UpdateStatistics update();

    /** Writes everything that the next update depends on; replaces the file in one move. */
    void save(Path file);

    /** Goes on from where {@link #save} was called. The trainer must have been made with equal arguments. */
    void load(Path file);

    @Override
    void close();
}
