package org.trainyard.env.synchronisation;

/**
 * The momentum that stale updates add to those of rare commits:
 * {@code 1 - 1 / (1 + (1 - 1/m) sum_i Gamma / (commits_i v_i))}.
 *
 * <p>Source: ADSP (1911.06949), theorem on implicit momentum; the paper's constants are not all known, those of its
 * authors' plotting script are: every term of the sum is {@value #SCRIPT_TERM} over the commits of a check period.
 */
public final class ImplicitMomentum {
    /** A worker's {@code Gamma / v} in the plotting script. */
    public static final double SCRIPT_TERM = 0.05;

    private ImplicitMomentum() {}

    /** Of workers that commit equally often, with the terms of the script. */
    public static double ofScript(int workers, double commits) {
        double sum = (1 - 1.0 / workers) * workers * SCRIPT_TERM / commits;
        return 1 - 1 / (1 + sum);
    }
}
