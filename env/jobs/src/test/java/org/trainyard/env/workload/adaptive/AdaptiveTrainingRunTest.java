package org.trainyard.env.workload.adaptive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdaptiveTrainingRunTest {
    /** The run of a text such as {@code LM (batch size 20), gns, 44321 steps}. */
    private static @Nullable AdaptiveTrainingRun of(String text, int gpus) {
        String[] parts = text.split(", ", -1);
        return AdaptiveTrainingRun.of(
                parts[0],
                AdaptiveTrainingRun.Mode.valueOf(parts[1].toUpperCase(Locale.ROOT)),
                Long.parseLong(parts[2].replace(" steps", "")),
                gpus);
    }

    private static AdaptiveTrainingRun run(String text, int gpus) {
        return Objects.requireNonNull(of(text, gpus), text);
    }

    @Test
    void a_static_run_takes_its_steps_over_its_rate() {
        AdaptiveTrainingRun run = run("LM (batch size 20), static, 50000 steps", 1);
        // 8,166 whole steps in each lease of 120 s, six of them, and 1,004 steps more.
        assertThat(run.seconds()).isCloseTo(6 * 120 + 1004 / 68.054051, within(1e-9));
        assertThat(run.changes()).isZero();
        assertThat(run.stepsPerSecond(300)).isEqualTo(68.054051);
        assertThat(run.stepsLeft(100)).isCloseTo(50000 - 6805.4051, within(1e-9));
    }

    /**
     * The first job of Shockwave's trace of 120 jobs runs without a break from time 0 and is done at 1,182.6125 s in
     * the artifact's simulator, where leases are shorter than 120 s by what whole steps leave over.
     */
    @Test
    void a_gns_run_takes_as_long_as_in_the_published_simulator() {
        AdaptiveTrainingRun run = run("LM (batch size 10), gns, 134583 steps", 1);
        assertThat(run.seconds()).isCloseTo(1182.6125, within(0.1));
        assertThat(run.changes()).isEqualTo(1);
        assertThat(run.stepsPerSecond(0)).isEqualTo(94.910941);
        assertThat(run.stepsPerSecond(1182)).isEqualTo(68.054051);
    }

    @ParameterizedTest
    @CsvSource({
        "LM (batch size 5), gns, 500000, 2",
        "ResNet-18 (batch size 16), gns, 400000, 1",
        "ResNet-18 (batch size 64), accordion, 200000, 1",
        "ResNet-50 (batch size 16), accordion, 300000, 1",
        "Recommendation (batch size 512), accordion, 300000, 1",
    })
    void adapting_shortens_a_run_and_ends_it_after_as_many_epochs(String type, String mode, int steps, int gpus) {
        AdaptiveTrainingRun adaptive = run("%s, %s, %d steps".formatted(type, mode, steps), gpus);
        AdaptiveTrainingRun fixed = run("%s, static, %d steps".formatted(type, steps), gpus);
        assertThat(adaptive.changes()).isPositive();
        assertThat(adaptive.seconds()).isLessThan(fixed.seconds());
        assertThat(adaptive.stepsLeft(adaptive.seconds())).isCloseTo(1, within(1e-6));
    }

    @ParameterizedTest
    @CsvSource({"LM (batch size 80), gns", "Transformer (batch size 16), accordion", "LM (batch size 5), static"})
    void a_run_that_cannot_or_does_not_adapt_goes_on_as_it_began(String type, String mode) {
        AdaptiveTrainingRun run = run("%s, %s, 9000 steps".formatted(type, mode), 1);
        assertThat(run.changes()).isZero();
        assertThat(run.stepsPerSecond(1e9)).isEqualTo(run.stepsPerSecond(0));
    }

    /** Accordion goes back to its first batch size when another critical stretch begins: 10 of every 30 epochs. */
    @Test
    void resnet_50_goes_to_and_fro_under_accordion() {
        AdaptiveTrainingRun run = run("ResNet-50 (batch size 64), accordion, 150000 steps", 4);
        assertThat(run.changes()).isGreaterThan(3);
        double seconds = 0;
        int slow = 0;
        for (; seconds < run.seconds(); seconds += 120) {
            slow += run.stepsPerSecond(seconds) == 6.0903427 ? 1 : 0;
        }
        assertThat(slow * 120 / seconds).isBetween(0.5, 0.75);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nightly, gns, 100 steps",
                "LM (batch size 21), gns, 100 steps",
                "GPT (batch size 20), gns, 100 steps",
                "LM (batch size 20), gns, 999999999999999 steps",
                "LM (batch size 99999999999), gns, 5 steps"
            })
    void what_describes_no_run_that_is_known_is_none(String text) {
        assertThat(of(text, 1)).isNull();
    }

    @Test
    void rates_hold_for_some_numbers_of_gpus_only() {
        assertThat(of("LM (batch size 20), gns, 100 steps", 3)).isNull();
        assertThat(of("Recommendation (batch size 512), gns, 100 steps", 2)).isNull();
    }
}
