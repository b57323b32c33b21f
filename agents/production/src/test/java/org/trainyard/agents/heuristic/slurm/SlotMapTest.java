package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trainyard.agents.heuristic.slurm.SlurmCases.nodes;

import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Plans on three nodes from 0 to 1000 s, in slots of at least 10 s: which nodes are free for a span, and when to try
 * later.
 */
class SlotMapTest {
    private final SlotMap map = new SlotMap(0, 1000, nodes(0, 1, 2), 10);

    private void plan(int node, long from, long to) {
        map.add(nodes(node), from, to);
    }

    /** The nodes that are left for a span, and the time at which to try again. */
    private String left(BitSet among, long from, long to) {
        long later = map.restrict(among, from, to);
        return "%s, then %d".formatted(among, later);
    }

    /** The first node is planned from 0 to 100 s, the second from 300 to 400 s. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "012 | 0 | 99 | {1, 2}, then 100",
                "012 | 0 | 299 | {1, 2}, then 100",
                "012 | 0 | 300 | {2}, then 100",
                "012 | 0 | 999 | {2}, then 100",
                "12 | 0 | 50 | {1, 2}, then 0",
                "12 | 0 | 150 | {1, 2}, then 400",
                "12 | 150 | 160 | {1, 2}, then 400",
                "12 | 150 | 300 | {2}, then 400",
                "12 | 100 | 299 | {1, 2}, then 400",
                "2 | 0 | 999 | {2}, then 0",
                "2 | 150 | 350 | {2}, then 0",
                "012 | 400 | 900 | {0, 1, 2}, then 0",
                "1 | 399 | 900 | {}, then 400",
                "01 | 350 | 900 | {0}, then 400"
            })
    void a_span_has_the_nodes_that_no_plan_holds_at_any_of_its_seconds(
            String among, long from, long to, String expected) {
        plan(0, 0, 100);
        plan(1, 300, 400);

        assertThat(left(nodes(among.chars().map(digit -> digit - '0').toArray()), from, to))
                .isEqualTo(expected);
    }

    /** The end of a plan that begins after the span, but in the next slot, is a time to try again, too. */
    @Test
    void a_plan_right_after_a_span_says_when_to_try_again() {
        plan(0, 100, 200);

        assertThat(left(nodes(0, 1), 0, 50)).isEqualTo("{0, 1}, then 200");
        assertThat(left(nodes(1), 0, 50)).isEqualTo("{1}, then 0");
        assertThat(left(nodes(0, 1), 0, 100)).isEqualTo("{1}, then 200");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 100, false",
        "0, 0, 101, true",
        "0, 199, 300, true",
        "0, 200, 300, false",
        "1, 0, 1000, false",
        "0, 120, 130, true",
        "0, 100, 100, false"
    })
    void plans_overlap_where_they_hold_a_node_at_once(int node, long from, long to, boolean overlap) {
        plan(0, 100, 200);

        assertThat(map.overlaps(nodes(node, 2), from, to)).isEqualTo(overlap);
    }

    /** A plan of no time holds its node for a slot; one that began before the first slot holds it from there on. */
    @Test
    void a_plan_holds_its_nodes_for_a_slot_at_least() {
        plan(0, 100, 100);
        plan(1, -50, 60);
        plan(2, 995, 2000);

        assertThat(left(nodes(0), 99, 99)).isEqualTo("{0}, then 110");
        assertThat(left(nodes(0), 100, 105)).isEqualTo("{}, then 110");
        assertThat(left(nodes(0), 110, 120)).isEqualTo("{0}, then 0");
        assertThat(left(nodes(1), 0, 0)).isEqualTo("{}, then 60");
        assertThat(left(nodes(1), 60, 70)).isEqualTo("{1}, then 0");
        assertThat(left(nodes(2), 990, 994)).isEqualTo("{2}, then 0");
        assertThat(left(nodes(2), 990, 995)).isEqualTo("{}, then 0");
    }

    /** Two plans that touch are of one slot: from amid the first, the node is free at the end of the second. */
    @Test
    void slots_of_plans_that_touch_are_merged() {
        plan(1, 100, 200);
        plan(1, 200, 300);

        assertThat(left(nodes(1), 150, 160)).isEqualTo("{}, then 300");
    }

    /**
     * A plan merges one pair of slots: of five plans in a row, the last in two gaps, three slots stay. From amid the
     * first the third is not seen, so there is no time to try again; a plan elsewhere merges none of them, one at their
     * end does.
     */
    @Test
    void each_plan_merges_one_pair_of_slots_around_it() {
        for (long from : new long[] {100, 300, 500, 200, 400}) {
            plan(1, from, from + 100);
        }
        assertThat(left(nodes(1), 150, 160)).isEqualTo("{}, then 0");
        assertThat(left(nodes(1), 450, 460)).isEqualTo("{}, then 600");

        plan(0, 0, 50);
        assertThat(left(nodes(1), 150, 160)).isEqualTo("{}, then 0");
        plan(1, 600, 700);
        assertThat(left(nodes(1), 150, 160)).isEqualTo("{}, then 0");
        assertThat(left(nodes(1), 450, 460)).isEqualTo("{}, then 700");
    }

    /** Of plans from 100 to 500 s in four parts, the last fills a gap: two slots stay, of which the second is seen. */
    @Test
    void a_plan_before_another_is_merged_with_it() {
        for (long from : new long[] {200, 100, 400, 300}) {
            plan(1, from, from + 100);
        }

        assertThat(left(nodes(1), 150, 160)).isEqualTo("{}, then 500");
    }
}
