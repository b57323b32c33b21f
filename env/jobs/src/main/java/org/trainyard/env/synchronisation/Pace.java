package org.trainyard.env.synchronisation;

/**
 * The progress of all workers of a job per second.
 *
 * @param stepsPerSecond local training steps of all workers
 * @param commitsPerSecond commits of all workers
 * @param efficiency effective steps per local step: what a local step is worth beside one of synchronous training,
 *     above 0, at most 1
 */
public record Pace(double stepsPerSecond, double commitsPerSecond, double efficiency) {
    public double effectiveStepsPerSecond() {
        return stepsPerSecond * efficiency;
    }
}
