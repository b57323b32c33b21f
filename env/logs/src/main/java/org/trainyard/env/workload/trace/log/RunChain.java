package org.trainyard.env.workload.trace.log;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.HostShare;
import org.trainyard.env.workload.TraceLimits;

/** The runs of one job, in the order of their starts. */
final class RunChain {
    private static final int WHOLE = 1000;

    private final List<LogEntry> runs;

    RunChain(List<LogEntry> runs) {
        this.runs = runs;
    }

    /**
     * The job: the GPUs that its runs held at once at most, from the first start on, for as long as some run ran.
     * O(runs log runs).
     */
    LogJob job(String id) {
        LogEntry first = runs.get(0);
        LogEntry last = first;
        long submit = first.submitNanos;
        boolean isOne = runs.size() == 1;
        for (LogEntry run : runs) {
            last = run.endNanos > last.endNanos ? run : last;
            submit = Math.min(submit, run.submitNanos);
        }
        boolean isLoad = runs.stream().allMatch(run -> run.gpus == 0 && !run.host.equals(HostShare.NONE));
        boolean mixed = !isOne && runs.stream().anyMatch(run -> run.gpuMilli != first.gpuMilli);
        long ran = first.durationNanos;
        int gpus = first.gpus;
        List<RunGaps.Gap> gaps = new ArrayList<>();
        if (isOne && first.startNanos >= 0) {
            ran = first.durationNanos >= 0
                    ? first.durationNanos
                    : first.endNanos - first.startNanos - first.pausedNanos;
        } else if (!isOne) {
            SortedMap<Long, Integer> changes = changes(mixed, isLoad);
            int held = 0;
            gpus = 0;
            ran = 0;
            // A run without a length is the first start too.
            long start = first.startNanos;
            long since = start;
            for (var change : changes.entrySet()) {
                ran += held > 0 ? change.getKey() - since : 0;
                if (held == 0 && change.getKey() > since) {
                    gaps.add(new RunGaps.Gap(since - start, change.getKey() - start));
                }
                since = change.getKey();
                held += change.getValue();
                gpus = Math.max(gpus, held);
            }
            ran = Math.max(0, ran - paused());
        }
        return new LogJob(
                id,
                submit,
                first.heldNanos,
                first.waitUnknown ? -1 : first.startNanos,
                last.endNanos,
                ran,
                isLoad ? 0 : Math.min(Math.max(1, gpus), TraceLimits.GPUS),
                mixed ? WHOLE : first.gpuMilli,
                host(),
                first.part ? 0 : last.billed,
                new RunGaps(gaps),
                types(),
                Math.max(begins(), 1 + last.restarts),
                first.model,
                first.user,
                first.group,
                first.virtualCluster,
                nodeList(),
                last.state,
                last.exitCode,
                last.reason,
                first.terms);
    }

    /** The most of each piece, of all pieces together. */
    private HostShare host() {
        Map<String, HostShare> pieces = new TreeMap<>();
        for (LogEntry run : runs) {
            pieces.merge(
                    run.piece,
                    run.host,
                    (a, b) -> new HostShare(
                            Math.max(a.cpuMilli(), b.cpuMilli()), Math.max(a.memoryMib(), b.memoryMib())));
        }
        return pieces.values().stream().reduce(HostShare.NONE, (a, b) -> a.times(1, b, 1));
    }

    private SortedMap<Long, Integer> changes(boolean mixed, boolean isLoad) {
        TreeMap<Long, Integer> changes = new TreeMap<>();
        for (LogEntry run : runs) {
            if (run.endNanos > run.startNanos) {
                int gpus = isLoad ? 1 : mixed ? (run.gpus * run.gpuMilli + WHOLE - 1) / WHOLE : run.gpus;
                changes.merge(run.startNanos, gpus, Integer::sum);
                changes.merge(run.endNanos, -gpus, Integer::sum);
            }
        }
        return changes;
    }

    /** How long it stood still in all of its runs; parts of a gang stand still together. */
    private long paused() {
        return runs.get(0).part
                ? runs.stream().mapToLong(run -> run.pausedNanos).max().orElse(0)
                : runs.stream().mapToLong(run -> run.pausedNanos).sum();
    }

    /** How often some piece of it began. */
    private int begins() {
        int most = 1;
        if (runs.size() > 1) {
            TreeMap<String, Integer> times = new TreeMap<>();
            runs.forEach(run -> times.merge(run.piece, 1, Integer::sum));
            most = times.values().stream().mapToInt(Integer::intValue).max().orElse(1);
        }
        return most;
    }

    private List<String> types() {
        if (runs.size() == 1) {
            return List.copyOf(runs.get(0).gpuTypes);
        }
        Set<String> types = new LinkedHashSet<>();
        runs.forEach(run -> types.addAll(run.gpuTypes));
        return new ArrayList<>(types);
    }

    /** The servers of its first start. */
    private @Nullable String nodeList() {
        LogEntry first = runs.get(0);
        if (runs.size() == 1 || !first.part) {
            return first.nodeList;
        }
        Set<String> hosts = new LinkedHashSet<>();
        for (LogEntry run : runs) {
            if (run.nodeList != null && run.startNanos < first.endNanos) {
                hosts.add(run.nodeList);
            }
        }
        return hosts.isEmpty() ? null : String.join(",", hosts);
    }
}
