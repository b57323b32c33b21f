package org.trainyard.env.synchronisation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Times to a loss, and those that ADSP's authors published beside them. */
class TimeToTargetTest {
    private static final StatisticalEfficiency OURS = StatisticalEfficiency.OURS;
    private static final LossCurve CURVE = new LossCurve(1e-3, 2, 0.1);

    private static double time(String label, UnevenWorkers workers) {
        SynchronisationModel model = Objects.requireNonNull(SynchronisationModel.parse(label));
        return TimeToTarget.of(model, workers, OURS, CURVE, 0.2);
    }

    @Test
    void a_steady_model_takes_its_effective_steps_over_its_pace() {
        UnevenWorkers workers = UnevenWorkers.of(0.5, 1, 1, 1 / 3.0);
        // 8000 effective steps at 3 steps in 3.5 s.
        assertThat(time("bsp", workers)).isCloseTo(8000 * 3.5 / 3, within(1e-6));
    }

    @Test
    void the_search_of_adsp_costs_less_than_it_gains_on_many_workers() {
        double[] speeds = new double[18];
        for (int i = 0; i < 18; i++) {
            speeds[i] = i < 9 ? 0.2 : 1;
        }
        UnevenWorkers workers = UnevenWorkers.of(0.5, speeds);
        double searched = time("adsp", workers);
        int best = SynchronisationModel.Adsp.searched(workers, OURS);
        assertThat(searched).isGreaterThan(time("adsp:" + best, workers)).isLessThan(time("adsp:1", workers));
        assertThat(searched).isLessThan(time("bsp", workers));
    }

    @Test
    void period_by_period_adacomm_takes_about_as_long_as_its_mean_pace_says() {
        UnevenWorkers workers = UnevenWorkers.of(4, 1, 1, 1 / 3.0);
        double bySteps =
                8000 / new SynchronisationModel.Adacomm().pace(workers, OURS).effectiveStepsPerSecond();
        assertThat(time("adacomm", workers)).isCloseTo(bySteps, within(0.03 * bySteps));
        assertThat(time("batch-tune:adacomm", workers)).isLessThan(time("adacomm", workers));
    }

    @Test
    void a_goal_below_the_last_loss_is_refused() {
        assertThatThrownBy(
                        () -> TimeToTarget.of(new SynchronisationModel.Bsp(), UnevenWorkers.of(0, 1), OURS, CURVE, 0.1))
                .hasMessageContaining("never falls to (0.1)");
    }

    /**
     * Two of ADSP's published rows give the speeds and the commit of its three workers; BSP's and Fixed ADACOMM's rows
     * then hold.
     */
    @Test
    void barriers_take_the_published_times_at_the_published_steps() {
        PublishedTimes published = PublishedTimes.INFERRED;
        assertThat(published.seconds(new SynchronisationModel.Bsp(), 5420)).isCloseTo(30336, within(0.005 * 30336));
        assertThat(published.seconds(new SynchronisationModel.FixedAdacomm(40), 8400))
                .isCloseTo(4901, within(0.03 * 4901));
    }

    /** Three workers inferred from the published rows of BSP, Fixed ADACOMM and ADSP. */
    private record PublishedTimes(UnevenWorkers workers) {
        static final PublishedTimes INFERRED = new PublishedTimes(UnevenWorkers.of(15.4, 2.2, 2.2, 2.2 / 3));

        double seconds(SynchronisationModel model, double steps) {
            return steps / model.pace(workers).stepsPerSecond();
        }
    }
}
