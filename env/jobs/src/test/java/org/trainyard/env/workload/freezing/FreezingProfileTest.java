package org.trainyard.env.workload.freezing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.workload.goodput.GoodputProfile;
import org.trainyard.env.workload.goodput.PolluxApplications;

class FreezingProfileTest {
    private static final FreezableNetwork EVEN = Objects.requireNonNull(FreezableNetworks.find("some model"));

    @Test
    void a_frozen_layer_needs_no_backward_pass_and_with_a_cache_no_forward_pass() {
        FreezingProfile plain = EVEN.under(new FreezingTerms(0.03, 1, false));
        FreezingProfile cached = EVEN.under(new FreezingTerms(0.03, 1, true));
        assertThat(plain.computeLeft(10)).isCloseTo(2.0 / 3, within(1e-12));
        assertThat(cached.computeLeft(10)).isCloseTo(0.5, within(1e-12));
        assertThat(plain.gradientsLeft(10)).isCloseTo(0.5, within(1e-12));
        assertThat(plain.computeLeft(0)).isEqualTo(1);
        assertThat(plain.gradientsLeft(0)).isEqualTo(1);
    }

    @Test
    void only_whole_blocks_of_front_layers_can_be_frozen() {
        FreezingProfile bert =
                Objects.requireNonNull(FreezableNetworks.find("bert")).under(FreezingTerms.DEFAULT);
        assertThat(bert.wholeBlocks(66.9)).isEqualTo(64);
        assertThat(bert.wholeBlocks(103)).isEqualTo(72);
        assertThat(bert.wholeBlocks(-1)).isZero();
        assertThat(bert.allows(64)).isTrue();
        assertThat(bert.allows(65)).isFalse();
        assertThat(bert.allows(80)).isFalse();
        assertThatThrownBy(() -> bert.computeLeft(65)).hasMessageContaining("65");
    }

    @Test
    void front_layers_converge_first_so_that_the_cap_grows_with_the_training() {
        FreezingProfile even = EVEN.under(FreezingTerms.DEFAULT);
        assertThat(even.cap(0)).isZero();
        int before = 0;
        for (int stage = 0; stage < even.stages(); stage++) {
            assertThat(even.cap(stage)).isGreaterThanOrEqualTo(before);
            before = even.cap(stage);
        }
        assertThat(before).isGreaterThan(10);
    }

    /** At progress 0.5 of 20 layers, those up to the 11th have converged: at 0.045 times their number. */
    @Test
    void the_energy_of_a_layer_falls_exponentially_once_it_has_converged() {
        double frozen = 0;
        double all = 0;
        for (int layer = 1; layer <= 20; layer++) {
            double energy = Math.exp(-10 * Math.max(0, 0.505 - 0.045 * layer));
            frozen += layer <= 6 ? energy : 0;
            all += energy;
        }
        FreezingProfile half = EVEN.under(new FreezingTerms(0.03, 0.5, false));
        assertThat(half.gradientShare(6, 50)).isCloseTo(frozen / all, within(1e-12));
        assertThat(half.penalty(6, 50)).isCloseTo(0.5 * frozen / all, within(1e-12));
        assertThat(half.progressLeft(6, 50)).isCloseTo(1 - 0.5 * frozen / all, within(1e-12));
    }

    @Test
    void measured_energies_are_those_of_the_table_and_lie_between_its_rows_and_columns() {
        GradientEnergy energy =
                Objects.requireNonNull(FreezableNetworks.find("bert")).energy();
        assertThat(energy.upTo(72, 103, 1) / energy.upTo(103, 103, 1)).isCloseTo(0.0228, within(1e-12));
        assertThat(energy.upTo(103, 103, 0.5)).isCloseTo(1.915, within(1e-12));
        assertThat(energy.varianceShare(72, 103, 1)).isCloseTo(0.0127, within(1e-12));
        double between = energy.upTo(20, 103, 0.625) / energy.upTo(103, 103, 0.625);
        assertThat(between).isCloseTo((0.0060 + 0.0086 + 0.0058 + 0.0083) / 4, within(1e-12));
        assertThat(energy.upTo(72, 103, 0) / energy.upTo(103, 103, 0)).isCloseTo(72.0 / 103, within(1e-12));
    }

    /**
     * Gain by frozen layers of BERT at batch 64 on 1, 4 and 4 + 4 GPUs. Step times are those of the repository
     * FrozenTraceAnalysis of gaow0007 (bert/frozen/WikiText2-bert/placements.csv), the penalty is that of the last row
     * of its gradient statistics.
     */
    @ParameterizedTest
    @CsvSource({
        "24,0.73772,0.64673,1.131",
        "48,0.73772,0.53971,1.347",
        "72,0.73772,0.43656,1.651",
        "72,0.76022,0.52959,1.403",
        "72,0.80324,0.55452,1.416"
    })
    void gains_at_measured_step_times_are_those_of_the_measured_penalty(
            int layers, double activeSeconds, double frozenSeconds, double gain) {
        FreezingProfile bert =
                Objects.requireNonNull(FreezableNetworks.find("bert")).under(new FreezingTerms(0.03, 1, false));
        assertThat(activeSeconds / frozenSeconds * bert.progressLeft(layers, bert.stage(1)))
                .isCloseTo(gain, within(0.001));
    }

    @Test
    void noise_is_that_of_the_active_layers() {
        GoodputProfile goodput = Objects.requireNonNull(PolluxApplications.find("bert"));
        FreezingProfile bert =
                Objects.requireNonNull(FreezableNetworks.find("pollux-bert")).under(FreezingTerms.DEFAULT);
        double full = goodput.after(14000).noise().variance();
        double frozen = bert.frozen(goodput, 72).after(14000).noise().variance();
        // The last tenth, at its middle: between the rows of 0.75 and 1.
        double energy = 0.0232 + 0.8 * (0.0228 - 0.0232);
        double variance = 0.0146 + 0.8 * (0.0127 - 0.0146);
        assertThat(frozen / full).isCloseTo((1 - variance) / (1 - energy), within(1e-9));
    }

    @Test
    void terms_read_back_as_they_are_written_and_others_are_refused() {
        for (FreezingTerms terms : List.of(FreezingTerms.DEFAULT, new FreezingTerms(1e-5, 0.25, true))) {
            assertThat(FreezingTerms.parse(terms.label())).isEqualTo(terms);
        }
        for (String other : List.of("", "0.03", "0.03:", "2:1", "0.03:1.5", "0.03:1:cached", "-0.1:1", "1.2.3:1")) {
            assertThat(FreezingTerms.parse(other)).as(other).isNull();
        }
    }

    @Test
    void learning_rate_drops_are_found_between_two_times() {
        FreezingProfile resnet =
                Objects.requireNonNull(FreezableNetworks.find("pollux-cifar10")).under(FreezingTerms.DEFAULT);
        assertThat(resnet.dropsBetween(0.4, 0.6)).isTrue();
        assertThat(resnet.dropsBetween(0.5, 0.6)).isFalse();
        assertThat(resnet.dropsBetween(0.4, 0.5)).isTrue();
    }
}
