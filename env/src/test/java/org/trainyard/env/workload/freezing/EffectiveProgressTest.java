package org.trainyard.env.workload.freezing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.workload.goodput.BatchLimits;
import org.trainyard.env.workload.goodput.GoodputModel;
import org.trainyard.env.workload.goodput.GoodputProfile;
import org.trainyard.env.workload.goodput.PolluxApplications;
import org.trainyard.env.workload.goodput.ThroughputParameters;

class EffectiveProgressTest {
    private static final FreezingTerms STRICT = new FreezingTerms(0.03, 1, false);

    private static EffectiveProgress of(String application) {
        return new EffectiveProgress(
                Objects.requireNonNull(PolluxApplications.find(application)),
                Objects.requireNonNull(FreezableNetworks.find("pollux-" + application))
                        .under(STRICT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bert", "cifar10", "deepspeech2", "imagenet", "yolov3"})
    void without_frozen_layers_it_is_polluxs_goodput_exactly(String application) {
        EffectiveProgress progress = of(application);
        for (double at = 0; at <= 1; at += 0.05) {
            GoodputModel pollux =
                    progress.goodput().after(at * progress.goodput().iterations());
            for (int gpus = 1; gpus <= 16; gpus++) {
                for (int nodes = 1; nodes <= Math.min(4, gpus); nodes++) {
                    assertThat(progress.rate(0, at, nodes, gpus))
                            .isEqualTo(pollux.best(nodes, gpus).goodput());
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bert", "cifar10", "deepspeech2", "imagenet", "yolov3"})
    void the_initial_batch_is_fully_efficient_and_nothing_frozen_costs_nothing(String application) {
        EffectiveProgress progress = of(application);
        FreezingProfile freezing = progress.freezing();
        LayerShares shares = freezing.network().shares();
        for (int layers = 0; layers <= shares.mostLayers(); layers += shares.blockLayers()) {
            assertThat(freezing.frozen(progress.goodput(), layers)
                            .after(0)
                            .noise()
                            .efficiency(1))
                    .isEqualTo(1);
        }
        for (int stage = 0; stage < freezing.stages(); stage++) {
            assertThat(freezing.progressLeft(0, stage)).isEqualTo(1);
            assertThat(freezing.gradientShare(freezing.cap(stage), stage)).isLessThanOrEqualTo(0.03);
        }
    }

    /**
     * Gain by frozen layers of BERT at batch 64 on 1, 4 and 4 + 4 GPUs. Step times are those of the repository FrozenTraceAnalysis of gaow0007 (bert/frozen/WikiText2-bert/placements.csv),
     * the penalty is that of the last row of its gradient statistics.
     */
    @ParameterizedTest
    @CsvSource({
        "24,0.73772,0.64673,1.131", "48,0.73772,0.53971,1.347", "72,0.73772,0.43656,1.651",
        "24,0.76022,0.69196,1.090", "48,0.76022,0.61009,1.228", "72,0.76022,0.52959,1.403",
        "24,0.80324,0.71454,1.115", "48,0.80324,0.62948,1.258", "72,0.80324,0.55452,1.416"
    })
    void gains_at_measured_step_times_are_those_of_the_measured_penalty(
            int layers, double activeSeconds, double frozenSeconds, double gain) {
        FreezingProfile bert =
                Objects.requireNonNull(FreezableNetworks.find("bert")).under(STRICT);
        assertThat(activeSeconds / frozenSeconds * bert.progressLeft(layers, bert.stage(1)))
                .isCloseTo(gain, within(0.001));
    }

    /** Step times of BERT at batch 64 on one GPU are linear in the frozen part: 0.306 + 0.439 (1 - k / L) s. */
    private static EffectiveProgress linear(int layers, DoubleStream gradientShares) {
        List<Double> parts =
                IntStream.range(0, layers).mapToObj(k -> (double) k / layers).toList();
        List<Double> shares = gradientShares.boxed().toList();
        GradientEnergy energy = new GradientEnergy.Measured(
                List.of(0.01, 1.0), List.of(1.0, 1.0), 1, List.of(shares, shares), List.of(shares, shares));
        LayerShares evenly = new LayerShares(layers, 1, parts, parts);
        return new EffectiveProgress(
                new GoodputProfile(
                        new ThroughputParameters(0.306, 0.439 / 64, 0, 0, 0, 0, 1),
                        new BatchLimits(64, 64, 64, 64),
                        1000,
                        0),
                new FreezableNetwork("linear", evenly, energy, 1, List.of()).under(new FreezingTerms(1, 1, true)));
    }

    /** The maximum of (1 - x^2 / 2) / (0.745 - 0.439 x) is 1.7289 at x = 0.7590; it is 1.3423 at 0. */
    @Test
    void it_rises_in_the_frozen_part_up_to_the_optimum_and_falls_beyond() {
        int layers = 1000;
        EffectiveProgress progress = linear(
                layers,
                IntStream.range(1, layers).mapToDouble(k -> (double) k / layers).map(x -> x * x / 2));
        int best = IntStream.range(0, layers)
                .boxed()
                .max((a, b) -> Double.compare(progress.rate(a, 0.5, 1, 1), progress.rate(b, 0.5, 1, 1)))
                .orElseThrow();
        assertThat((double) best / layers).isCloseTo(0.7590, within(0.001));
        assertThat(progress.rate(best, 0.5, 1, 1) / 64).isCloseTo(1.7289, within(5e-5));
        assertThat(progress.rate(0, 0.5, 1, 1) / 64).isCloseTo(1.3423, within(5e-5));
        for (int k = 1; k < layers; k++) {
            double step = progress.rate(k, 0.5, 1, 1) - progress.rate(k - 1, 0.5, 1, 1);
            if (Math.abs(k - best) > 1) {
                assertThat(step > 0).as("step to %d", k).isEqualTo(k < best);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bert", "cifar10", "yolov3", "deepspeech2"})
    void more_frozen_layers_never_lower_the_throughput_and_never_raise_the_progress_left(String application) {
        EffectiveProgress progress = of(application);
        FreezingProfile freezing = progress.freezing();
        LayerShares shares = freezing.network().shares();
        for (int layers = shares.blockLayers(); layers <= shares.mostLayers(); layers += shares.blockLayers()) {
            int fewer = layers - shares.blockLayers();
            ThroughputParameters times =
                    freezing.frozen(progress.goodput(), layers).throughput();
            ThroughputParameters longer =
                    freezing.frozen(progress.goodput(), fewer).throughput();
            for (int gpus = 1; gpus <= 16; gpus++) {
                assertThat(times.iterationSeconds(Math.min(gpus, 4), gpus, 16, 1))
                        .isLessThanOrEqualTo(longer.iterationSeconds(Math.min(gpus, 4), gpus, 16, 1));
            }
            for (int stage = 0; stage < freezing.stages(); stage++) {
                assertThat(freezing.progressLeft(layers, stage))
                        .isLessThanOrEqualTo(freezing.progressLeft(fewer, stage));
            }
        }
    }
}
