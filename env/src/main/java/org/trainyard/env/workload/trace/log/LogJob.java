package org.trainyard.env.workload.trace.log;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.SubmissionTerms;

/**
 * A job of a log, folded from all of its rows. Times are nanoseconds, since 1970 or from the zero of its trace.
 *
 * @param id unique in the log
 * @param submitNanos when it could start
 * @param heldNanos how long after its submission that was
 * @param startNanos its first start; -1 when the log does not say
 * @param endNanos its last end, when it says its start
 * @param ranNanos how long some part of it ran
 * @param gpus held at once at most
 * @param gpuMilli part of each GPU, in thousandths
 * @param gpuTypes that it asked for; empty for any
 * @param runs how often it began
 */
public record LogJob(
        String id,
        long submitNanos,
        long heldNanos,
        long startNanos,
        long endNanos,
        long ranNanos,
        int gpus,
        int gpuMilli,
        List<String> gpuTypes,
        int runs,
        @Nullable String model,
        @Nullable String user,
        @Nullable String group,
        @Nullable String virtualCluster,
        @Nullable String nodeList,
        @Nullable String state,
        @Nullable String exitCode,
        @Nullable String reason,
        SubmissionTerms terms) {
    public LogJob {
        gpuTypes = List.copyOf(gpuTypes);
    }
}
