package org.trainyard.agents.heuristic.admission;

import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slots.WorkerSpeed;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.utility.JobUtility;

/**
 * Admission by a posted price in front of any scheduler: a job whose value per predicted GPU-second is below the
 * {@link UtilisationPrice} of GPU time is rejected when it arrives, and the scheduler places the others.
 *
 * <p>The value of a job is its utility when it starts at once and runs as predicted; jobs without a utility are worth
 * the same each, so that the one of least predicted GPU time has the greatest value per GPU-second. A job worth nothing
 * is rejected. The resource sold is the GPU time of the next {@value #HORIZON_HOURS} hours: the part sold is the
 * predicted remaining GPU time of all admitted jobs over that of the cluster in that time, at most 1. Source: as
 * {@link UtilisationPrice}. Our deviations: 1. GPU time is returned as time passes, so the competitive ratio does not
 * hold; 2. the bounds of values are those of the jobs that have arrived, for nobody knows them in advance; 3. jobs are
 * large against the resource, and one that is worth the price is admitted however much is left; 4. where the scheduler
 * resizes jobs, the value of an elastic job is the greatest per GPU-second over its numbers of workers.
 *
 * <p>O(jobs in the system) for each arrival, and O(numbers of workers) for an elastic job.
 */
public final class PostedPrice implements Scheduler {
    /** How each of its names begins. */
    public static final String PREFIX = "posted-price:";

    private static final int HORIZON_HOURS = 24;

    private final Scheduler admitted;
    /** Speed of jobs, where the scheduler resizes them; else null. */
    private final @Nullable WorkerSpeed resized;

    private double lowest = Double.POSITIVE_INFINITY;
    private double highest;
    private int next;

    /** Admission to a scheduler that leaves jobs the number of workers that they were submitted for. */
    public PostedPrice(Scheduler admitted) {
        this(admitted, null);
    }

    private PostedPrice(Scheduler admitted, @Nullable WorkerSpeed resized) {
        this.admitted = admitted;
        this.resized = resized;
    }

    /** Admission to a scheduler that resizes elastic jobs. */
    public static PostedPrice ofElastic(Scheduler admitted, Topology topology) {
        return new PostedPrice(admitted, new WorkerSpeed(topology));
    }

    @Override
    public Decision decide(SimView view) {
        for (next = Math.max(next, view.journalStart()); next < view.journalSize(); ) {
            boolean isArrival = view.journalKind(next) == EventKind.ARRIVE;
            int job = view.journalJob(next++);
            if (isArrival && view.firstStartNanos(job) < 0 && !isWorthThePrice(view, job)) {
                return new Decision.Reject(job);
            }
        }
        return admitted.decide(view);
    }

    private boolean isWorthThePrice(SimView view, int job) {
        double value = valuePerGpuSecond(view, job);
        if (!(value > 0)) {
            return false;
        }
        lowest = Math.min(lowest, value);
        highest = Math.max(highest, value);
        return value >= new UtilisationPrice(lowest, highest).at(sold(view, job));
    }

    private double valuePerGpuSecond(SimView view, int job) {
        JobSpec spec = view.job(job);
        if (resized == null || !spec.demand().isElastic()) {
            return worth(view, job, view.predictedSeconds(job)) / gpuSeconds(view, job);
        }
        double most = 0;
        for (int workers = spec.demand().minGpus(); workers <= spec.demand().maxGpus(); workers++) {
            double seconds = Math.max(1e-9, resized.secondsLeft(view, job, workers, true));
            most = Math.max(most, worth(view, job, seconds) / (workers * seconds));
        }
        return most;
    }

    /** The utility of a job that starts at once and runs for so many seconds; 1 for a job without a utility. */
    private static double worth(SimView view, int job, double seconds) {
        JobUtility utility = view.job(job).of(JobUtility.class);
        double work = view.predictedSeconds(job);
        if (utility == null) {
            return 1;
        }
        double horizon = utility.horizonSeconds();
        return utility.of(seconds, seconds <= horizon ? work : work / seconds * horizon);
    }

    /** Predicted remaining GPU time; a job of parts of GPUs or of none counts as one GPU. */
    private static double gpuSeconds(SimView view, int job) {
        return Math.max(1, view.job(job).gpus()) * Math.max(1e-9, view.predictedRemainingSeconds(job));
    }

    /** The part of the GPU time ahead that the jobs admitted before this one take, 0..1. */
    private static double sold(SimView view, int arriving) {
        double taken = 0;
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            taken += gpuSeconds(view, job);
        }
        for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
            taken += job < arriving ? gpuSeconds(view, job) : 0;
        }
        return Math.min(1, taken / (3600.0 * HORIZON_HOURS * view.topology().gpus()));
    }
}
