package org.trainyard.env.workload.freezing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FreezeRulesTest {
    private static final int LAYERS = 103;

    /** Layers of BERT in the training scripts of IceFrog's author, which round down to an even number. */
    @ParameterizedTest
    @CsvSource({"0.1,1,10.30,10", "0.1,2,19.57,18", "0.1,5,42.18,42", "0.1,10,67.09,66", "0.01,100,65.30,64"})
    void pipetransformers_schedule_is_that_of_its_code(double alpha, int epoch, double layers, int even) {
        double frozen = new PipeTransformerSchedule(alpha).layers(LAYERS, epoch);
        assertThat(frozen).isCloseTo(layers, within(0.005));
        assertThat((int) frozen / 2 * 2).isEqualTo(even);
    }

    @Test
    void pipetransformers_schedule_approaches_a_known_limit_for_one_over_the_epochs() {
        int epochs = 1_000_000;
        assertThat(new PipeTransformerSchedule(1.0 / epochs).layers(LAYERS, epochs))
                .isCloseTo(LAYERS * (1 - 1 / Math.E), within(1e-4));
    }

    /** The sum as printed: (1 - a)^T (aL / (1 - a) + sum over t of 2..T of aL / (1 - a)^t). */
    @ParameterizedTest
    @CsvSource({"0.01", "0.1", "0.333", "0.5"})
    void pipetransformers_schedule_is_the_sum_of_its_paper(double alpha) {
        for (int epoch = 1; epoch <= 50; epoch++) {
            double sum = alpha * LAYERS / (1 - alpha);
            for (int t = 2; t <= epoch; t++) {
                sum += alpha * LAYERS / Math.pow(1 - alpha, t);
            }
            assertThat(new PipeTransformerSchedule(alpha).layers(LAYERS, epoch))
                    .isCloseTo(Math.pow(1 - alpha, epoch) * sum, within(1e-9));
        }
    }

    @Test
    void autofreeze_freezes_the_layers_before_the_first_that_changes_as_much_as_the_median() {
        double[] before = {10, 10, 10, 10, 10};
        // Changes of 0.1, 0.2, 0.5, 0.1, 0.6: the median is 0.2.
        assertThat(AutoFreeze.DEFAULT.layers(0, before, new double[] {9, 8, 5, 11, 4}))
                .isEqualTo(1);
        // Of the active layers 0.5, 0.1, 0.6 the median is 0.5.
        assertThat(AutoFreeze.DEFAULT.layers(2, before, new double[] {9, 8, 5, 11, 4}))
                .isEqualTo(2);
        assertThat(AutoFreeze.DEFAULT.layers(2, before, new double[] {0, 0, 9, 5, 4}))
                .isEqualTo(3);
    }

    @Test
    void autofreeze_takes_percentiles_between_values() {
        double[] before = {1, 1, 1, 1};
        // Changes of 0.1, 0.2, 0.3, 0.4: the median is 0.25, percentile 100 the last.
        double[] now = {0.9, 0.8, 0.7, 0.6};
        assertThat(new AutoFreeze(50).layers(0, before, now)).isEqualTo(2);
        assertThat(new AutoFreeze(100).layers(0, before, now)).isEqualTo(3);
        assertThat(new AutoFreeze(0).layers(0, before, now)).isZero();
        assertThatThrownBy(() -> new AutoFreeze(101)).hasMessageContaining("101");
    }

    @Test
    void egeria_freezes_a_layer_when_its_plasticity_has_stopped_changing_and_not_before() {
        Egeria rule = new Egeria();
        for (int i = 0; i < 30; i++) {
            assertThat(rule.evaluate(1, 10))
                    .as("a plasticity that never changed")
                    .isZero();
        }
        for (int i = 1; i <= 5; i++) {
            assertThat(rule.evaluate(1 - 0.1 * i, 10))
                    .as("a falling plasticity")
                    .isZero();
        }
        int evaluations = 0;
        while (rule.layers() == 0) {
            rule.evaluate(0.5, 10);
            evaluations++;
        }
        assertThat(evaluations).isBetween(3, 2 * Egeria.WINDOW);
    }

    @Test
    void egeria_thaws_all_layers_when_the_learning_rate_drops_and_freezes_no_more_than_it_may() {
        Egeria rule = new Egeria();
        for (int i = 0; i < 500; i++) {
            assertThat(rule.evaluate(Math.exp(-0.3 * (i % 50)), 3)).isBetween(0, 3);
        }
        assertThat(rule.layers()).isEqualTo(3);
        rule.rateDropped();
        assertThat(rule.layers()).isZero();
    }
}
