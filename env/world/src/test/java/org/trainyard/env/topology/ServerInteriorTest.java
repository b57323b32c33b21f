package org.trainyard.env.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.topology.ServerInterior.Board;
import org.trainyard.env.topology.ServerInterior.NvLink;
import org.trainyard.env.topology.ServerInterior.Pcie;

class ServerInteriorTest {
    /** The bandwidth of sets and the number of sets that have it, by the size of the set. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dgx1v | 2 | {10=12, 22=8, 44=8}",
                "dgx1v | 3 | {10=48, 44=8}",
                "dgx1v | 4 | {10=62, 44=6, 88=2}",
                "dgx1v | 5 | {10=32, 44=24}",
                "dgx1v | 8 | {132=1}",
                "pairs | 2 | {20=24, 208=4}",
                "pairs | 3 | {20=56}",
                "pairs | 4 | {20=70}",
                "pairs | 5 | {20=56}",
                "pcie | 2 | {10=16, 20=8, 24=4}",
                "pcie | 3 | {10=48, 20=8}",
                "pcie | 4 | {10=68, 20=2}",
                "pcie | 5 | {10=56}",
                "pcie3 | 2 | {6=16, 10=8, 12=4}",
                "pcie3 | 4 | {6=68, 10=2}",
                "mi250x | 2 | {30=16, 37=4, 74=4, 148=4}",
                "mi250x | 3 | {30=56}",
                "mi250x | 4 | {30=66, 74=4}",
                "mi250x | 5 | {30=48, 74=8}",
                "minsky | 2 | {20=4, 40=2}",
                "minsky | 4 | {20=1}",
                "uniform | 5 | {130=56}",
            })
    void sets_have_the_bandwidth_of_their_rings(String name, int size, String expected) {
        assertThat(counts(Interiors.named(name), size)).hasToString(expected);
    }

    private static Map<Long, Integer> counts(ServerInterior interior, int size) {
        Map<Long, Integer> counts = new TreeMap<>();
        for (long mask = 0; mask < 1L << interior.gpus(); mask++) {
            if (Long.bitCount(mask) == size) {
                counts.merge(Math.round(interior.ring(mask)), 1, Integer::sum);
            }
        }
        return counts;
    }

    @Test
    void eight_gpus_of_a_dgx_1v_have_three_rings() {
        assertThat(Interiors.named("dgx1v").ring(0xff)).isEqualTo(3 * 2 * 22);
    }

    @Test
    void four_links_without_a_closed_path_are_no_ring() {
        ServerInterior dgx = Interiors.named("dgx1v");

        assertThat(dgx.ring(0b10111)).isEqualTo(10);
        assertThat(dgx.overNvlink(0b10111)).isFalse();
        assertThat(dgx.overNvlink(0b00111)).isTrue();
    }

    @Test
    void gpus_know_their_switch_and_socket() {
        ServerInterior dgx = Interiors.named("dgx1v");

        assertThat(dgx.switchOf(1)).isZero();
        assertThat(dgx.switchOf(2)).isOne();
        assertThat(dgx.socketOf(3)).isZero();
        assertThat(dgx.socketOf(4)).isOne();
        assertThat(dgx.nicSocket()).isZero();
        assertThat(dgx.nvlink(0, 3)).isEqualTo(44);
        assertThat(dgx.nvlink(3, 4)).isZero();
        assertThat(dgx.pcie(3, 4)).isEqualTo(10);
        assertThat(dgx.pcie(2, 3)).isEqualTo(12);
    }

    /** The rings are as many as a search without bounds finds that takes one link at a time. */
    @Test
    void rings_are_packed_as_an_exhaustive_search_packs_them() {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(53);
        for (int trial = 0; trial < 100; trial++) {
            int gpus = 3 + random.nextInt(3);
            int[][] widths = new int[gpus][gpus];
            List<NvLink> links = new ArrayList<>();
            for (int a = 0; a < gpus; a++) {
                for (int b = a + 1; b < gpus; b++) {
                    widths[a][b] = widths[b][a] = random.nextInt(3);
                    if (widths[a][b] > 0) {
                        links.add(new NvLink(a, b, widths[a][b]));
                    }
                }
            }
            ServerInterior interior = ServerInterior.of(
                    "random", new Board(gpus, 1, 1, 0), Pcie.flat(0.25), links.toArray(NvLink[]::new));
            int rings = mostRings(widths, gpus);
            assertThat(interior.ring((1L << gpus) - 1))
                    .as("links %s", links)
                    .isEqualTo(rings == 0 ? 0.25 : 2.0 * rings);
        }
    }

    private static int mostRings(int[][] widths, int gpus) {
        return mostRings(widths, new int[gpus], 1, gpus);
    }

    /** The most rings when the first of them begins with the given path. */
    private static int mostRings(int[][] widths, int[] path, int length, int gpus) {
        int last = path[length - 1];
        if (length == gpus) {
            if (widths[last][0] == 0) {
                return 0;
            }
            change(widths, path, -1);
            int most = 1 + mostRings(widths, new int[gpus], 1, gpus);
            change(widths, path, 1);
            return most;
        }
        int most = 0;
        for (int next = 1; next < gpus; next++) {
            boolean used = false;
            for (int i = 0; i < length; i++) {
                used |= path[i] == next;
            }
            if (!used && widths[last][next] > 0) {
                path[length] = next;
                most = Math.max(most, mostRings(widths, path, length + 1, gpus));
            }
        }
        return most;
    }

    private static void change(int[][] widths, int[] path, int by) {
        for (int i = 0; i < path.length; i++) {
            int a = path[i];
            int b = path[(i + 1) % path.length];
            widths[a][b] += by;
            widths[b][a] += by;
        }
    }

    @Test
    void what_is_no_interior_is_refused_by_name_and_value() {
        assertThatThrownBy(() -> Interiors.named("dgx9"))
                .hasMessageContaining("(dgx9) is none of the interiors [uniform");
        assertThatThrownBy(() -> Interiors.named("dgx1v", 4)).hasMessage("interior (dgx1v) has 8 GPUs, not (4)");
        assertThatThrownBy(() -> new NvLink(1, 1, 50)).hasMessage("link (1-1) must join two different GPUs");
        assertThatThrownBy(() -> new NvLink(0, 1, 0)).hasMessageContaining("NVLink (0.0 GB/s) must be finite");
        assertThatThrownBy(() -> ServerInterior.of("x", new Board(4, 2, 2, 0), Pcie.flat(1), new NvLink(0, 4, 1)))
                .hasMessage("link (0-4) must join two of the GPUs 0 to 3");
        assertThatThrownBy(() -> ServerInterior.of(
                        "x", new Board(4, 2, 2, 0), Pcie.flat(1), new NvLink(0, 1, 1), new NvLink(1, 0, 1)))
                .hasMessage("link (1-0) appears twice");
        assertThatThrownBy(() -> new Board(4, 3, 1, 0)).hasMessageContaining("switches (3) must divide");
        assertThatThrownBy(() -> Interiors.named("dgx1v").ring(1)).hasMessageContaining("at least 2");
    }
}
