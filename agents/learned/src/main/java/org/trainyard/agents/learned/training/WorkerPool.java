package org.trainyard.agents.learned.training;

import java.util.function.IntConsumer;

/** Does independent pieces of work, in parallel where it has threads: trainers make none of their own. */
public interface WorkerPool {
    /** The caller's thread, one piece after the other. */
    WorkerPool SEQUENTIAL = (count, work) -> {
        for (int piece = 0; piece < count; piece++) {
            work.accept(piece);
        }
    };

    /**
     * Calls {@code work} with {@code 0 .. count - 1}, each at most once, and returns when no piece is running any more,
     * whether it returns or throws.
     */
    void each(int count, IntConsumer work);
}
