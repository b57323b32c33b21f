package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.JobSlots;

class EventQueueTest {
    private record Entry(long time, long order, int job) {}

    private EventQueue queue = new EventQueue(JobSlots.ofNumbers());
    /** What the queue holds, by job. */
    private final TreeMap<Integer, Entry> expected = new TreeMap<>();

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void completions_come_out_by_time_and_ties_in_the_order_in_which_they_were_scheduled(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "queue");
        for (int change = 0; change < 5_000; change++) {
            int job = random.nextInt(300);
            // A copy goes on in the same order.
            queue = change % 1_000 == 500 ? saved(queue) : queue;
            switch (random.nextInt(6)) {
                case 0 -> {
                    queue.remove(job);
                    expected.remove(job);
                }
                case 1 -> {
                    if (!queue.isEmpty()) {
                        assertThat(queue.time())
                                .isEqualTo(Objects.requireNonNull(expected.get(queue.job()))
                                        .time());
                        assertThat(pop(queue)).isEqualTo(removeFirst());
                    }
                }
                default -> {
                    long time = random.nextInt(100);
                    queue.schedule(time, job);
                    expected.put(job, new Entry(time, change, job));
                }
            }
        }
        EventQueue loaded = saved(queue);

        List<Integer> popped = new ArrayList<>();
        while (!queue.isEmpty()) {
            int next = pop(queue);
            assertThat(pop(loaded)).isEqualTo(next);
            popped.add(next);
        }
        List<Integer> inOrder = new ArrayList<>();
        while (!expected.isEmpty()) {
            inOrder.add(removeFirst());
        }
        assertThat(popped).hasSizeGreaterThan(100).isEqualTo(inOrder);
        assertThat(loaded.isEmpty()).isTrue();
    }

    private static EventQueue saved(EventQueue queue) {
        EventQueue loaded = new EventQueue(JobSlots.ofNumbers());
        loaded.copy(queue);
        return loaded;
    }

    private int removeFirst() {
        Entry first = expected.values().stream()
                .min(Comparator.comparingLong(Entry::time).thenComparingLong(Entry::order))
                .orElseThrow();
        expected.remove(first.job());
        return first.job();
    }

    private static int pop(EventQueue from) {
        int job = from.job();
        from.pop();
        return job;
    }
}
