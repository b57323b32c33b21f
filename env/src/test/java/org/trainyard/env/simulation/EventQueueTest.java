package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
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
        for (int job = 0; job < 300; job++) {
            long time = random.nextInt(40);
            queue.push(time, job, 7 + job);
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

    private static Entry pop(EventQueue queue) {
        Entry entry = new Entry(queue.time(), queue.job());
        assertThat(queue.version()).isEqualTo(7 + queue.job());
        queue.pop();
        return entry;
    }
}
