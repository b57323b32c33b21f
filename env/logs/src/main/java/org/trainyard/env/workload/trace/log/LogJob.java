package org.trainyard.env.workload.trace.log;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.HostShare;
import org.trainyard.env.workload.LoggedFacts;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;

/**
 * A job of a log, folded from all of its rows. Times are nanoseconds, since 1970 or from the zero of its trace.
 *
 * @param id unique in the log
 * @param submitNanos when it could start
 * @param heldNanos how long after its submission that was
 * @param startNanos its first start; -1 when the log does not say
 * @param endNanos its last end, when it says its start
 * @param ranNanos how long some part of it ran
 * @param gpus held at once at most; 0 for a job that held CPUs and memory alone
 * @param gpuMilli part of each GPU, in thousandths
 * @param host CPU and memory that it held at once at most; none where the log does not say
 * @param billed usage in a second of its last run; 0 where the log does not say
 * @param gaps between its runs
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
        HostShare host,
        long billed,
        RunGaps gaps,
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
    private static final int WHOLE = 1000;

    private static final Set<String> KNOWN =
            GpuType.known().stream().map(GpuType::name).collect(Collectors.toUnmodifiableSet());

    public LogJob {
        gpuTypes = List.copyOf(gpuTypes);
    }

    public TraceJob traced() {
        Demand demand = gpus == 0
                ? new Demand(0, 0, 0, WHOLE, host.cpuMilli(), host.memoryMib(), false, List.of())
                : Demand.ofGpus(gpus);
        if (gpuMilli < WHOLE) {
            demand = demand.withGpuMilli(gpuMilli);
        }
        if (!gpuTypes.isEmpty()) {
            demand = demand.onTypes(named(gpuTypes));
        }
        boolean started = startNanos >= 0;
        LoggedRun past = !started
                ? null
                : new LoggedRun(
                        startNanos,
                        Math.max(endNanos, startNanos + ranNanos),
                        new LoggedFacts(nodeList, state, exitCode, reason, runs - 1, heldNanos));
        return new TraceJob(
                        id,
                        started ? Math.min(submitNanos, startNanos) : submitNanos,
                        demand,
                        ranNanos,
                        model,
                        user,
                        group,
                        virtualCluster)
                .ran(past)
                .attaching(HostShare.class, host.equals(HostShare.NONE) ? null : host)
                .attaching(RunGaps.class, started && !gaps.gaps().isEmpty() ? gaps : null)
                .attaching(Billed.class, billed == 0 ? null : new Billed(billed))
                .on(terms);
    }

    private static List<String> named(List<String> types) {
        return KNOWN.containsAll(types)
                ? types
                : types.stream()
                        .map(type -> KNOWN.contains(type) ? type : GpuType.nameIn(type))
                        .toList();
    }
}
