package org.trainyard.agents.heuristic.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.admission.OfflineOptimum.Request;
import org.trainyard.env.RandomStreams;

class OfflineOptimumTest {
    @Test
    void unit_demands_are_the_most_valuable_requests() {
        List<Request> requests = List.of(new Request(1, 2), new Request(1, 5), new Request(1, 3));

        assertThat(OfflineOptimum.byUnits(requests, 2)[2]).isEqualTo(8);
    }

    @Test
    void whole_demands_leave_units_unused() {
        List<Request> requests = List.of(new Request(3, 2), new Request(2, 1));

        assertThat(OfflineOptimum.byUnits(requests, 4)[4]).isEqualTo(6);
    }

    @Test
    void optimum_is_that_of_all_subsets() {
        RandomGenerator random = RandomStreams.stream(1, "knapsacks");
        for (int trial = 0; trial < 200; trial++) {
            List<Request> requests = new ArrayList<>();
            int count = 1 + random.nextInt(9);
            for (int i = 0; i < count; i++) {
                requests.add(new Request(1 + random.nextInt(4), random.nextInt(1, 100)));
            }
            int capacity = 1 + random.nextInt(12);
            double integral = OfflineOptimum.byUnits(requests, capacity)[capacity];

            assertThat(integral).isCloseTo(ofSubsets(requests, capacity), within(1e-9));
        }
    }

    private static double ofSubsets(List<Request> requests, int capacity) {
        double best = 0;
        for (int subset = 0; subset < 1 << requests.size(); subset++) {
            int units = 0;
            double value = 0;
            for (int i = 0; i < requests.size(); i++) {
                if ((subset >> i & 1) == 1) {
                    units += requests.get(i).units();
                    value += requests.get(i).units() * requests.get(i).unitValue();
                }
            }
            best = units <= capacity ? Math.max(best, value) : best;
        }
        return best;
    }
}
