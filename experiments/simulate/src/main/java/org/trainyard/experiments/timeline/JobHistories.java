package org.trainyard.experiments.timeline;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.EventSink;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;

/**
 * Histories of the first jobs of a run, from their submission to their end.
 *
 * <p>Bounded: jobs are followed in the order of their submission until the limit of jobs or of bars is reached, where a
 * bar is a run of a job on one server. Followed jobs are followed to their end, up to four times the limit of bars.
 */
public final class JobHistories implements EventSink {
    private static final int FOLLOWED_ON = 4;

    /**
     * An event of a job.
     *
     * @param servers of a START or a RESIZE with the GPUs held on each, in pairs; else empty
     */
    public record Step(long timeNanos, EventKind kind, List<Integer> servers) {}

    /** A job with its events in order. */
    public record History(JobSpec job, List<Step> steps) {}

    private final Workload workload;
    private final int most;
    private final Map<Integer, History> histories = new LinkedHashMap<>();
    /** Jobs that were submitted and have not arrived. */
    private final Set<Integer> held = new HashSet<>();

    private int bars;
    private boolean isCut;

    /** @param most bars, and jobs */
    JobHistories(Workload workload, int most) {
        this.workload = workload;
        this.most = most;
    }

    @Override
    public void event(long timeNanos, EventKind kind, int job, int argument, @Nullable Placement placement) {
        if (!kind.isOfJob() || kind == EventKind.FORWARD || kind.changesRateOnly()) {
            return;
        }
        boolean isFirst = kind == EventKind.HOLD || (kind == EventKind.ARRIVE && !held.remove(job));
        if (kind == EventKind.HOLD) {
            held.add(job);
        }
        if (isFirst) {
            if (histories.size() < most && bars < most) {
                histories.put(job, new History(workload.job(job), new ArrayList<>()));
            } else {
                isCut = true;
            }
        }
        History history = histories.get(job);
        if (history == null) {
            return;
        }
        if (bars > FOLLOWED_ON * most && kind != EventKind.FINISH && kind != EventKind.TIMEOUT) {
            isCut = true;
            return;
        }
        bars += placement == null ? 0 : placement.serverCount();
        history.steps().add(new Step(timeNanos, kind, servers(placement)));
    }

    private static List<Integer> servers(@Nullable Placement placement) {
        if (placement == null) {
            return List.of();
        }
        List<Integer> pairs = new ArrayList<>();
        for (int i = 0; i < placement.serverCount(); i++) {
            pairs.add(placement.server(i));
            pairs.add(placement.gpusOn(i));
        }
        return List.copyOf(pairs);
    }

    /** The jobs that were followed, in the order of their submission. */
    public Collection<History> histories() {
        return histories.values();
    }

    /** Whether there was more. */
    public boolean isCut() {
        return isCut;
    }
}
