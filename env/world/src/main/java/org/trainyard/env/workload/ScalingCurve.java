package org.trainyard.env.workload;

import java.util.Arrays;
import org.trainyard.env.Invalid;

/**
 * Speedup of a job over its number of workers at a fixed global batch size (strong scaling).
 *
 * <p>Between measured numbers of workers it is linear in their logarithm; beyond the last one it is constant.
 */
public final class ScalingCurve {
    /** Speedup equal to the number of workers. */
    public static final ScalingCurve LINEAR = new ScalingCurve(new double[0]);

    private final double[] speedup;

    private ScalingCurve(double[] speedup) {
        this.speedup = speedup;
    }

    /**
     * A curve from rates measured on 1, 2, 4, … workers.
     *
     * @param rates iterations per second at one global batch size, each above zero
     */
    public static ScalingCurve measured(double... rates) {
        Invalid.when(rates.length == 0, "a scaling curve needs at least the rate of one worker");
        double[] speedup = new double[rates.length];
        for (int i = 0; i < rates.length; i++) {
            if (!(rates[i] > 0) || Double.isInfinite(rates[i])) {
                throw new IllegalArgumentException(
                        "rates %s of a scaling curve must be finite and above zero".formatted(Arrays.toString(rates)));
            }
            speedup[i] = rates[i] / rates[0];
        }
        return new ScalingCurve(speedup);
    }

    /** The rate on so many workers over that on one. */
    public double speedup(int workers) {
        if (speedup.length == 0) {
            return workers;
        }
        double at = Math.log(workers) / Math.log(2);
        int below = (int) at;
        if (below >= speedup.length - 1) {
            return speedup[speedup.length - 1];
        }
        return speedup[below] + (at - below) * (speedup[below + 1] - speedup[below]);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ScalingCurve curve && Arrays.equals(speedup, curve.speedup);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(speedup);
    }

    @Override
    public String toString() {
        return speedup.length == 0 ? "linear" : Arrays.toString(speedup);
    }
}
