package org.trainyard.agents.heuristic.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class StopProbabilitiesTest {
    @Test
    void ratios_are_the_known_ones() {
        assertThat(1 / new StopProbabilities(1, 4).guarantee()).isCloseTo(1.75, within(1e-12));
        assertThat(1 / new StopProbabilities(1, 2, 4).guarantee()).isCloseTo(2, within(1e-12));
        assertThat(1 / new StopProbabilities(1, 2, 5, 10).guarantee()).isCloseTo(2.6, within(1e-12));
    }

    @Test
    void levels_of_one_two_and_four_are_drawn_as_known() {
        assertThat(new StopProbabilities(1, 2, 4).probabilities()).containsExactly(0.5, 0.25, 0.25);
    }

    @Test
    void every_ascending_sequence_earns_the_guarantee() {
        double[] levels = {1, 1.5, 4, 9};
        StopProbabilities stop = new StopProbabilities(levels);
        double[] probabilities = stop.probabilities();
        double welfare = 0;
        for (int last = 0; last < levels.length; last++) {
            welfare += probabilities[last] * levels[last];

            assertThat(welfare / levels[last]).isCloseTo(stop.guarantee(), within(1e-12));
        }
    }

    @Test
    void levels_that_do_not_ascend_are_refused() {
        assertThatThrownBy(() -> new StopProbabilities(1, 1)).hasMessageContaining("[1.0, 1.0]");
    }
}
