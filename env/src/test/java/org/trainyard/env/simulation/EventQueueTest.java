package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;

class EventQueueTest {
    private record Entry(long time, int job) {}

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void entries_come_out_by_time_and_ties_in_order_of_insertion(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "queue");
        EventQueue queue = new EventQueue();
        List<Entry> expected = new ArrayList<>();
        int[] versions = IntStream.range(7, 307).toArray();
        for (int job = 0; job < 300; job++) {
            long time = random.nextInt(40);
            queue.push(time, job, 7 + job, versions);
            expected.add(new Entry(time, job));
            if (random.nextInt(4) == 0) {
                expected.sort(Comparator.comparingLong(Entry::time));
                assertThat(pop(queue)).isEqualTo(expected.remove(0));
            }
        }
        expected.sort(Comparator.comparingLong(Entry::time));

        List<Entry> popped = new ArrayList<>();
        while (!queue.isEmpty()) {
            popped.add(pop(queue));
        }
        assertThat(popped).isEqualTo(expected);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void stale_entries_are_dropped_without_changing_the_order_of_the_rest(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "queue");
        EventQueue queue = new EventQueue();
        int[] versions = new int[40];
        long[] time = new long[40];
        long[] order = new long[40];
        for (int push = 0; push < 5_000; push++) {
            int job = random.nextInt(versions.length);
            time[job] = random.nextInt(1_000);
            order[job] = push;
            queue.push(time[job], job, ++versions[job], versions);
        }
        List<Integer> expected = IntStream.range(0, 40)
                .filter(job -> versions[job] > 0)
                .boxed()
                .sorted(Comparator.<Integer>comparingLong(job -> time[job]).thenComparingLong(job -> order[job]))
                .toList();

        List<Integer> popped = new ArrayList<>();
        int entries = 0;
        for (; !queue.isEmpty(); queue.pop()) {
            entries++;
            if (queue.version() == versions[queue.job()]) {
                popped.add(queue.job());
            }
        }
        assertThat(popped).isEqualTo(expected);
        assertThat(entries).as("5,000 were pushed").isLessThan(200);
    }

    private static Entry pop(EventQueue queue) {
        Entry entry = new Entry(queue.time(), queue.job());
        assertThat(queue.version()).isEqualTo(7 + queue.job());
        queue.pop();
        return entry;
    }
}
