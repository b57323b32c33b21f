package org.trainyard.agents.learned.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.env.RandomStreams;

class CrossEntropySearchTest {
    private static final LearnerSettings.Search SETTINGS =
            new LearnerSettings.Search(60, 30, 6, 1, 0.7, 0.1, 1, List.of(1.0));

    private static double[] costs(double[][] candidates) {
        double[] costs = new double[candidates.length];
        for (int c = 0; c < costs.length; c++) {
            double x = candidates[c][0] - 3;
            double y = candidates[c][1] + 1;
            costs[c] = x * x + 10 * y * y + x * y;
        }
        return costs;
    }

    @Test
    void it_finds_the_bottom_of_a_bowl_and_leaves_alone_what_has_no_spread() {
        CrossEntropySearch search = new CrossEntropySearch(SETTINGS, new double[] {0, 0, 7}, new double[] {1, 1, 0});
        while (!search.isDone()) {
            double[][] candidates = search.ask(RandomStreams.stream(1, "test/" + search.generation()));
            search.tell(candidates, costs(candidates));
        }
        assertThat(search.mean()[0]).isCloseTo(3, within(0.05));
        assertThat(search.mean()[1]).isCloseTo(-1, within(0.05));
        assertThat(search.mean()[2]).isEqualTo(7);
    }

    @Test
    void the_first_candidate_is_what_was_found_so_far() {
        CrossEntropySearch search = new CrossEntropySearch(SETTINGS, new double[] {4, 5}, new double[] {1, 1});
        assertThat(search.ask(RandomStreams.stream(1, "test"))[0]).containsExactly(4, 5);
    }
}
