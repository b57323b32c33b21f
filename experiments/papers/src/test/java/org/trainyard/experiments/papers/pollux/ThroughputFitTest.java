package org.trainyard.experiments.papers.pollux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.workload.goodput.ThroughputParameters;
import org.trainyard.experiments.papers.pollux.ThroughputFit.Measurement;

class ThroughputFitTest {
    private static final ThroughputParameters TRUTH = new ThroughputParameters(0.1, 0.02, 0.4, 0.01, 0.1, 0.005, 1.6);

    private static Measurement measured(int nodes, int replicas, int batch) {
        return new Measurement(
                nodes, replicas, batch, TRUTH.computeSeconds(batch), TRUTH.stepSeconds(nodes, replicas, batch));
    }

    private static List<Measurement> everywhere() {
        List<Measurement> measured = new ArrayList<>();
        for (int batch : new int[] {4, 8, 16, 32}) {
            for (int replicas : new int[] {1, 2, 3, 4}) {
                measured.add(measured(1, replicas, batch));
            }
            for (int replicas : new int[] {2, 4, 8, 16, 32}) {
                measured.add(measured(Math.max(2, replicas / 4), replicas, batch));
            }
        }
        return measured;
    }

    @Test
    void exact_times_of_the_model_are_reproduced_to_a_percent() {
        ThroughputParameters fitted = ThroughputFit.to(everywhere());
        assertThat(ThroughputFit.error(TRUTH, everywhere())).isLessThan(1e-12);
        assertThat(ThroughputFit.error(fitted, everywhere())).isLessThan(0.01);
        assertThat(fitted.stepSeconds(16, 64, 8)).isCloseTo(TRUTH.stepSeconds(16, 64, 8), within(0.03));
    }

    @Test
    void one_measurement_leaves_half_of_compute_constant_and_synchronisation_free() {
        ThroughputParameters fitted = ThroughputFit.to(List.of(measured(1, 1, 8)));
        assertThat(fitted.alphaCompute()).isCloseTo(TRUTH.computeSeconds(8) / 2, within(1e-9));
        assertThat(fitted.computeSeconds(8)).isCloseTo(TRUTH.computeSeconds(8), within(1e-4));
        assertThat(fitted.syncSeconds(4, 16)).isLessThan(1e-6);
    }

    @Test
    void servers_that_were_never_spanned_are_assumed_a_tenth_slower_than_one() {
        ThroughputParameters fitted =
                ThroughputFit.to(List.of(measured(1, 1, 8), measured(1, 2, 8), measured(1, 4, 16)));
        assertThat(fitted.alphaLocal()).isPositive();
        assertThat(fitted.alphaNode()).isCloseTo(1.1 * fitted.alphaLocal(), within(1e-12));
        assertThat(fitted.betaNode()).isCloseTo(1.1 * fitted.betaLocal(), within(1e-12));
    }

    @Test
    void noise_on_the_times_moves_the_fit_by_about_as_much() {
        List<Measurement> noisy = new ArrayList<>();
        for (Measurement one : everywhere()) {
            double factor = noisy.size() % 2 == 0 ? 1.05 : 0.95;
            noisy.add(new Measurement(
                    one.nodes(),
                    one.replicas(),
                    one.localBatch(),
                    factor * one.computeSeconds(),
                    factor * one.stepSeconds()));
        }
        ThroughputParameters fitted = ThroughputFit.to(noisy);
        assertThat(ThroughputFit.error(fitted, noisy)).isBetween(0.05, 0.11);
        assertThat(ThroughputFit.error(fitted, everywhere())).isLessThan(0.08);
    }
}
