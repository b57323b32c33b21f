package org.trainyard.interference.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.interference.ForEverySeed;
import org.trainyard.interference.data.InterferenceSample;
import org.trainyard.interference.data.ProfilingCampaign;
import org.trainyard.interference.model.pressure.PressureModel;
import org.trainyard.interference.validation.FitErrors;

class PressureFitTest {
    private static ProfilingCampaign campaign(InterferenceModel truth, double noise) {
        return new ProfilingCampaign(ProfilingCampaign.drawProfiles(12, 5), ServerSpec.ofV100(8), truth, noise);
    }

    @ForEverySeed
    void it_recovers_coefficients_from_noiseless_data_of_its_own_form(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "betas");
        PressureModel truth = new PressureModel(random.nextDouble(), 2 * random.nextDouble(), random.nextDouble());

        PressureFit.Fitted fitted = PressureFit.fit(campaign(truth, 0).measure(200, seed), seed);

        assertThat(fitted.model().socket()).isCloseTo(truth.socket(), within(1e-9));
        assertThat(fitted.model().pcie()).isCloseTo(truth.pcie(), within(1e-9));
        assertThat(fitted.model().nic()).isCloseTo(truth.nic(), within(1e-9));
        assertThat(fitted.errors().rmse()).isLessThan(1e-9);
        assertThat(fitted.errors().rankCorrelation()).isGreaterThan(0.999);
        assertThat(fitted.samples()).isEqualTo(160);
        assertThat(fitted.errors().samples()).isEqualTo(40);
    }

    /** The analytic law adds where the model multiplies, so some error must stay; it is stated here. */
    @ForEverySeed
    void of_the_analytic_law_it_errs_by_less_than_two_percent_on_models_it_has_never_seen(long seed) {
        PressureModel fitted = PressureFit.fit(law(20260101, 0.03).measure(5000, 20260101), 20260101)
                .model();
        List<InterferenceSample> fresh = law(seed, 0).measure(2000, seed);
        double mean = fresh.stream()
                .mapToDouble(InterferenceSample::slowdown)
                .average()
                .orElseThrow();

        FitErrors errors = FitErrors.of(fitted, fresh, mean);

        assertThat(errors.mape()).isLessThan(0.02);
        assertThat(errors.rmse()).isLessThan(0.09).isLessThan(0.4 * errors.meanRmse());
        assertThat(errors.rankCorrelation()).isGreaterThan(0.99);
    }

    private static ProfilingCampaign law(long profileSeed, double noise) {
        return new ProfilingCampaign(
                ProfilingCampaign.drawProfiles(40, profileSeed),
                ServerSpec.ofV100(8),
                AnalyticInterference.DEFAULT,
                noise);
    }

    @Test
    void a_scope_that_does_not_matter_gets_a_zero_and_never_less() {
        for (long seed = 1; seed <= 20; seed++) {
            List<InterferenceSample> samples =
                    campaign(new PressureModel(0, 0.8, 0), 0.2).measure(100, seed);

            PressureModel model = PressureFit.fit(samples, seed).model();

            assertThat(model.socket()).isNotNegative();
            assertThat(model.nic()).isNotNegative();
            assertThat(model.pcie()).isCloseTo(0.8, within(0.4));
        }
    }

    @Test
    void data_without_any_interference_fits_a_model_of_none() {
        PressureFit.Fitted fitted =
                PressureFit.fit(campaign(InterferenceModel.NONE, 0).measure(50, 1), 1);

        assertThat(fitted.model()).isEqualTo(new PressureModel(0, 0, 0));
        assertThat(fitted.errors().rmse()).isZero();
        assertThat(fitted.errors().rankCorrelation()).isZero();
    }

    @Test
    void equal_seeds_give_equal_fits_and_others_other_holdouts() {
        List<InterferenceSample> samples =
                campaign(new PressureModel(0.5, 0.5, 0.5), 0.1).measure(100, 1);

        assertThat(PressureFit.fit(samples, 1)).isEqualTo(PressureFit.fit(samples, 1));
        assertThat(PressureFit.fit(samples, 2)).isNotEqualTo(PressureFit.fit(samples, 1));
    }

    @Test
    void a_handful_of_samples_is_refused() {
        assertThatThrownBy(() ->
                        PressureFit.fit(campaign(InterferenceModel.NONE, 0).measure(9, 1), 1))
                .hasMessageContaining("at least (10) samples, not (9)");
    }
}
