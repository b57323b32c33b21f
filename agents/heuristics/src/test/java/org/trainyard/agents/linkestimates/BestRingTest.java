package org.trainyard.agents.linkestimates;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongToDoubleFunction;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.topology.Interiors;
import org.trainyard.env.topology.ServerInterior;
import org.trainyard.env.topology.ServerInterior.Board;
import org.trainyard.env.topology.ServerInterior.NvLink;
import org.trainyard.env.topology.ServerInterior.Pcie;

class BestRingTest {
    @Test
    void the_formula_takes_the_narrowest_link_of_one_ring_or_pcie() {
        LongToDoubleFunction formula = BestRing.FORMULA.of(Interiors.named("dgx1v"));
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
}
