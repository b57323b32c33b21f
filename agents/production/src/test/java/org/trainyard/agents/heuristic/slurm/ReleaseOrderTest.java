package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nodes of which the first is usable now, the last never, and the others in pairs with each end, the last pair first.
 */
class ReleaseOrderTest {
    /** How many nodes are usable in the end: around the 64 of a word, and the 64 between two sets that are kept. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 63, 65, 127, 129})
    void nodes_become_usable_in_the_order_of_their_ends(int count) {
        int ends = count / 2;
        int[] endOf = new int[count + 1];
        for (int node = 1; node < count; node++) {
            endOf[node] = ends - 1 - (node - 1) / 2;
        }
        endOf[0] = -1;
        endOf[count] = ReleaseOrder.NEVER;

        ReleaseOrder order = new ReleaseOrder(endOf, ends);

        BitSet all = new BitSet();
        all.set(0, count + 1);
        long[] among = all.toLongArray();
        assertThat(order.endWith(among, 1)).isEqualTo(-1);
        assertThat(order.usable(among, -1)).hasToString("{0}");
        assertThat(order.endWith(among, count + 1)).isEqualTo(ReleaseOrder.NEVER);
        for (int end = 0; end < ends; end++) {
            assertThat(order.endWith(among, 2 * end + 2)).isEqualTo(end);
            assertThat(order.endWith(among, 2 * end + 3)).isEqualTo(end);
            BitSet usable = new BitSet();
            usable.set(0);
            usable.set(count - 2 * (end + 1), count);
            assertThat(order.usable(among, end)).isEqualTo(usable);
        }
    }

    /** As many nodes as a set that is kept has, and one less and more, all usable at the end of the same job. */
    @ParameterizedTest
    @ValueSource(ints = {63, 64, 65, 128})
    void nodes_that_one_end_makes_usable_are_so_at_once(int count) {
        int[] endOf = new int[count];
        Arrays.fill(endOf, 2);
        BitSet all = new BitSet();
        all.set(0, count);
        long[] among = all.toLongArray();

        ReleaseOrder order = new ReleaseOrder(endOf, 3);

        assertThat(order.endWith(among, 1)).isEqualTo(2);
        assertThat(order.endWith(among, count)).isEqualTo(2);
        assertThat(order.endWith(among, count + 1)).isEqualTo(ReleaseOrder.NEVER);
        assertThat(order.usable(among, 1)).isEqualTo(new BitSet());
        assertThat(order.usable(among, 2)).isEqualTo(all);
    }
}
