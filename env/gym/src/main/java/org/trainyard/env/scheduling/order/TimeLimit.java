package org.trainyard.env.scheduling.order;

/**
 * The limit on run times that finished jobs show: at least two ran for the same time, to half a per cent, and none for
 * longer. Clusters end jobs at such limits, and the scheduler is not told.
 */
final class TimeLimit {
    /** Run times are the same within this part of them. */
    private static final double SAME = 0.005;
    /** The least part of the limit that a job below it is assumed to run on. */
    private static final double LEAST_LEFT = 0.01;

    private double longestSeconds;
    /** Finished jobs that ran so long. */
    private int atLongest;

    /** Adds the run time of a finished job. */
    void add(double seconds) {
        if (seconds > longestSeconds * (1 + SAME)) {
            longestSeconds = seconds;
            atLongest = 1;
        } else if (seconds >= longestSeconds * (1 - SAME)) {
            longestSeconds = Math.max(longestSeconds, seconds);
            atLongest++;
        }
    }

    /**
     * Rest of the limit for a job that has run so long, seconds; infinite where no limit shows or the job has outrun
     * it.
     */
    double leftSeconds(double ageSeconds) {
        return atLongest < 2 || ageSeconds >= longestSeconds
                ? Double.POSITIVE_INFINITY
                : Math.max(longestSeconds - ageSeconds, LEAST_LEFT * longestSeconds);
    }
}
