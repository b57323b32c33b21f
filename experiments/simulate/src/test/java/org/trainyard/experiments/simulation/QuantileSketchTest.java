package org.trainyard.experiments.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;

class QuantileSketchTest {
    @Test
    void quantiles_are_within_half_a_per_cent_over_twelve_orders_of_magnitude() {
        double[] values = RandomStreams.stream(1, "sketched")
                .doubles(20_000, -3, 9)
                .map(x -> Math.pow(10, x))
                .toArray();
        QuantileSketch sketch = new QuantileSketch();
        Arrays.stream(values).forEach(sketch::add);
        Arrays.sort(values);

        for (double share : new double[] {0, 0.01, 0.5, 0.95, 0.99, 1}) {
            double exact = values[(int) (share * (values.length - 1))];
            assertThat(sketch.quantile(share)).as("share %s", share).isCloseTo(exact, within(0.00501 * exact));
        }
    }

    @Test
    void zeros_count() {
        QuantileSketch sketch = new QuantileSketch();
        assertThat(sketch.quantile(0.5)).isNaN();
        for (double value : new double[] {0, 0, 0, 7}) {
            sketch.add(value);
        }
        assertThat(sketch.quantile(0.5)).isZero();
        assertThat(sketch.quantile(1)).isCloseTo(7, within(0.036));
        assertThatThrownBy(() -> sketch.add(-1)).hasMessageContaining("(-1.0)");
    }
}
