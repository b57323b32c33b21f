package org.trainyard.env.scheduling.order;

import java.util.Arrays;
import org.trainyard.env.simulation.SimView;

/**
 * A remaining time times a power of the GPUs of the job: with the exponent 0 the shortest job goes first, with 1 the
 * one of least work, which leaves most GPUs to others in the meantime. A job for a part of a GPU, or for none, counts
 * as one GPU.
 *
 * <p>The least time first is the order of one machine on which jobs run one at a time; where jobs of many widths share
 * a cluster, a wide job delays several narrow ones. Ours. O(1) beside the remaining time.
 */
public final class WidthWeightedRank implements BoundedRank {
    private final BoundedRank seconds;
    private final double exponent;
    /** By GPUs, the power; made as wider jobs are asked for. */
    private double[] weights = {1};

    /**
     * @param seconds estimated remaining time of a job, seconds
     * @param exponent of the GPUs, 0 or more
     */
    public WidthWeightedRank(BoundedRank seconds, double exponent) {
        this.seconds = seconds;
        this.exponent = exponent;
    }

    private double weight(SimView view, int job) {
        int gpus = Math.max(1, view.job(job).gpus());
        if (gpus >= weights.length) {
            int known = weights.length;
            weights = Arrays.copyOf(weights, Math.max(gpus + 1, 2 * known));
            for (int width = known; width < weights.length; width++) {
                weights[width] = StrictMath.pow(width, exponent);
            }
        }
        return weights[gpus];
    }

    @Override
    public double of(SimView view, int job) {
        return weight(view, job) * seconds.of(view, job);
    }

    @Override
    public double atMost(SimView view, int job, double untilSeconds) {
        return weight(view, job) * seconds.atMost(view, job, untilSeconds);
    }

    @Override
    public long bounds(SimView view) {
        return seconds.bounds(view);
    }
}
