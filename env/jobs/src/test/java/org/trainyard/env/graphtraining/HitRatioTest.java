package org.trainyard.env.graphtraining;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.trainyard.env.Labelled;

/** Hit ratios and copy times beside those that GNNLab measured on papers100M. */
class HitRatioTest {
    private static final double[] HELD = {0, 0.05, 0.10, 0.15, 0.20, 0.25, 0.30};
    private static final double[] HIT = {0, 0.2892, 0.4957, 0.6396, 0.7512, 0.8289, 0.8841};
    private static final double[] COPY_SECONDS = {0.0411, 0.0309, 0.0229, 0.0171, 0.0126, 0.0102, 0.0075};

    @Test
    void the_policies_have_the_measured_ratios_at_a_tenth() {
        assertThat(HitRatio.RANDOM.at(0.1)).isCloseTo(0.0996, within(5e-4));
        assertThat(HitRatio.DEGREE.at(0.1)).isEqualTo(0.4957);
    }

    @Test
    void the_table_of_the_degree_policy_is_straight_between_its_points() {
        for (int i = 0; i < HELD.length; i++) {
            assertThat(HitRatio.DEGREE.at(HELD[i])).isCloseTo(HIT[i], within(1e-12));
        }
        assertThat(HitRatio.DEGREE.at(0.125)).isCloseTo((0.4957 + 0.6396) / 2, within(1e-12));
        assertThat(HitRatio.DEGREE.at(0.65)).isCloseTo((0.8841 + 1) / 2, within(1e-12));
    }

    @Test
    void a_larger_cache_never_hits_less_and_a_whole_one_always() {
        for (HitRatio policy : HitRatio.values()) {
            double before = 0;
            for (double held = 0; held <= 1.2; held += 0.01) {
                assertThat(policy.at(held)).isBetween(before, 1.0);
                before = policy.at(held);
            }
            assertThat(policy.at(0)).isZero();
            assertThat(policy.at(1)).isEqualTo(1);
            assertThat(Labelled.parse(HitRatio.class, policy.label())).isEqualTo(policy);
        }
        assertThat(Labelled.parse(HitRatio.class, "lru")).isNull();
    }

    /**
     * Stage 7 says that the copy of a batch takes time in proportion to its misses; measured ones do, within 0.43 ms.
     */
    @Test
    void measured_copies_are_linear_in_misses() {
        double missSeconds = 0.04149;
        double hitSeconds = 0.00340;
        double worst = 0;
        for (int i = 0; i < HELD.length; i++) {
            double hit = HitRatio.DEGREE.at(HELD[i]);
            double predicted = missSeconds * (1 - hit) + hitSeconds * hit;
            worst = Math.max(worst, Math.abs(predicted - COPY_SECONDS[i]));
        }
        assertThat(worst).isCloseTo(0.43e-3, within(0.005e-3));
    }
}
