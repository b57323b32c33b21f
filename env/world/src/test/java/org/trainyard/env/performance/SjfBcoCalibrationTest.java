package org.trainyard.env.performance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.contention.Contention;

/** All-reduce latency of concurrent jobs on 10 GbE relative to that of one, measured by Q. Wang et al. (2020). */
class SjfBcoCalibrationTest {
    private static final int[] JOBS = {2, 3, 4, 6, 8, 16};
    private static final double[][] MESSAGES = {
        {2.32, 3.08, 4.01, 6.14, 8.08, 18.98}, // 20 MB
        {2.12, 3.18, 4.05, 5.97, 8.32, 15.30}, // 40 MB
    };
    private static final double[][] NCCL = {
        {1.49, 2.03, 2.61, 4.06, 5.83}, // 4 nodes, 100 MB
        {1.28, 1.68, 2.18, 3.85, 5.52}, // 2 nodes, 100 MB
    };

    /** The a of least squares at xi = 1: k + a (k - 1) is linear in it. */
    private static double fit(double[]... series) {
        double products = 0;
        double squares = 0;
        for (double[] measured : series) {
            for (int i = 0; i < measured.length; i++) {
                double more = JOBS[i] - 1;
                products += (measured[i] - JOBS[i]) * more;
                squares += more * more;
            }
        }
        return products / squares;
    }

    @Test
    void the_default_is_the_fit_to_messages_that_are_always_under_way() {
        assertThat(fit(MESSAGES)).isCloseTo(0.0618, within(5e-5));
        assertThat(Contention.SjfBco.MEASURED.a()).isCloseTo(fit(MESSAGES), within(5e-4));
    }

    @Test
    void its_residuals_are_these() {
        double[][] residuals = {
            {0.258, -0.044, -0.176, -0.170, -0.354, 2.050}, {0.058, 0.056, -0.136, -0.340, -0.114, -1.630}
        };
        double relative = 0;
        for (int row = 0; row < MESSAGES.length; row++) {
            for (int i = 0; i < JOBS.length; i++) {
                double residual = MESSAGES[row][i] - Contention.SjfBco.MEASURED.divisor(JOBS[i]);
                assertThat(residual).isCloseTo(residuals[row][i], within(1e-9));
                relative += Math.abs(residual) / MESSAGES[row][i] / 12;
            }
        }
        assertThat(relative).isCloseTo(0.0500, within(5e-4));
    }

    @Test
    void the_two_message_sizes_disagree_and_nccl_needs_an_overlap_below_one() {
        assertThat(fit(MESSAGES[0])).isCloseTo(0.148, within(1e-3));
        assertThat(fit(MESSAGES[1])).isCloseTo(-0.025, within(1e-3));
        assertThat(fit(NCCL)).isNegative();
    }
}
