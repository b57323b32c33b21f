package org.trainyard.agents.learned.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CrossEntropyTest {
    private static final CrossEntropy.Settings SETTINGS = new CrossEntropy.Settings(40, 30, 6, 1, 0);

    private static double[] last() {
        double[][] means = new CrossEntropy(SETTINGS, 1)
                .minimise(new double[2], (at, generation) -> Math.pow(at[0] - 2, 2) + 3 * Math.pow(at[1] + 1, 2));
        return means[means.length - 1];
    }

    @Test
    void the_mean_moves_to_the_minimum_of_a_bowl() {
        assertThat(last()).containsExactly(new double[] {2, -1}, within(0.05));
    }

    @Test
    void equal_seeds_search_alike() {
        assertThat(last()).isEqualTo(last());
    }

    @Test
    void the_generation_that_costs_least_on_validation_is_kept() {
        double[] start = {3};

        assertThat(new CrossEntropy(SETTINGS, 1)
                        .best(start, (weights, generation) -> weights[0], (weights, generation) -> generation)
                        .weights())
                .isSameAs(start);
        assertThat(new CrossEntropy(SETTINGS, 1)
                        .best(
                                start,
                                (weights, generation) -> weights[0],
                                (weights, generation) -> generation == 2 ? 0 : 1)
                        .weights())
                .isEqualTo(new CrossEntropy(SETTINGS, 1).minimise(start, (weights, generation) -> weights[0])[1]);
    }
}
