package org.trainyard.agents.heuristic.lease;

/** The bid of a job in a {@link FairnessAuction}. */
final class Bid {
    /** Part by which times differ at least where they decide which of two gains is larger. */
    private static final double ROUNDING = 1e-9;

    /** Bounds on times are widened by this part of them and these seconds, for rounding. */
    private static final double PART_LOST = 1e-8;

    private static final double SECONDS_LOST = 1e-6;

    int job;
    /** GPUs that the job demands, at least 1. */
    int gpus;
    /**
     * Time since submission and predicted remaining time, seconds: what the job takes if it has its GPUs from now on.
     */
    double sharedSeconds;
    /** Finish-time fairness: {@link #sharedSeconds} over the time on an equal share of the cluster. */
    double ratio;

    private boolean isGainKnown;
    private double gain;

    /**
     * The finish-time fairness of a job that takes so long alone, and on an equal share of the cluster longer by that
     * factor.
     */
    static double ratio(double sharedSeconds, double predictedSeconds, double stretch) {
        double ratio = sharedSeconds / (predictedSeconds * stretch);
        return Double.isNaN(ratio) ? Double.POSITIVE_INFINITY : ratio;
    }

    /** A time that is surely no more than one whose lower bound was rounded. */
    static double leastOf(double boundSeconds) {
        return (boundSeconds - SECONDS_LOST) * (1 - PART_LOST);
    }

    /** A time that is surely no less than one whose upper bound was rounded. */
    static double mostOf(double boundSeconds) {
        return (boundSeconds + SECONDS_LOST) * (1 + PART_LOST);
    }

    void set(int newJob, int newGpus, double newSharedSeconds, double newRatio) {
        job = newJob;
        gpus = newGpus;
        sharedSeconds = newSharedSeconds;
        ratio = newRatio;
        isGainKnown = false;
    }

    void set(Bid other) {
        set(other.job, other.gpus, other.sharedSeconds, other.ratio);
    }

    /** Whether this bid has the worse ratio; of equal ones the job submitted first. */
    boolean isWorse(Bid other) {
        return ratio > other.ratio || (ratio == other.ratio && job < other.job);
    }

    /** Whether a lease gains this job more per GPU, in the logarithm of its ratio; of equal gains the worse ratio. */
    boolean gainsMore(Bid other, double leaseSeconds) {
        if (gpus == other.gpus
                && Math.abs(sharedSeconds - other.sharedSeconds)
                        > ROUNDING * Math.max(sharedSeconds, other.sharedSeconds)) {
            return sharedSeconds < other.sharedSeconds;
        }
        int byGain = Double.compare(gain(leaseSeconds), other.gain(leaseSeconds));
        return byGain != 0 ? byGain > 0 : isWorse(other);
    }

    private double gain(double leaseSeconds) {
        if (!isGainKnown) {
            isGainKnown = true;
            gain = Math.log1p(leaseSeconds / sharedSeconds) / gpus;
        }
        return gain;
    }
}
