package org.trainyard.experiments.advice;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.timeline.RunTimeline;
import org.trainyard.experiments.timeline.Series;
import org.trainyard.experiments.timeline.StepMeans;

/**
 * The cluster of a log over time, from the starts and ends that were logged. Logs do not say on which GPUs jobs ran, so
 * there are no metrics by rack, no fragmentation and no histories of jobs.
 *
 * <p>A job that was preempted counts in part as running and in part as waiting between its first start and its end, in
 * proportion to its times, for the log does not say when it was preempted.
 */
public final class LoggedTimeline {
    private static final int POINTS = 2_000;
    private static final String[] NAMES = {Series.QUEUE, Series.PENDING, Series.RUNNING, Series.HELD};

    private LoggedTimeline() {}

    /** Jobs by which more wait and run from an instant on, and the GPUs of each. */
    private record Change(long timeNanos, double waiting, double running, double gpusEach) {}

    /**
     * The timeline of jobs.
     *
     * @param name stands for the scheduler
     * @param jobs that all have a past
     */
    public static RunTimeline of(String name, Topology topology, List<TraceJob> jobs) {
        List<Change> changes = new ArrayList<>(3 * jobs.size());
        jobs.forEach(job -> add(job, changes));
        changes.sort(Comparator.comparingLong(Change::timeNanos));
        StepMeans means = new StepMeans(NAMES.length, POINTS);
        for (Change change : changes) {
            means.to(change.timeNanos);
            means.add(0, change.waiting);
            means.add(1, change.waiting * change.gpusEach);
            means.add(2, change.running);
            means.add(3, change.running * change.gpusEach);
        }
        return new RunTimeline(name, 0, topology, means.series(NAMES), null);
    }

    private static void add(TraceJob job, List<Change> changes) {
        LoggedRun past = Objects.requireNonNull(job.past());
        double gpus = job.gpus() * (job.demand().gpuMilli() / (double) Demand.WHOLE);
        double share = (double) job.durationNanos() / (past.endNanos() - past.startNanos());
        changes.add(new Change(job.submitNanos(), 1, 0, gpus));
        changes.add(new Change(past.startNanos(), -share, share, gpus));
        changes.add(new Change(past.endNanos(), share - 1, -share, gpus));
    }
}
