package org.trainyard.interference.runtimes;

/**
 * Hyperparameters of a forest of run times.
 *
 * @param trees number of trees
 * @param leastLeaf fewest jobs in a leaf
 * @param deepest levels of a tree at most
 * @param featuresPerSplit features drawn for every split
 * @param jobsPerTree fraction of the jobs that each tree is grown from, drawn without replacement, above 0 and at
 *     most 1
 * @param retrainNanos simulated time after which a forest is grown anew
 * @param retrainJobs finished jobs after which a forest is grown anew, whichever comes first
 * @param leastJobs finished jobs before the first forest
 * @param mostJobs most training rows; the newest finished jobs are taken
 */
public record ForestSettings(
        int trees,
        int leastLeaf,
        int deepest,
        int featuresPerSplit,
        double jobsPerTree,
        long retrainNanos,
        int retrainJobs,
        int leastJobs,
        int mostJobs) {
    /**
     * 100 trees, leaves of 3 jobs and more, the square root of the features at every split, anew every 24 hours or
     * 1,000 jobs, after the A-SRPT specification. Ours: 12 levels (16 were no better on generated logs, and took
     * three times as long) and 63 % of the jobs for each tree (as many as a bootstrap holds on average), and a
     * first forest after 30 jobs.
     */
    public static final ForestSettings DEFAULT = new ForestSettings(
            100,
            3,
            12,
            (int) Math.round(Math.sqrt(SubmissionFeatures.COUNT)),
            0.632,
            86_400_000_000_000L,
            1000,
            30,
            100_000);

    public ForestSettings {
        atLeast(1, "trees", trees);
        atLeast(1, "jobs in a leaf", leastLeaf);
        atLeast(1, "levels", deepest);
        atLeast(1, "features for a split", featuresPerSplit);
        atLeast(1, "time to the next forest", retrainNanos);
        atLeast(1, "jobs to the next forest", retrainJobs);
        atLeast(2, "jobs before the first forest", leastJobs);
        atLeast(leastJobs, "jobs a forest is grown from", mostJobs);
        if (deepest > 30 || featuresPerSplit > SubmissionFeatures.COUNT) {
            throw new IllegalArgumentException("levels (%d) and features for a split (%d) must be at most 30 and %d"
                    .formatted(deepest, featuresPerSplit, SubmissionFeatures.COUNT));
        }
        if (!(jobsPerTree > 0 && jobsPerTree <= 1)) {
            throw new IllegalArgumentException("part of the jobs (%s) must be in 0..1".formatted(jobsPerTree));
        }
    }

    private static void atLeast(long least, String name, long value) {
        if (value < least) {
            throw new IllegalArgumentException("%s (%d) must be at least %d".formatted(name, value, least));
        }
    }
}
