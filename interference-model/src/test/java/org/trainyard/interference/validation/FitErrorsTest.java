package org.trainyard.interference.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.interference.data.InterferenceSample;
import org.trainyard.interference.data.ProfilingCampaign;

class FitErrorsTest {
    private static final ModelProfile PROFILE =
            ProfilingCampaign.drawProfiles(1, 1).get(0);
    /** Says 1 more than the victim has GPUs. */
    private static final InterferenceModel BY_GPUS = (victim, place) -> 1 + place.victimGpus();

    private static InterferenceSample sample(int gpus, double slowdown) {
        return new InterferenceSample(PROFILE, 8, gpus, false, List.of(), slowdown);
    }

    @Test
    void errors_are_those_worked_out_by_hand() {
        List<InterferenceSample> samples = List.of(sample(1, 2), sample(2, 4), sample(3, 5));
        FitErrors errors = FitErrors.of(BY_GPUS, samples, 4);

        // Said 2, 3, 4 for 2, 4, 5.
        assertThat(errors.rmse()).isCloseTo(Math.sqrt(2 / 3.0), within(1e-12));
        assertThat(errors.mape()).isCloseTo((0.25 + 0.2) / 3, within(1e-12));
        assertThat(errors.rankCorrelation()).isCloseTo(1, within(1e-12));
        assertThat(errors.meanRmse()).isCloseTo(Math.sqrt(5 / 3.0), within(1e-12));
        assertThat(errors.meanMape()).isCloseTo((1 + 0 + 0.2) / 3, within(1e-12));
    }

    @Test
    void equal_values_share_a_rank() {
        List<InterferenceSample> samples = List.of(sample(1, 2), sample(2, 1), sample(1, 3), sample(2, 1));

        // Ranks 2, 0.5, 3, 0.5 against 0.5, 2.5, 0.5, 2.5: covariance -4, variances 4.5 and 4.
        assertThat(FitErrors.of(BY_GPUS, samples, 1).rankCorrelation()).isCloseTo(-4 / Math.sqrt(18), within(1e-12));
    }

    @Test
    void there_is_no_error_without_samples() {
        assertThatThrownBy(() -> FitErrors.of(BY_GPUS, List.of(), 1)).hasMessageContaining("no samples");
    }
}
