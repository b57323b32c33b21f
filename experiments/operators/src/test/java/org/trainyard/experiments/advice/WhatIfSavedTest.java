package org.trainyard.experiments.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.experiments.blocks.BlockBootstrap;
import org.trainyard.experiments.metrics.RankingMetric;

/** Intervals of what a change saves, of 40 jobs in four replays. */
class WhatIfSavedTest {
    private static final int JOBS = 40;

    private static BlockBootstrap.Bounds saved(double error, double... ofReplay) {
        double[] before = new double[4 * JOBS];
        double[] after = new double[4 * JOBS];
        for (int at = 0; at < before.length; at++) {
            before[at] = 100;
            after[at] = 100 - ofReplay[at % 4];
        }
        return WhatIfAnswer.Saved.of(before, after, error, 7).interval();
    }

    /** Where each replay saves the same for all jobs, blocks of jobs differ in nothing: 2.905163 s are Student's. */
    @ParameterizedTest
    @CsvSource({
        "0, 1, 2, 3, 6, -4.686338, 10.686338, false",
        "0, -6, -3, -2, -1, -10.686338, 4.686338, false",
        "0, 3, 4, 5, 4, 1.094837, 6.905163, true",
        "2, 3, 4, 5, 4, 0.472965, 7.527035, true",
        "3, 3, 4, 5, 4, -0.176117, 8.176117, false",
        "0, 5, 5, 5, 5, 5, 5, true",
        "4, 5, 5, 5, 5, 1, 9, true",
        "6, 5, 5, 5, 5, -1, 11, false",
        "6, 0, 0, 0, 0, 0, 0, false"
    })
    void what_replays_and_the_past_leave_open_add_up_as_independent_errors_do(
            double error, double a, double b, double c, double d, double low, double high, boolean isClear) {
        BlockBootstrap.Bounds bounds = saved(error, a, b, c, d);

        assertThat(bounds.low()).isCloseTo(low, within(1e-5));
        assertThat(bounds.high()).isCloseTo(high, within(1e-5));
        assertThat(bounds.isClear()).isEqualTo(isClear);
    }

    /**
     * Two of the twenty blocks, of two jobs each, lose 10 s a job in each replay: of 20 drawn blocks none may be one of
     * them, or six.
     */
    @Test
    void replays_that_agree_leave_the_interval_over_blocks_of_jobs() {
        double[] before = new double[4 * JOBS];
        double[] after = new double[4 * JOBS];
        for (int job = 0; job < 4; job++) {
            for (int replay = 0; replay < 4; replay++) {
                after[4 * job + replay] = 10;
            }
        }
        BlockBootstrap.Bounds bounds =
                WhatIfAnswer.Saved.of(before, after, 0, 7).interval();

        assertThat(bounds).isEqualTo(BlockBootstrap.saved(before, after, RankingMetric.MEAN_WAIT, 7));
        assertThat(bounds.high()).isEqualTo(0);
        assertThat(bounds.low()).isEqualTo(-2.5);
    }
}
