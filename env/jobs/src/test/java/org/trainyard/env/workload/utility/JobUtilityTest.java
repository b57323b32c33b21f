package org.trainyard.env.workload.utility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class JobUtilityTest {
    private static final double NEVER = Double.POSITIVE_INFINITY;

    @Test
    void a_sigmoid_is_half_its_priority_at_the_target_and_nothing_after_the_horizon() {
        JobUtility.Sigmoid utility = new JobUtility.Sigmoid(80, 0.01, 600, 3600);

        assertThat(utility.ofDelay(600)).isEqualTo(40);
        assertThat(utility.ofDelay(0)).isCloseTo(80 / (1 + Math.exp(-6)), within(1e-12));
        assertThat(utility.ofDelay(3600)).isPositive();
        assertThat(utility.ofDelay(3601)).isZero();
        assertThat(utility.of(600, 12345)).isEqualTo(40);
        assertThat(new JobUtility.Sigmoid(80, 0, 600, NEVER).ofDelay(1e9)).isEqualTo(40);
    }

    @Test
    void concave_utilities_have_the_values_of_their_formulas() {
        assertThat(new JobUtility.Concave(ConcaveFamily.LOGARITHM, 2, 10, NEVER).ofTraining(10))
                .isCloseTo(2 * Math.log(2), within(1e-12));
        assertThat(new JobUtility.Concave(ConcaveFamily.SATURATION, 2, 10, NEVER).ofTraining(25))
                .isEqualTo(2);
        assertThat(new JobUtility.Concave(ConcaveFamily.ROOT, 4, 1, NEVER).of(7, 9))
                .isEqualTo(12);
        assertThat(new JobUtility.Concave(ConcaveFamily.EXPONENTIAL, 10, 2, NEVER).ofTraining(2))
                .isCloseTo(10 * (1 - Math.exp(-1)), within(1e-12));
    }

    @Test
    void every_family_is_concave_and_does_not_decrease() {
        for (ConcaveFamily family : ConcaveFamily.values()) {
            JobUtility.Concave utility = new JobUtility.Concave(family, 3, 5, NEVER);
            double gain = Double.POSITIVE_INFINITY;
            assertThat(utility.ofTraining(0)).isZero();
            for (int step = 1; step <= 40; step++) {
                double next = utility.ofTraining(step * 0.5) - utility.ofTraining((step - 1) * 0.5);
                assertThat(next).as("%s at %d", family, step).isBetween(0.0, gain + 1e-12);
                gain = next;
            }
        }
    }

    @Test
    void a_label_reads_back_equal_and_nonsense_is_none() {
        for (JobUtility utility : List.of(
                new JobUtility.Sigmoid(50.5, 0.001, 3600, 7200),
                new JobUtility.Sigmoid(1, 0, 0, NEVER),
                new JobUtility.Concave(ConcaveFamily.ROOT, 1e-3, 100, NEVER),
                new JobUtility.Concave(ConcaveFamily.EXPONENTIAL, 7, 3.25, 1e6))) {
            assertThat(JobUtility.parse(utility.label())).isEqualTo(utility);
        }
        assertThat(JobUtility.parse("SIGMOID:2:0:5")).isEqualTo(new JobUtility.Sigmoid(2, 0, 5, NEVER));
        for (String wrong :
                List.of("", "sigmoid", "sigmoid:1:2", "sigmoid:-1:0:5", "root:1:0", "cube:1:2", "root:a:b")) {
            assertThat(JobUtility.parse(wrong)).as(wrong).isNull();
        }
        assertThatThrownBy(() -> new JobUtility.Sigmoid(1, 0, 0, 0)).hasMessageContaining("horizon");
    }
}
