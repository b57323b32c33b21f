package org.trainyard.experiments.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** The expansion of a table of two seeds and three episodes, by hand. */
class TwoWayBootstrapTest {
    /**
     * Means by seed 2 and 6: variance of their mean (4 + 4) / 1 / 2 = 4. Means by episode 3, 3 and 6: variance of their
     * mean (1 + 1 + 4) / 2 / 3 = 1. Together 5; the bootstrap sees 4 x 1/2 + 1 x 2/3 = 8/3; degrees of freedom 25 /
     * (16/1 + 1/2).
     */
    @Test
    void variances_of_means_divide_by_one_less_than_there_are() {
        PercentileExpansion expansion = TwoWayBootstrap.expansion(new double[][] {{1, 1, 4}, {5, 5, 8}});

        assertThat(expansion.factor()).isCloseTo(Math.sqrt(5 / (8 / 3.0)), within(1e-12));
        assertThat(expansion.freedom()).isCloseTo(25 / 16.5, within(1e-12));
    }

    /** Seeds alone differ: as if there were two values. */
    @Test
    void where_episodes_do_not_differ_it_is_the_expansion_for_the_seeds() {
        PercentileExpansion expansion = TwoWayBootstrap.expansion(new double[][] {{1, 1, 1}, {5, 5, 5}});

        assertThat(expansion.factor()).isCloseTo(PercentileExpansion.of(2).factor(), within(1e-12));
        assertThat(expansion.freedom()).isCloseTo(1, within(1e-12));
    }

    @Test
    void where_nothing_differs_percentiles_stay() {
        assertThat(TwoWayBootstrap.expansion(new double[][] {{2, 2}, {2, 2}}).factor())
                .isEqualTo(1);
    }
}
