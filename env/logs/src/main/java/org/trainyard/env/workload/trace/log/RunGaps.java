package org.trainyard.env.workload.trace.log;

import java.util.List;

/**
 * Times between the runs of a job that began anew, in which it held nothing.
 *
 * @param gaps in order, each after the one before
 */
public record RunGaps(List<Gap> gaps) {
    /**
     * A time in which the job held nothing.
     *
     * @param fromNanos the end of a run, after the job's first start
     * @param untilNanos the start of the next, likewise
     */
    public record Gap(long fromNanos, long untilNanos) {}

    public RunGaps {
        gaps = List.copyOf(gaps);
    }

    /** The start of the run that goes on at an instant, or -1 in a gap; both after the first start. O(gaps). */
    public long runAt(long nanos) {
        long start = 0;
        for (Gap gap : gaps) {
            if (nanos >= gap.untilNanos) {
                start = gap.untilNanos;
            } else if (nanos >= gap.fromNanos) {
                return -1;
            }
        }
        return start;
    }
}
