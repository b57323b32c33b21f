package org.trainyard.env.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RingBeliefTest {
    private static final ServerInterior DGX = Interiors.named("dgx1v");

    private static Topology of(String... interiors) {
        Topology.Builder builder = new Topology.Builder("servers", Fabric.DEFAULT);
        for (String interior : interiors) {
            builder.rack(List.of(ServerSpec.ofV100(8).with(Interiors.named(interior))));
        }
        return builder.build();
    }

    @Test
    void who_believes_sees_the_same_links_with_other_bandwidths_and_the_truth_stays() {
        Topology truth = of("dgx1v", "pcie");
        Topology believed = truth.believed(interior -> set -> interior.name().equals("pcie") ? 50 : 5);

        assertThat(believed.inside().bytesPerSecond(0, 0b11)).isEqualTo(5e9);
        assertThat(believed.inside().of(0).overNvlink(0b11)).isFalse();
        assertThat(believed.inside().bytesPerSecond(1, 0b11)).isEqualTo(50e9);
        assertThat(believed.inside().of(1).overNvlink(0b11)).isTrue();
        assertThat(believed.inside().best(2)).isEqualTo(50);
        assertThat(believed.inside().worst(2)).isEqualTo(5);
        assertThat(believed.inside().of(0).links()).isEqualTo(DGX.links());
        assertThat(believed.inside().of(0)).isNotEqualTo(DGX);
        assertThat(believed.truth()).isSameAs(truth);
        assertThat(truth.inside().bytesPerSecond(0, 0b11)).isEqualTo(22e9);
        assertThat(believed.believed(interior -> set -> 7).truth()).isSameAs(truth);
    }

    @Test
    void all_sets_of_a_size_behind_a_switch_are_believed_alike() {
        Topology believed = of("uniform").believed(interior -> set -> 100 + set);
        assertThat(believed.inside().of(0).ring(0b1100))
                .isEqualTo(believed.inside().of(0).ring(0b11))
                .isEqualTo(103);
        assertThat(believed.inside().of(0).isSwitched()).isTrue();
    }

    @Test
    void who_is_told_nothing_takes_all_sets_of_a_server_for_alike() {
        Topology untold = of("dgx1v", "uniform").untold();
        assertThat(untold.inside().arePlain()).isTrue();
        assertThat(untold.inside().hasOwn(0)).isFalse();
        assertThat(untold.inside().bytesPerSecond(0, 0b10111))
                .isEqualTo(untold.fabric().nvlink().bytesPerSecond());
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void a_belief_that_is_no_bandwidth_is_refused(double bandwidth) {
        Topology truth = of("dgx1v");
        assertThatThrownBy(() -> truth.believed(interior -> set -> bandwidth))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be finite and above zero");
    }
}
