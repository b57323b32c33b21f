package org.trainyard.env.simulation;

import org.trainyard.env.workload.FreezableModel;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;

/**
 * The frozen layers of each job and the progress that they leave; kept only for workloads with jobs that allow frozen
 * layers.
 *
 * <p>A job with frozen layers is a job of a smaller model, whose progress is multiplied by a factor that is constant in
 * each stage of its training; so the work done in a time and the time of some work are sums over stages.
 */
final class FrozenLayers {
    private final Workload workload;
    /** By job; empty when no job allows frozen layers, and so are the other arrays. */
    private final int[] layers;

    /** The part of its training at which the number of frozen layers changed last. */
    private final double[] changedAt;

    private final double[] penaltySeconds;

    FrozenLayers(Workload workload) {
        this.workload = workload;
        boolean isKept = false;
        for (int job = 0; job < workload.size(); job++) {
            isKept |= workload.job(job).model().of(FreezableModel.class) != null;
        }
        int jobs = isKept ? workload.size() : 0;
        layers = new int[jobs];
        changedAt = new double[jobs];
        penaltySeconds = new double[jobs];
    }

    /** Whether any job allows frozen layers. */
    boolean isKept() {
        return layers.length > 0;
    }

    boolean isFrozen(int job) {
        return job < layers.length && layers[job] > 0;
    }

    int layers(int job) {
        return job < layers.length ? layers[job] : 0;
    }

    /** The job with the model that its frozen layers leave; itself when none are frozen. */
    JobSpec left(JobSpec job) {
        return isFrozen(job.id()) ? job.training(freezing(job.id()).left(job.model(), layers[job.id()])) : job;
    }

    /** Whether the learning rate has dropped since the number of frozen layers changed. */
    boolean canThaw(int job, double trainedShare) {
        return isFrozen(job) && freezing(job).dropsBetween(changedAt[job], trainedShare);
    }

    double penaltySeconds(int job) {
        return job < penaltySeconds.length ? penaltySeconds[job] : 0;
    }

    void set(int job, int newLayers, double doneIterations) {
        layers[job] = newLayers;
        changedAt[job] = doneIterations / workload.trueIterations(job);
    }

    private FreezableModel freezing(int job) {
        FreezableModel freezing = workload.job(job).model().of(FreezableModel.class);
        if (freezing == null) {
            throw new IllegalStateException("job (%d) has frozen layers but allows none".formatted(job));
        }
        return freezing;
    }

    private int stage(int job, double done) {
        return freezing(job).stage(done / workload.trueIterations(job));
    }

    /** The factor on the rate of a job that has done so many iterations. */
    double progressLeft(int job, double done) {
        return freezing(job).progressLeft(layers[job], stage(job, done));
    }

    /** The end of a stage in iterations; the last one has none. */
    private double endOf(int job, int stage) {
        int stages = freezing(job).stages();
        return stage == stages - 1 ? Double.POSITIVE_INFINITY : workload.trueIterations(job) * (stage + 1) / stages;
    }

    /** The iterations that a job makes in so many seconds at a rate without penalty. */
    double iterations(int job, double done, double rate, double seconds) {
        return walk(job, done, rate, seconds, false);
    }

    /** Adds the penalty of so many seconds at a rate without penalty. */
    void accrue(int job, double done, double rate, double seconds) {
        walk(job, done, rate, seconds, true);
    }

    private double walk(int job, double done, double rate, double seconds, boolean isAccrued) {
        FreezableModel freezing = freezing(job);
        double at = done;
        double left = seconds;
        for (int stage = stage(job, done); ; stage++) {
            double speed = rate * freezing.progressLeft(layers[job], stage);
            double needed = Math.max(0, endOf(job, stage) - at) / speed;
            double here = Math.min(left, needed);
            if (isAccrued) {
                penaltySeconds[job] += here * freezing.penalty(layers[job], stage);
            }
            if (needed >= left) {
                return at - done + speed * here;
            }
            left -= here;
            at = endOf(job, stage);
        }
    }

    /** The seconds that so many iterations take at a rate without penalty. */
    double seconds(int job, double done, double iterations, double rate) {
        FreezableModel freezing = freezing(job);
        double seconds = 0;
        double at = done;
        for (int stage = stage(job, done); ; stage++) {
            double speed = rate * freezing.progressLeft(layers[job], stage);
            double end = Math.min(done + iterations, endOf(job, stage));
            seconds += Math.max(0, end - at) / speed;
            if (end == done + iterations) {
                return seconds;
            }
            at = end;
        }
    }

    /** Takes over the layers of the same jobs. */
    void copy(FrozenLayers other) {
        System.arraycopy(other.layers, 0, layers, 0, layers.length);
        System.arraycopy(other.changedAt, 0, changedAt, 0, changedAt.length);
        System.arraycopy(other.penaltySeconds, 0, penaltySeconds, 0, penaltySeconds.length);
    }
}
