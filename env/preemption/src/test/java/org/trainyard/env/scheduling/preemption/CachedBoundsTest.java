package org.trainyard.env.scheduling.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;

/** Checked against bounds that are made anew each time. */
class CachedBoundsTest {
    private static final int PARTS = 20;

    @Test
    void they_are_those_of_beneficiarys_with_a_little_less_time_left_after_any_changes() {
        RandomGenerator random = RandomStreams.stream(3, "kept bounds");
        double[] price = random.doubles(PARTS).toArray();
        int[] largestFree = new int[1];
        int[] made = new int[1];
        CachedBounds kept = new CachedBounds(PARTS);
        double[] bounds = new double[PARTS];
        for (int run = 0; run < 20_000; run++) {
            for (int changes = random.nextInt(3); changes > 0; changes--) {
                int part = random.nextInt(PARTS);
                price[part] = random.nextDouble();
                kept.change(part);
            }
            int gpus = 1 + random.nextInt(3);
            int first = random.nextInt(3);
            largestFree[0] = random.nextInt(3);
            double seconds = random.nextInt(200) == 0 ? 0 : Math.exp(random.nextInt(3) + random.nextDouble());
            kept.find(
                    gpus,
                    largestFree[0],
                    seconds,
                    first,
                    PARTS - first,
                    (part, g, s) -> {
                        made[0]++;
                        return price[part] * g * s + largestFree[0];
                    },
                    bounds);
            for (int part = first; part < PARTS - first; part++) {
                double exact = price[part] * gpus * seconds;
                assertThat(bounds[part] - largestFree[0]).isBetween(0.95 * exact - 1e-9, exact + 1e-9);
            }
        }
        assertThat(made[0]).isLessThan(20_000 * PARTS);
    }

    @Test
    void they_hold_for_times_without_end_and_for_next_to_none() {
        CachedBounds kept = new CachedBounds(1);
        double[] bounds = new double[1];
        for (double seconds :
                new double[] {0, Double.MIN_VALUE, 1e-300, 1e300, Double.MAX_VALUE, Double.POSITIVE_INFINITY}) {
            kept.find(1, 0, seconds, 0, 1, (part, gpus, s) -> s, bounds);
            assertThat(bounds[0]).isBetween(0.0, seconds);
        }
    }
}
