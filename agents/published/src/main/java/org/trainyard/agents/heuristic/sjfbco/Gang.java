package org.trainyard.agents.heuristic.sjfbco;

import org.trainyard.env.Invalid;

/**
 * A job in a batch plan.
 *
 * @param job its id, which also breaks ties
 * @param gpus GPUs it needs, all at once, at least 1
 * @param seconds its booked time, above zero: the estimate of its run time over {@code u}
 */
record Gang(int job, int gpus, double seconds) {
    Gang {
        Invalid.when(gpus < 1, "job (%d) needs at least 1 GPU, not (%d)", job, gpus);
        if (!(seconds > 0) || Double.isInfinite(seconds)) {
            throw new IllegalArgumentException(
                    "time (%s s) of job (%d) must be finite and above zero".formatted(seconds, job));
        }
    }
}
