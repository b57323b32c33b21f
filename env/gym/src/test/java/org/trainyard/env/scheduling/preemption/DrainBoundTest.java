package org.trainyard.env.scheduling.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;

/** Checked against the costs of random jobs one by one. */
class DrainBoundTest {
    private static final int WIDEST = 8;

    @Test
    void no_victims_that_are_all_jobs_of_a_server_cost_less_than_the_bound_and_none_costs_more_where_times_are_exact() {
        RandomGenerator random = RandomStreams.stream(3, "jobs of servers");
        DrainBound bound = new DrainBound(2, WIDEST);
        int finite = 0;
        for (int run = 0; run < 20_000; run++) {
            double beneficiarySeconds = DrainBound.LEAST_SECONDS + random.nextInt(600);
            int largestFree = random.nextInt(WIDEST + 1);
            double cost = 0;
            double shares = 0;
            int held = 0;
            bound.begin(1);
            while (held < WIDEST && random.nextInt(4) > 0) {
                int here = 1 + random.nextInt(WIDEST - held);
                int elsewhere = random.nextInt(3) * 4;
                double seconds = 30 + random.nextInt(4000);
                held += here;
                boolean isMovable = elsewhere == 0 && random.nextBoolean();
                bound.add(1, seconds, here, here + elsewhere, isMovable);
                double preempted =
                        seconds > beneficiarySeconds ? beneficiarySeconds / seconds : Double.POSITIVE_INFINITY;
                double migrated =
                        isMovable && here <= largestFree ? 60 / Math.max(60, seconds) : Double.POSITIVE_INFINITY;
                cost += Math.min(preempted, migrated);
                shares += Math.min(preempted, migrated) * here / (here + elsewhere);
            }
            assertThat(bound.drains(1, held)).isTrue();
            assertThat(bound.drains(1, held - 1)).isFalse();
            if (cost == Double.POSITIVE_INFINITY) {
                assertThat(bound.of(1, largestFree, beneficiarySeconds, false)).isEqualTo(cost);
                assertThat(bound.of(1, largestFree, beneficiarySeconds, true)).isEqualTo(cost);
            } else {
                assertThat(bound.of(1, largestFree, beneficiarySeconds, false))
                        .isBetween(cost * (1 - 1e-12), cost * (1 + 1e-12));
                assertThat(bound.of(1, largestFree, beneficiarySeconds, true))
                        .isBetween(shares * (1 - 1e-12), shares * (1 + 1e-12));
                finite++;
            }
        }
        assertThat(finite).isBetween(1_000, 19_000);
    }
}
