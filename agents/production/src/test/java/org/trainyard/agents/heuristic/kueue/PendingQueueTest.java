package org.trainyard.agents.heuristic.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The order in which workloads are tried, and in which they give way. */
class PendingQueueTest {
    private static KueueWorkload workload(int id, long priority, long created, Object alike) {
        return new KueueWorkload(id, 0, priority, created, List.of(), alike);
    }

    private static List<Integer> taken(PendingQueue queue) {
        List<Integer> ids = new ArrayList<>();
        for (KueueWorkload next = queue.take(); next != null; next = queue.take()) {
            ids.add(next.id);
        }
        return ids;
    }

    @Test
    void the_highest_priority_comes_first_then_the_oldest_then_the_lowest_number() {
        PendingQueue queue = new PendingQueue(false, null);
        queue.add(workload(1, 0, 10, "a"));
        queue.add(workload(2, 5, 30, "b"));
        queue.add(workload(4, 5, 20, "d"));
        queue.add(workload(3, 5, 20, "c"));
        queue.add(workload(5, -1, 0, "e"));

        assertThat(taken(queue)).containsExactly(3, 4, 2, 1, 5);
        assertThat(queue.hasSomeToTry()).isFalse();
    }

    /** Workloads 1 and 2 are alike, 3 is not; 1 could not be admitted. */
    @ParameterizedTest
    @CsvSource({
        "false, false, false, 3",
        "true, false, false, 1 3",
        "false, true, false, 1 3",
        "false, false, true, 1 3"
    })
    void one_that_is_set_aside_takes_those_like_it_along(
            boolean strict, boolean displaced, boolean tryAgain, String then) {
        PendingQueue queue = new PendingQueue(strict, null);
        KueueWorkload first = workload(1, 0, 1, "same");
        queue.add(first);
        queue.add(workload(2, 0, 2, "same"));
        queue.add(workload(3, 0, 3, "other"));
        assertThat(queue.take()).isSameAs(first);

        queue.giveBack(first, displaced, tryAgain);

        assertThat(taken(queue).stream().map(String::valueOf)).containsExactly(then.split(" "));
    }

    @Test
    void those_that_are_set_aside_come_back_when_they_are_tried_again() {
        PendingQueue queue = new PendingQueue(false, null);
        queue.add(workload(1, 0, 1, "same"));
        queue.giveBack(Objects.requireNonNull(queue.take()), false, false);
        queue.add(workload(2, 9, 2, "same"));
        assertThat(queue.hasSomeToTry()).isFalse();

        queue.retry();
        assertThat(taken(queue)).containsExactly(2);
    }

    /**
     * It comes before all others, though its priority is lower, until it is admitted; a strict queue goes by priority.
     */
    @ParameterizedTest
    @CsvSource({"false, 1", "true, 2"})
    void one_that_displaced_others_is_tried_first(boolean strict, int next) {
        PendingQueue queue = new PendingQueue(strict, null);
        KueueWorkload first = workload(1, 0, 1, "a");
        queue.add(first);
        queue.giveBack(Objects.requireNonNull(queue.take()), true, false);
        queue.add(workload(2, 9, 2, "b"));

        KueueWorkload head = Objects.requireNonNull(queue.take());
        assertThat(head.id).isEqualTo(next);
        queue.giveBack(head, false, true);
        queue.remove(first);
        queue.add(first);
        assertThat(taken(queue)).containsExactly(2, 1);
    }

    @Test
    void the_next_one_like_an_admitted_workload_is_tried() {
        PendingQueue queue = new PendingQueue(false, null);
        queue.add(workload(1, 0, 1, "same"));
        queue.add(workload(2, 0, 2, "same"));

        KueueWorkload head = Objects.requireNonNull(queue.take());
        queue.remove(head);

        assertThat(head.id).isEqualTo(1);
        assertThat(taken(queue)).containsExactly(2);
    }

    /** Those already evicted, then of other queues, of low priority, admitted late, and of a low number. */
    @Test
    void workloads_give_way_in_an_order() {
        List<KueueWorkload> all = new ArrayList<>();
        long[][] given = {
            // number, queue, priority, admitted, evicted
            {1, 0, 0, 10, 0},
            {2, 0, 0, 20, 0},
            {3, 0, -1, 5, 0},
            {4, 1, 9, 1, 0},
            {5, 0, 9, 1, 1},
            {7, 1, 3, 4, 0},
            {6, 1, 3, 4, 0}
        };
        for (long[] one : given) {
            KueueWorkload workload = new KueueWorkload((int) one[0], (int) one[1], one[2], 0, List.of());
            workload.admittedNanos = one[3];
            workload.evicted = one[4] == 1;
            all.add(workload);
        }

        Comparator<KueueWorkload> order = PreemptionRule.order(0);

        assertThat(all.stream().sorted(order).map(workload -> workload.id)).containsExactly(5, 6, 7, 4, 3, 2, 1);
    }
}
