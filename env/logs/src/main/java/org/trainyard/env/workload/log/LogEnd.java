package org.trainyard.env.workload.log;

import java.util.List;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.TraceJob;

/**
 * End of a log, and the jobs that ran or waited then. What is not known of their pasts is assumed: a job that runs
 * ends, and one that waits starts, a nanosecond after the end of the log.
 *
 * @param nanos last time that the log names or that its running jobs have reached, from the trace's own zero
 * @param zeroNanos the trace's own zero, nanoseconds since 1970; 0 where the log has no dates
 * @param firstNanos first submission of a job that ended, of any virtual cluster, from the trace's own zero
 * @param open those jobs, where the reader was asked for them; in order of submission
 * @param leftOut the account of those jobs for whoever leaves them out, by reason
 * @param cancelledNanos how long jobs had waited that were cancelled before they started, as far as the log says
 */
public record LogEnd(
        long nanos,
        long zeroNanos,
        long firstNanos,
        List<TraceJob> open,
        List<LeftOut> leftOut,
        List<Long> cancelledNanos) {
    /** End of a log of which only the jobs are known. */
    public static final LogEnd NONE = new LogEnd(0, 0, 0, List.of(), List.of(), List.of());

    public LogEnd {
        open = List.copyOf(open);
        leftOut = List.copyOf(leftOut);
        cancelledNanos = List.copyOf(cancelledNanos);
    }
}
