package org.trainyard.env.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongToDoubleFunction;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.topology.ServerInterior.Board;
import org.trainyard.env.topology.ServerInterior.NvLink;
import org.trainyard.env.topology.ServerInterior.Pcie;

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
    void the_formula_takes_the_narrowest_link_of_one_ring_or_pcie() {
        LongToDoubleFunction formula = BestRing.FORMULA.of(DGX);
        assertThat(formula.applyAsDouble(0b11111111))
                .as("one of three rings, of two lanes")
                .isEqualTo(44);
        assertThat(formula.applyAsDouble(0b10111)).as("PCIe across sockets").isEqualTo(10);
        assertThat(formula.applyAsDouble(0b11)).as("a pair with one lane").isEqualTo(22);
        assertThat(BestRing.FORMULA.of(Interiors.named("uniform")).applyAsDouble(0b111))
                .isEqualTo(130);
    }

    @Test
    void the_formula_is_the_widest_of_all_closed_paths() {
        RandomGenerator random = RandomStreams.stream(1, "test/rings");
        for (int i = 0; i < 30; i++) {
            List<NvLink> links = new ArrayList<>();
            for (int a = 0; a < 6; a++) {
                for (int b = a + 1; b < 6; b++) {
                    if (random.nextInt(3) > 0) {
                        links.add(new NvLink(a, b, 10 * (1 + random.nextInt(3))));
                    }
                }
            }
            ServerInterior interior =
                    ServerInterior.of("drawn", new Board(6, 6, 2, 0), new Pcie(4, 3, 2), links.toArray(NvLink[]::new));
            LongToDoubleFunction formula = BestRing.FORMULA.of(interior);
            for (int set = 1; set < 64; set++) {
                if (Integer.bitCount(set) > 1) {
                    List<Integer> members = new ArrayList<>();
                    for (int left = set; left != 0; left &= left - 1) {
                        members.add(Integer.numberOfTrailingZeros(left));
                    }
                    double widest = widest(interior, members, 1, Double.POSITIVE_INFINITY);
                    assertThat(formula.applyAsDouble(set)).isEqualTo(widest > 0 ? widest : interior.narrowestPcie(set));
                }
            }
        }
    }

    /** The widest closed path through all members whose first {@code fixed} are in place. */
    private static double widest(ServerInterior interior, List<Integer> members, int fixed, double soFar) {
        int size = members.size();
        if (fixed == size) {
            return Math.min(soFar, interior.nvlink(members.get(size - 1), members.get(0)));
        }
        double best = 0;
        for (int i = fixed; i < size; i++) {
            Collections.swap(members, fixed, i);
            double link = interior.nvlink(members.get(fixed - 1), members.get(fixed));
            best = Math.max(best, widest(interior, members, fixed + 1, Math.min(soFar, link)));
            Collections.swap(members, fixed, i);
        }
        return best;
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
        assertThat(believed.believed(BestRing.FORMULA).truth()).isSameAs(truth);
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
