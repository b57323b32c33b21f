package org.trainyard.experiments.evaluation;

import java.util.function.Supplier;

/** The failures of one scheduler of several, whose messages name it. */
public final class FailedScheduler {
    private FailedScheduler() {}

    /** The result of a run; where the simulator refuses a decision, its message begins with the scheduler's name. */
    public static <R> R naming(String scheduler, Supplier<R> run) {
        try {
            return run.get();
        } catch (IllegalStateException e) {
            throw new IllegalStateException(named(scheduler, e), e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(named(scheduler, e), e);
        }
    }

    private static String named(String scheduler, RuntimeException failure) {
        return "scheduler %s: %s".formatted(scheduler, failure.getMessage());
    }
}
