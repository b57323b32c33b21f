package org.trainyard.interference.runtime;

import org.trainyard.env.Invalid;

/**
 * Hyperparameters of a forest of run times.
 *
 * @param leastLeaf fewest jobs in a leaf
 * @param deepest levels of a tree at most
 * @param featuresPerSplit features drawn for every split
 * @param jobsPerTree fraction of the jobs that each tree is grown from, drawn without replacement, above 0 and at most
 *     1
 * @param growth finished jobs over those of the last forest from which a forest is grown anew, at least 1
 * @param leastJobs fewest finished jobs before the first forest, and between two
 * @param retrainJobs most finished jobs between two forests
 * @param mostJobs most training rows; the newest finished jobs are taken
 */
public record ForestSettings(
        int trees,
        int leastLeaf,
        int deepest,
        int featuresPerSplit,
        double jobsPerTree,
        double growth,
        int leastJobs,
        int retrainJobs,
        int mostJobs) {
    /**
     * 100 trees, the square root of the features at every split, anew after 1,000 jobs at the latest, after the A-SRPT
     * specification. Ours, chosen on the first halves of logs: leaves of 20 jobs and more instead of 3, 8 levels, 63 %
     * of the jobs for each tree (as many as a bootstrap holds on average), forests at growing intervals, so that all of
     * them cost as much as eleven of the last, and 20,000 rows, because run times drift.
     */
    public static final ForestSettings DEFAULT = new ForestSettings(
            100, 20, 8, (int) Math.round(Math.sqrt(SubmissionFeatures.COUNT)), 0.632, 1.1, 30, 1000, 20_000);

    public ForestSettings {
        atLeast(1, "trees", trees);
        atLeast(1, "jobs in a leaf", leastLeaf);
        atLeast(1, "levels", deepest);
        atLeast(1, "features for a split", featuresPerSplit);
        atLeast(2, "jobs before the first forest", leastJobs);
        atLeast(leastJobs, "jobs to the next forest", retrainJobs);
        atLeast(leastJobs, "jobs a forest is grown from", mostJobs);
        if (deepest > 30 || featuresPerSplit > SubmissionFeatures.COUNT) {
            throw new IllegalArgumentException("levels (%d) and features for a split (%d) must be at most 30 and %d"
                    .formatted(deepest, featuresPerSplit, SubmissionFeatures.COUNT));
        }
        if (!(jobsPerTree > 0 && jobsPerTree <= 1 && growth >= 1)) {
            throw new IllegalArgumentException(
                    "part of the jobs (%s) must be in 0..1 and growth (%s) at least 1".formatted(jobsPerTree, growth));
        }
    }

    /** Returns these settings with another growth. */
    public ForestSettings withGrowth(double newGrowth) {
        return new ForestSettings(
                trees, leastLeaf, deepest, featuresPerSplit, jobsPerTree, newGrowth, leastJobs, retrainJobs, mostJobs);
    }

    /** Finished jobs at which the next forest is due, after one that was grown when so many had finished. */
    long nextAt(int finished) {
        return Math.min((long) finished + retrainJobs, (long) Math.max(finished + leastJobs, growth * finished));
    }

    private static void atLeast(long least, String name, long value) {
        Invalid.when(value < least, "%s (%d) must be at least %d", name, value, least);
    }
}
