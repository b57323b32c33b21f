package org.trainyard.interference.measured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.generator.ModelCatalog;

class MeasuredInterferenceTest {
    private static final List<ModelProfile> MODELS = ModelCatalog.standard().profiles();
    private static final ModelProfile FIRST = MODELS.get(0);
    private static final ModelProfile SECOND = MODELS.get(1);
    private static final MeasuredInterference.Shared GPU = MeasuredInterference.Shared.GPU;
    private static final MeasuredInterference TRUTH = new MeasuredInterference(List.of(
            new MeasuredInterference.Row(FIRST, SECOND, GPU, 1.5),
            new MeasuredInterference.Row(FIRST, SECOND, GPU, 1.7),
            new MeasuredInterference.Row(SECOND, FIRST, GPU, 1.1)));

    @Test
    void a_measured_pair_is_the_mean_of_its_rows() {
        assertThat(TRUTH.pair(FIRST, SECOND, GPU)).isEqualTo(1.6);
    }

    @Test
    void other_pairs_lie_between_those_that_were_measured() {
        for (ModelProfile victim : MODELS) {
            assertThat(TRUTH.pair(victim, SECOND, GPU)).isBetween(1.1, 1.7);
            assertThat(TRUTH.pair(victim, SECOND, MeasuredInterference.Shared.NIC))
                    .isEqualTo(1);
        }
    }

    @Test
    void it_is_neutral_and_every_neighbour_adds() {
        Colocation place = new Colocation();
        place.reset(8, 1, false);
        assertThat(TRUTH.slowdown(FIRST, place)).isEqualTo(1);
        double before = 1;
        for (ModelProfile neighbour : MODELS) {
            place.add(neighbour, 1, false, true, true);
            double now = TRUTH.slowdown(FIRST, place);
            assertThat(now).isGreaterThan(before);
            before = now;
        }
    }

    @Test
    void a_row_that_speeds_up_is_refused() {
        assertThatThrownBy(() -> new MeasuredInterference.Row(FIRST, SECOND, GPU, 0.9))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0.9");
    }
}
