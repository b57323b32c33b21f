package org.trainyard.interference.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.data.Scope;

/** Ends of intervals worked out by hand. */
class IntervalsTest {
    private static final JobType TYPE = new JobType("resnet50", "resnet50", Map.of());

    /** A prediction of a ratio of which so much was missing. */
    private static HeldOutPrediction guess(double ratio, double missing) {
        Measurement row = new Measurement(TYPE, TYPE, Scope.GPU, "bench", 1 / (ratio + missing), "made up", 1, false);
        return new HeldOutPrediction(row, 0, ratio);
    }

    /** Of 39 errors -19..19 thousandths one bin learns: 2 of 40 ranks are a twentieth, so the second from both ends. */
    @Test
    void one_bin_leaves_a_twentieth_out_on_both_sides() {
        List<HeldOutPrediction> guesses = new ArrayList<>();
        for (int i = -19; i <= 19; i++) {
            guesses.add(guess(0.5, i / 1000.0));
        }

        double[] ends = Intervals.of(guesses).around(0.5);

        assertThat(ends[0]).isEqualTo(0.5 - 0.018, within(1e-12));
        assertThat(ends[1]).isEqualTo(0.5 + 0.018, within(1e-12));
    }

    /**
     * Of 200 errors in five bins of 40, 2 of 41 ranks are a twentieth in each; bins are by the size of the prediction.
     */
    @Test
    void each_of_five_bins_has_its_own_errors_and_begins_with_its_first_prediction() {
        List<HeldOutPrediction> guesses = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            int bin = i / 40;
            guesses.add(guess(0.2 + i * 0.001, (bin + 1) * (i % 40 - 19.5) / 1000));
        }
        Intervals intervals = Intervals.of(guesses);

        for (int bin = 0; bin < 5; bin++) {
            double ratio = 0.2 + bin * 40 * 0.001;
            double[] ends = intervals.around(ratio);
            assertThat(ends[0]).as("bin %d", bin).isEqualTo(ratio - (bin + 1) * 0.0185, within(1e-12));
            assertThat(ends[1]).as("bin %d", bin).isEqualTo(ratio + (bin + 1) * 0.0185, within(1e-12));
        }
    }

    @Test
    void ends_are_on_both_sides_of_the_prediction_and_within_0_01_and_1() {
        Intervals intervals = new Intervals(List.of(), List.of(-0.4), List.of(0.4));

        assertThat(intervals.around(0.9)).containsExactly(new double[] {0.5, 1}, within(1e-12));
        assertThat(intervals.around(0.2)).containsExactly(new double[] {0.01, 0.6}, within(1e-12));
        assertThat(new Intervals(List.of(), List.of(0.1), List.of(-0.1)).around(0.5))
                .containsExactly(0.5, 0.5);
    }
}
