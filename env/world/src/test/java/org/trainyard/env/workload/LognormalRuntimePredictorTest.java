package org.trainyard.env.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.env.workload.generator.ModelCatalog;

class LognormalRuntimePredictorTest {
    private static final int JOBS = 4000;
    private final Workload workload = workload();

    private static Workload workload() {
        List<JobSpec> jobs = new ArrayList<>();
        double[] work = new double[JOBS];
        for (int id = 0; id < JOBS; id++) {
            jobs.add(new JobSpec(
                    id, "job" + id, id, 1, ModelCatalog.standard().profiles().get(0), 2));
            work[id] = 100.0 + id;
        }
        return new Workload(jobs, work);
    }

    private double[] logErrors(double sigma, long seed) {
        RuntimePredictor predictor = RuntimePredictor.lognormal(workload, sigma, seed);
        return IntStream.range(0, JOBS)
                .mapToDouble(id -> Math.log(predictor.predictSeconds(workload.job(id)) / workload.trueIdealSeconds(id)))
                .toArray();
    }

    @Test
    void errors_have_the_median_and_the_spread_asked_for() {
        double[] errors = logErrors(0.5, 3);
        double square =
                Arrays.stream(errors).map(error -> error * error).average().orElseThrow();
        assertThat(Math.sqrt(square)).isCloseTo(0.5, within(0.02));
        Arrays.sort(errors);
        assertThat(errors[JOBS / 2]).isCloseTo(0, within(0.03));
    }

    @Test
    void without_spread_it_is_the_oracle() {
        assertThat(logErrors(0, 3)).containsOnly(0.0);
    }

    @Test
    void a_job_draws_the_same_number_under_every_sigma_and_in_any_order() {
        double[] small = logErrors(0.25, 3);
        double[] large = logErrors(1, 3);
        for (int id = 0; id < JOBS; id++) {
            assertThat(large[id]).isCloseTo(4 * small[id], within(1e-9));
        }
        RuntimePredictor alone = RuntimePredictor.lognormal(workload, 1, 3);
        assertThat(Math.log(alone.predictSeconds(workload.job(77)) / workload.trueIdealSeconds(77)))
                .isEqualTo(large[77]);
        assertThat(logErrors(1, 4)).isNotEqualTo(large);
    }

    @Test
    void a_spread_that_is_none_is_refused() {
        assertThatThrownBy(() -> RuntimePredictor.lognormal(workload, -0.1, 1)).hasMessageContaining("(-0.1)");
        assertThatThrownBy(() -> RuntimePredictor.lognormal(workload, Double.NaN, 1))
                .hasMessageContaining("(NaN)");
    }
}
