package org.trainyard.env.synchronisation;

import java.util.Arrays;

/** The workers of one job: the speed of each, and how long its commit to the parameter servers takes. */
public final class UnevenWorkers {
    private final double[] stepsPerSecond;
    private final double[] commitSeconds;

    /**
     * @param stepsPerSecond local training steps per second of each worker while it trains, above zero
     * @param commitSeconds push of the update and pull of the parameters, seconds, not negative
     */
    public UnevenWorkers(double[] stepsPerSecond, double[] commitSeconds) {
        if (stepsPerSecond.length == 0 || stepsPerSecond.length != commitSeconds.length) {
            throw new IllegalArgumentException("(%d) speeds and (%d) times of commits are not of the same workers"
                    .formatted(stepsPerSecond.length, commitSeconds.length));
        }
        for (int i = 0; i < stepsPerSecond.length; i++) {
            if (!(stepsPerSecond[i] > 0) || !(commitSeconds[i] >= 0) || Double.isInfinite(1 / stepsPerSecond[i])) {
                throw new IllegalArgumentException(
                        "worker (%d) has a speed (%s /s) above zero and a commit (%s s) of at least zero"
                                .formatted(i, stepsPerSecond[i], commitSeconds[i]));
            }
        }
        this.stepsPerSecond = stepsPerSecond.clone();
        this.commitSeconds = commitSeconds.clone();
    }

    /** Workers of these speeds whose commits all take as long. */
    public static UnevenWorkers of(double commitSeconds, double... stepsPerSecond) {
        double[] commits = new double[stepsPerSecond.length];
        Arrays.fill(commits, commitSeconds);
        return new UnevenWorkers(stepsPerSecond, commits);
    }

    public int count() {
        return stepsPerSecond.length;
    }

    public double stepsPerSecond(int worker) {
        return stepsPerSecond[worker];
    }

    public double commitSeconds(int worker) {
        return commitSeconds[worker];
    }

    /** The longest step of a worker, seconds. */
    public double longestStepSeconds() {
        return 1 / Arrays.stream(stepsPerSecond).min().orElseThrow();
    }

    /** The longest commit, seconds. */
    public double longestCommitSeconds() {
        return Arrays.stream(commitSeconds).max().orElseThrow();
    }

    /** Mean speed of the workers, steps per second. */
    public double meanStepsPerSecond() {
        return Arrays.stream(stepsPerSecond).average().orElseThrow();
    }

    /**
     * Returns workers whose batches are in proportion to their speeds, so that every worker's step takes equally long.
     * Step times are linear in the batch.
     */
    public UnevenWorkers withTunedBatches() {
        double[] equal = new double[count()];
        Arrays.fill(equal, meanStepsPerSecond());
        return new UnevenWorkers(equal, commitSeconds);
    }
}
