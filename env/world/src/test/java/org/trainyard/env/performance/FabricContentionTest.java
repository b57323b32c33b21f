package org.trainyard.env.performance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.performance.contention.Contention;
import org.trainyard.env.performance.contention.LinkSharing;
import org.trainyard.env.topology.Links;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

/** Who meets whom over parallel uplinks, and what is left to each. */
class FabricContentionTest {
    private static final Contention.SjfBco LAW = new Contention.SjfBco(0.2, 1);
    private static final Contention FAIR = new Contention.MaxMin();

    private static Topology parse(String text) {
        return Objects.requireNonNull(Topologies.parse(text));
    }

    private static double gigabytes(Contention contention, Topology topology, Rings rings, int job) {
        return rings.bytesPerSecond(contention.on(topology), job) / 1e9;
    }

    @Test
    void rings_of_a_preset_share_three_uplinks() {
        // Racks of 4 NICs of 12.5 GB/s and 3 uplinks of 10.
        Topology small = Topologies.small();
        Rings three = new Rings(small).on(0, 4).on(1, 5).on(2, 6);
        Rings four = new Rings(small).on(0, 4).on(1, 5).on(2, 6).on(3, 7);

        assertThat(gigabytes(LAW, small, three, 0)).isEqualTo(10);
        assertThat(gigabytes(FAIR, small, three, 0)).isEqualTo(10);
        assertThat(gigabytes(LAW, small, four, 0)).isCloseTo(10 / (4 / 3.0 + 0.2 / 3), within(1e-12));
        assertThat(gigabytes(FAIR, small, four, 0)).isEqualTo(7.5);
    }

    @Test
    void what_a_ring_cannot_use_of_parallel_links_is_left_to_others() {
        // 2 NICs of 12.5 GB/s at 1:1 over 3 links of 10: the uplinks are never full, yet a ring gets 10 of them at
        // most.
        Topology clos = parse("leaf-spine:2x1x2x8@1");
        Rings rings = new Rings(clos).on(0, 2).on(0, 1).on(1, 1);

        assertThat(gigabytes(FAIR, clos, rings, 0)).isEqualTo(6.25);
        Rings alone = new Rings(clos).on(0, 2);
        assertThat(gigabytes(FAIR, clos, alone, 0)).isEqualTo(10);
        // Three rings at NIC 0 and four at NIC 1: the third has little there and leaves more to the first two.
        Rings shared = new Rings(clos).on(0, 2).on(0, 1).on(1, 3).on(1, 3).on(1, 3);
        assertThat(gigabytes(FAIR, clos, shared, 1)).isEqualTo(12.5 / 4);
        assertThat(gigabytes(FAIR, clos, shared, 0)).isEqualTo(12.5 - 12.5 / 4);
    }

    @Test
    void rings_in_a_fat_tree_meet_on_network_cards_alone() {
        Topology tree = parse("fat-tree:4x8");
        Rings rings = new Rings(tree).on(0, 8).on(1, 9).on(0, 15).on(2, 12);

        assertThat(gigabytes(LAW, tree, rings, 0)).isCloseTo(12.5 / 2.2, within(1e-12));
        assertThat(gigabytes(LAW, tree, rings, 1)).isEqualTo(12.5);
        assertThat(gigabytes(FAIR, tree, rings, 2)).isEqualTo(6.25);
        assertThat(gigabytes(FAIR, tree, rings, 3)).isEqualTo(12.5);
    }

    @Test
    void rings_in_a_leaf_spine_fabric_meet_on_oversubscribed_leaves() {
        // 8 NICs of 12.5 GB/s over 2 uplinks of 10, one to each spine.
        Topology clos = parse("leaf-spine:3x2x8x8@5");
        Rings rings =
                new Rings(clos).on(0, 8).on(1, 9).on(2, 16).on(3, 17).on(10, 18).on(4, 5);

        // Four leave leaf 0, three touch each of the others.
        assertThat(gigabytes(FAIR, clos, rings, 0)).isEqualTo(5);
        assertThat(gigabytes(FAIR, clos, rings, 4)).isEqualTo(10);
        assertThat(gigabytes(LAW, clos, rings, 0)).isCloseTo(10 / 2.2, within(1e-12));
        assertThat(gigabytes(LAW, clos, rings, 4)).isCloseTo(10 / (1.5 + 0.2 * 0.5), within(1e-12));
        assertThat(gigabytes(LAW, clos, rings, 5)).isEqualTo(12.5);
    }

    @ParameterizedTest
    @CsvSource({
        "small, 1",
        "small, 2",
        "2x6x16, 3",
        "leaf-spine:3x2x4x16@3, 4",
        "leaf-spine:2x2x8x16@4, 5",
        "fat-tree:4x16, 6"
    })
    void shares_fit_the_bundles_and_nobody_could_have_more_without_a_poorer_one_losing(String name, long seed) {
        Topology topology = parse(name);
        Links links = topology.links();
        RandomGenerator random = RandomStreams.stream(seed, "test/rings");
        for (int round = 0; round < 20; round++) {
            Rings rings = new Rings(topology);
            IntStream.range(0, 2 + random.nextInt(4))
                    .forEach(job -> rings.on(random.ints(1 + random.nextInt(4), 0, topology.servers())
                            .toArray()));
            LinkSharing sharing = FAIR.on(topology);
            double[] share = IntStream.range(0, rings.count())
                    .mapToDouble(job -> rings.bytesPerSecond(sharing, job))
                    .toArray();
            boolean[] held = new boolean[share.length];
            for (int job = 0; job < share.length; job++) {
                double most = links.mostFor(rings.placement(job));
                assertThat(share[job]).isLessThanOrEqualTo(most);
                held[job] = share[job] == most;
            }
            for (int link = 0; link < links.count(); link++) {
                hold(rings, links, link, share, held);
            }
            assertThat(held).as("all are held by a full link or by their own").doesNotContain(false);
        }
    }

    private static void hold(Rings rings, Links links, int link, double[] share, boolean[] held) {
        int[] users = IntStream.range(0, share.length)
                .filter(job -> links.passes(rings.placement(job), link))
                .toArray();
        double sum = IntStream.of(users).mapToDouble(job -> share[job]).sum();
        double most = IntStream.of(users).mapToDouble(job -> share[job]).max().orElse(0);
        double slack = 1e-9 * links.bytesPerSecond(link);
        if (users.length > 0) {
            assertThat(sum).isLessThanOrEqualTo(links.bytesPerSecond(link) + slack);
        }
        for (int job : users) {
            held[job] |= sum > links.bytesPerSecond(link) - slack && share[job] > most - slack;
        }
    }
}
