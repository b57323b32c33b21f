package org.trainyard.env.workload.trace;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.trace.log.TraceLimits;

/** One job of a log while its rows are gathered: when it could have started, and the parts of it that ran. */
final class LoggedJob {
    private record Run(long startNanos, long endNanos, int gpus) {}

    private final String id;
    private final List<Run> runs = new ArrayList<>();
    private final Set<String> gpuTypes = new LinkedHashSet<>();
    private long submitNanos;
    private @Nullable String user;
    private @Nullable String group;
    private @Nullable String virtualCluster;

    LoggedJob(String id, long submitNanos) {
        this.id = id;
        this.submitNanos = submitNanos;
    }

    void describe(@Nullable String byUser, @Nullable String ofGroup, @Nullable String in) {
        user = byUser;
        group = ofGroup;
        virtualCluster = in;
    }

    void submittedBy(long nanos) {
        submitNanos = Math.min(submitNanos, nanos);
    }

    /** A part that held so many GPUs from one time to another, not before the first. */
    void ran(long startNanos, long endNanos, int gpus) {
        runs.add(new Run(startNanos, endNanos, gpus));
    }

    /** The job asked for GPUs of this type. */
    void asksFor(String gpuType) {
        gpuTypes.add(gpuType);
    }

    /**
     * The job: the GPUs that its parts held at once at most, from the first start on, for as long as some part ran. O(parts log parts).
     *
     * @return null when it ran for no time
     */
    @Nullable TraceJob job() {
        TreeMap<Long, Integer> changes = new TreeMap<>();
        for (Run run : runs) {
            if (run.endNanos > run.startNanos) {
                changes.merge(run.startNanos, run.gpus, Integer::sum);
                changes.merge(run.endNanos, -run.gpus, Integer::sum);
            }
        }
        if (changes.isEmpty()) {
            return null;
        }
        int held = 0;
        int most = 0;
        long ran = 0;
        long since = changes.firstKey();
        for (var change : changes.entrySet()) {
            ran += held > 0 ? change.getKey() - since : 0;
            since = change.getKey();
            held += change.getValue();
            most = Math.max(most, held);
        }
        Demand demand = Demand.ofGpus(Math.min(most, TraceLimits.GPUS));
        long start = changes.firstKey();
        return new TraceJob(
                        id,
                        Math.min(submitNanos, start),
                        gpuTypes.isEmpty() ? demand : demand.onTypes(List.copyOf(gpuTypes)),
                        ran,
                        null,
                        user,
                        group,
                        virtualCluster)
                .ran(new LoggedRun(start, changes.lastKey()));
    }
}
