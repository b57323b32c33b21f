package org.trainyard.experiments.twin;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.trainyard.agents.heuristic.slurm.SlurmJob;

/**
 * The state of a controller at each line of its log: who runs where, who waits, which nodes are drained or being
 * cleaned.
 *
 * <p>Simplified: (1) nodes whose job ended by itself count as completing for {@value #COMPLETING_MILLIS} ms, because
 * the log does not say for how long they were; (2) of a job on several nodes that gave way, the log says when the last
 * was clean; each counts as clean then, or before the first later start on it.
 */
final class LogReplay {
    static final long COMPLETING_MILLIS = 30;
    /** How long before a start the run of the scheduler that made it began, at most. */
    private static final long RUN_MILLIS = 5;

    /** The nodes of a job that has ended, until they are clean. */
    private record CleanUp(SlurmJob job, BitSet nodes, long untilMillis) {}

    private final TwinState twin;
    private final List<CleanUp> cleanUps = new ArrayList<>();
    private final List<LogEvent> starts;
    /** The last priorities of jobs in several partitions. */
    private final Map<String, LogEvent> several = new HashMap<>();

    LogReplay(TwinFolder folder, ControllerLog log) {
        twin = new TwinState(folder.cluster(), folder.jobs());
        starts = log.events().stream()
                .filter(event -> event.kind() == LogEvent.Kind.START)
                .toList();
    }

    TwinState twin() {
        return twin;
    }

    /** Changes the state as a line says. */
    void take(LogEvent event) {
        switch (event.kind()) {
            case START -> start(event);
            case SUBMIT ->
                twin.submit(Long.parseLong(event.job()), event.second()).forEach(job -> prioritise(job, event));
            case PRIORITY -> twin.named(event.job()).forEach(job -> prioritise(job, event));
            case PRIORITIES -> several.put(event.job(), event);
            case END, TIMEOUT, CANCELLED -> end(event);
            case PREEMPTED -> preempted(event);
            case CLEANED -> cleaned(event);
            case DRAIN, RESUME -> {
                int node = twin.cluster.node(event.job());
                if (node >= 0) {
                    twin.state.drain(node, event.kind() == LogEvent.Kind.DRAIN);
                }
            }
            case HOLD, RELEASE ->
                twin.named(event.job())
                        .forEach(job -> twin.state.hold(job, event.kind() == LogEvent.Kind.HOLD, event.second()));
            case RESERVATION -> twin.state.reserve(twin.reservation(event));
            case MAIN, MAIN_FULL, BACKFILL -> twin.state.accrue(event.second());
            case BACKFILL_END, PLAN, DECAY -> {
                // changes nothing of the state
            }
        }
    }

    /** Gives a job the priorities in its partitions, which are on a line before, or the one of all. */
    private void prioritise(SlurmJob job, LogEvent event) {
        LogEvent before = several.get(event.job());
        if (before == null) {
            twin.state.prioritise(job, event.number());
            return;
        }
        List<String> each = before.names();
        twin.state.prioritise(
                job,
                job.request().partitions().stream()
                        .mapToLong(partition -> each.stream()
                                .filter(name -> name.startsWith(partition.name() + "="))
                                .mapToLong(name -> Long.parseLong(
                                        name.substring(partition.name().length() + 1)))
                                .findFirst()
                                .orElse(event.number()))
                        .toArray());
    }

    /** Marks nodes as clean that are so at a time. */
    void cleanUntil(long millis) {
        clean(each -> each.untilMillis <= millis);
    }

    private void start(LogEvent event) {
        SlurmJob job = twin.job(event.job());
        if (job != null && job.state() == SlurmJob.State.PENDING) {
            twin.state.start(job, job.partition(), twin.nodes(event.names()), event.second());
            twin.state.settle(job);
        }
    }

    private void end(LogEvent event) {
        for (SlurmJob job : twin.named(event.job())) {
            if (job.state() == SlurmJob.State.RUNNING) {
                cleanUp(job, job.nodeSet(), event.millis() + COMPLETING_MILLIS);
            }
            if (job.state() != SlurmJob.State.ENDED) {
                twin.end(job, event.kind() == LogEvent.Kind.END);
            }
        }
    }

    private void preempted(LogEvent event) {
        SlurmJob job = twin.job(event.job());
        if (job != null && job.state() == SlurmJob.State.RUNNING) {
            for (int node : job.nodesHeld()) {
                BitSet one = new BitSet();
                one.set(node);
                cleanUp(job, one, nextStart(node, event.millis()) - 1);
            }
            twin.state.requeue(job, event.second());
        }
    }

    private long nextStart(int node, long millis) {
        String name = twin.cluster.nodes().get(node).name();
        int low = 0;
        int high = starts.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (starts.get(middle).millis() > millis) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        while (low < starts.size() && !starts.get(low).names().contains(name)) {
            low++;
        }
        return low < starts.size() ? starts.get(low).millis() - RUN_MILLIS : Long.MAX_VALUE;
    }

    private void cleaned(LogEvent event) {
        SlurmJob job = twin.job(event.job());
        if (job != null) {
            clean(each -> each.job == job);
            twin.state.requeued(job, event.second());
        }
    }

    private void cleanUp(SlurmJob job, BitSet nodes, long untilMillis) {
        CleanUp clean = new CleanUp(job, nodes, untilMillis);
        twin.state.completing(clean.nodes, true);
        cleanUps.add(clean);
    }

    private void clean(Predicate<CleanUp> which) {
        for (CleanUp clean : cleanUps) {
            if (which.test(clean)) {
                twin.state.completing(clean.nodes, false);
            }
        }
        cleanUps.removeIf(which);
    }
}
