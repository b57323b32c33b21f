package org.trainyard.agents.heuristic.slots;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;

class SlotNetworkTest {
    private static final double[] ONE_GPU = {1};

    /** Two racks of two servers of four GPUs; links of one and a half rings. */
    private final SlotNetwork network = new SlotNetwork(
            new double[][] {{4}, {4}, {4}, {4}},
            new int[] {0, 0, 1, 1},
            new double[] {1.5, 1.5, 1.5, 1.5},
            new double[] {1.5, 1.5});

    @Test
    void a_ring_on_one_server_uses_no_link() {
        int[] embedding = Objects.requireNonNull(network.embed(ONE_GPU, 4, 100));
        assertThat(embedding).containsExactly(4, 0, 0, 0);
        network.take(ONE_GPU, embedding, 100);
        assertThat(network.serverLink(0)).isEqualTo(1.5);
        assertThat(network.links(embedding)).isZero();
    }

    @Test
    void a_ring_takes_its_bandwidth_on_each_uplink_and_a_second_one_finds_too_little() {
        int[] two = {2, 2, 0, 0};
        network.take(ONE_GPU, two, 1);

        assertThat(network.links(two)).isEqualTo(2);
        assertThat(network.serverLink(0)).isEqualTo(0.5);
        assertThat(network.serverLink(1)).isEqualTo(0.5);
        assertThat(network.serverLink(2)).isEqualTo(1.5);
        network.take(ONE_GPU, new int[] {0, 0, 2, 2}, 0);
        assertThat(network.embed(ONE_GPU, 4, 1))
                .as("only servers 2 and 3 have the bandwidth")
                .containsExactly(0, 0, 2, 2);
        network.take(ONE_GPU, new int[] {0, 0, 2, 2}, 1);
        assertThat(network.embed(ONE_GPU, 4, 1)).isNull();
        network.give(ONE_GPU, two, 1);
        assertThat(network.embed(ONE_GPU, 8, 1)).containsExactly(4, 4, 0, 0);
    }

    @Test
    void the_smallest_server_comes_first_then_one_rack_then_several() {
        network.take(ONE_GPU, new int[] {0, 2, 0, 0}, 0);
        assertThat(network.embed(ONE_GPU, 2, 1)).containsExactly(0, 2, 0, 0);
        assertThat(network.embed(ONE_GPU, 6, 1)).as("the rack with less room").containsExactly(4, 2, 0, 0);
        assertThat(network.embed(ONE_GPU, 7, 1)).containsExactly(0, 0, 4, 3);
        int[] wide = Objects.requireNonNull(network.embed(ONE_GPU, 10, 1));
        assertThat(wide).containsExactly(2, 0, 4, 4);
        assertThat(network.links(wide)).as("three servers and two racks").isEqualTo(5);
        network.take(ONE_GPU, wide, 1);
        assertThat(network.embed(ONE_GPU, 4, 1)).as("links are used up").isNull();
    }

    @Test
    void the_scarcest_resource_bounds_the_workers_of_a_server() {
        SlotNetwork mixed = new SlotNetwork(
                new double[][] {{4, 8}, {4, 32}}, new int[] {0, 0}, new double[] {1, 1}, new double[] {1});
        assertThat(mixed.room(0, new double[] {1, 4})).isEqualTo(2);
        assertThat(mixed.embed(new double[] {1, 4}, 4, 1)).containsExactly(0, 4);
        assertThat(mixed.embed(new double[] {1, 4}, 7, 1)).isNull();
    }
}
