package org.trainyard.env.scheduling.gang;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The three cheapest sets of at most two servers. */
class CheapestSetsTest {
    private final CheapestSets kept = new CheapestSets(3, 2);

    /** Offers servers of which one GPU each is taken. */
    private void offer(double cost, long order, int... servers) {
        kept.offer(servers, new int[] {1, 1}, servers.length, cost, order, 1 + cost, cost / 2);
    }

    private List<List<Integer>> servers() {
        return IntStream.range(0, kept.size())
                .mapToObj(set -> IntStream.range(0, kept.width(set))
                        .mapToObj(i -> kept.server(set, i))
                        .toList())
                .toList();
    }

    @Test
    void the_cheapest_come_first_and_of_equals_those_of_the_lower_order_and_the_dearest_goes() {
        offer(3, 1, 30);
        offer(2, 5, 25);
        offer(2, 4, 24);
        offer(2, 6, 26);
        offer(1, 9, 10, 11);

        assertThat(servers()).containsExactly(List.of(10, 11), List.of(24), List.of(25));
        assertThat(kept.cost(0)).isEqualTo(1);
        assertThat(kept.own(0)).isEqualTo(2);
        assertThat(kept.harm(0)).isEqualTo(0.5);
        assertThat(kept.cost(2)).isEqualTo(2);
        assertThat(kept.own(2)).isEqualTo(3);
        assertThat(kept.harm(2)).isEqualTo(1);
        assertThat(List.of(kept.has(9), kept.has(4), kept.has(5), kept.has(6), kept.has(1)))
                .containsExactly(true, true, true, false, false);
        kept.clear();
        assertThat(kept.size()).isZero();
        assertThat(kept.has(9)).isFalse();
    }

    @Test
    void nothing_is_too_dear_while_there_is_room_and_then_what_would_be_behind_the_last() {
        offer(1, 1, 1);
        offer(2, 2, 2);
        assertThat(kept.isTooDear(1e9, 9)).isFalse();
        offer(3, 3, 3);

        assertThat(kept.isTooDear(3, 4)).isTrue();
        assertThat(kept.isTooDear(3, 3)).isTrue();
        assertThat(kept.isTooDear(3, 2)).isFalse();
        assertThat(kept.isTooDear(2.9, 9)).isFalse();
        assertThat(kept.isTooDear(3.1, 0)).isTrue();
    }

    @Test
    void a_set_that_is_offered_twice_at_one_cost_is_kept_once_in_whatever_order_its_servers_are() {
        offer(1, 1, 7, 8);
        offer(1, 2, 8, 7);
        assertThat(servers()).containsExactly(List.of(7, 8));

        offer(1, 3, 7, 9);
        assertThat(servers()).containsExactly(List.of(7, 8), List.of(7, 9));
        kept.offer(new int[] {7, 8}, new int[] {1, 2}, 2, 1, 4, 1, 0);
        assertThat(kept.size()).as("with another number of GPUs").isEqualTo(3);
        assertThat(kept.taken(2, 1)).isEqualTo(2);
    }

    @Test
    void a_set_counts_again_at_another_cost_with_fewer_servers_or_with_other_gpus() {
        int[] one = {5};
        int[] two = {2};
        kept.offer(one, two, 1, 1, 1, 1, 0, 0b011, 1.5);
        kept.offer(one, two, 1, 1, 2, 1, 0, 0b011, 1.5);
        assertThat(kept.size()).isOne();
        kept.offer(one, two, 1, 1, 3, 1, 0, 0b110, 1.25);
        kept.offer(one, two, 1, 0.5, 4, 1, 0, 0b011, 1.75);

        assertThat(List.of(kept.mask(0), kept.mask(1), kept.mask(2))).containsExactly(0b011L, 0b011L, 0b110L);
        assertThat(List.of(kept.ring(0), kept.ring(1), kept.ring(2))).containsExactly(1.75, 1.5, 1.25);
        assertThat(kept.gpu(0)).isEqualTo(CheapestSets.ANY);
        assertThat(kept.taken(2, 0)).isEqualTo(2);
    }

    @Test
    void a_set_is_found_among_several_that_cost_the_same_but_not_among_cheaper_ones() {
        offer(1, 1, 1);
        offer(2, 2, 2);
        offer(2, 3, 3);
        offer(2, 0, 2);

        assertThat(servers()).containsExactly(List.of(1), List.of(2), List.of(3));
        offer(0.5, 4, 2);
        assertThat(servers()).containsExactly(List.of(2), List.of(1), List.of(2));
    }

    @Test
    void single_gpus_stand_beside_sets_and_take_no_more_of_their_servers() {
        kept.offer(new int[] {4, 6}, new int[] {3, 2}, 2, 2, 1, 1.5, 0.25, 0b111, 1.5);
        kept.offerGpu(9, 37, 1, 2, 1.125, 0.5);
        kept.offerGpu(9, 38, 2, 0, 1, 0);
        kept.offerGpu(9, 39, 2, 5, 1, 0);

        List<String> all = new ArrayList<>();
        for (int set = 0; set < kept.size(); set++) {
            all.add("GPU %d of %d x %d, %d servers, mask %d, ring %s, own %s, harm %s"
                    .formatted(
                            kept.gpu(set),
                            kept.server(set, 0),
                            kept.taken(set, 0),
                            kept.width(set),
                            kept.mask(set),
                            kept.ring(set),
                            kept.own(set),
                            kept.harm(set)));
        }
        assertThat(all)
                .containsExactly(
                        "GPU 37 of 9 x 1, 1 servers, mask 0, ring 1.0, own 1.125, harm 0.5",
                        "GPU 38 of 9 x 1, 1 servers, mask 0, ring 1.0, own 1.0, harm 0.0",
                        "GPU -1 of 4 x 3, 2 servers, mask 7, ring 1.5, own 1.5, harm 0.25");
        kept.offerGpu(8, 40, 1.5, 9, 1, 0);
        assertThat(List.of(kept.gpu(0), kept.gpu(1), kept.gpu(2))).containsExactly(37, 40, 38);
    }
}
