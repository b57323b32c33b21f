package org.trainyard.agents.learned.ppo;

import java.util.function.IntConsumer;

/** Does pieces of work that do not depend on each other, at once where there are processors: threads are the caller's affair. */
public interface WorkerPool {
    /** One piece after the other. */
    WorkerPool ALONE = (count, work) -> {
        for (int piece = 0; piece < count; piece++) {
            work.accept(piece);
        }
    };

    /** Calls {@code work} with {@code 0 .. count - 1}, each once, and returns when all are done. */
    void each(int count, IntConsumer work);
}
