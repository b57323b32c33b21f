package org.trainyard.env.performance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;

class AnalyticInterferenceTest {
    private static final AnalyticInterference MODEL = new AnalyticInterference(0.6, 1.0, 0.8, 1);

    private static ModelProfile profile(Pressure pressure, Pressure sensitivity) {
        return new ModelProfile("model", 1, 0, 1, pressure, sensitivity);
    }

    private static ModelProfile random(RandomGenerator random) {
        return profile(
                new Pressure(random.nextDouble(), random.nextDouble(), random.nextDouble()),
                new Pressure(random.nextDouble(), random.nextDouble(), random.nextDouble()));
    }

    @Test
    void alone_the_slowdown_is_exactly_one() {
        Colocation row = new Colocation();
        row.reset(8, 4, true);

        assertThat(MODEL.slowdown(random(RandomStreams.stream(1, "alone")), row))
                .isEqualTo(1);
    }

    @Test
    void it_is_the_closed_form_it_says() {
        ModelProfile victim = profile(new Pressure(1, 1, 1), new Pressure(0.5, 0.4, 0.25));
        ModelProfile neighbour = profile(new Pressure(0.2, 0.5, 1), new Pressure(0, 0, 0));
        Colocation row = new Colocation();
        row.reset(8, 2, true);
        row.add(neighbour, 4, false, true);
        row.add(neighbour, 2, true, false);

        // Socket: 0.2 x 4/8; PCIe: 0.5 x 6/8; NIC: 1, for only the second spans servers.
        double expected = 1 + 0.6 * 0.5 * 0.1 + 1.0 * 0.4 * 0.375 + 0.8 * 0.25 * 1;
        assertThat(MODEL.slowdown(victim, row)).isCloseTo(expected, within(1e-12));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void one_more_neighbour_never_helps(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "neighbours");
        ModelProfile victim = random(random);
        Colocation row = new Colocation();
        row.reset(16, 1, random.nextBoolean());
        double before = MODEL.slowdown(victim, row);
        // More than the row holds at first, so that it grows.
        for (int i = 0; i < 12; i++) {
            row.add(random(random), 1, random.nextBoolean(), random.nextBoolean());
            double now = MODEL.slowdown(victim, row);
            assertThat(now).isGreaterThanOrEqualTo(before);
            before = now;
        }
    }

    @Test
    void negative_weights_are_refused() {
        assertThatThrownBy(() -> new AnalyticInterference(0, -0.1, 0, 1))
                .hasMessageContaining("pcieWeight: '-0.1' is not valid");
        assertThatThrownBy(() -> new AnalyticInterference(Double.NaN, 0, 0, 1)).hasMessageContaining("NaN");
    }
}
