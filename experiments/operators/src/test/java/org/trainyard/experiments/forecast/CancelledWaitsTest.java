package org.trainyard.experiments.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;

/**
 * Waits of four jobs until they were cancelled, 10, 20, 20 and 40 s, beside jobs that started after 5, 15, 20 and 30 s.
 */
class CancelledWaitsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long END = 1000 * SECOND;

    private static TraceJob job(long submit) {
        return new TraceJob("job", submit * SECOND, 1, SECOND, null, null, null, null);
    }

    private static CancelledWaits waits() {
        List<TraceJob> others = Stream.of(30L, 5L, 20L, 15L)
                .map(wait -> job(100).ran(new LoggedRun((100 + wait) * SECOND, 500 * SECOND)))
                .toList();
        List<TraceJob> jobs = new ArrayList<>(others);
        jobs.add(job(100));
        return new CancelledWaits(List.of(20 * SECOND, 40 * SECOND, 10 * SECOND, 20 * SECOND), jobs, END);
    }

    /** Draws numbers of a list, and keeps the number of outcomes that each had. */
    private static final class Drawn implements RandomGenerator {
        private final Deque<Integer> numbers;
        private final List<Integer> outcomes = new ArrayList<>();

        Drawn(List<Integer> numbers) {
            this.numbers = new ArrayDeque<>(numbers);
        }

        @Override
        public int nextInt(int bound) {
            outcomes.add(bound);
            return Math.min(bound - 1, numbers.remove());
        }

        @Override
        public long nextLong() {
            throw new AssertionError("no number without a bound is drawn");
        }
    }

    /**
     * Of those that waited as long: 3 that started later and all 4 at 10 s; then at 20 s, where one started too, 2 and
     * 3, and 2 and 2; the last at 40 s alone.
     */
    @Test
    void each_cancelled_wait_is_drawn_among_the_jobs_that_waited_as_long() {
        Drawn never = new Drawn(List.of(9, 9, 9, 9));

        assertThat(waits().drawNanos(job(1000), 1000 * SECOND, never)).isEqualTo(1040 * SECOND);
        assertThat(never.outcomes).containsExactly(7, 5, 4, 1);
    }

    /** A job that has waited for as long as others until they were cancelled has not been cancelled with them. */
    @ParameterizedTest
    @CsvSource({"0, 7, 10", "9, 7, 10", "10, 5, 20", "19, 5, 20", "20, 1, 40", "39, 1, 40"})
    void a_job_that_waits_is_cancelled_after_a_wait_that_is_longer_than_its_own(long waited, int outcomes, long after) {
        Drawn first = new Drawn(List.of(0));

        assertThat(waits().drawNanos(job(1000), (1000 + waited) * SECOND, first))
                .isEqualTo((1000 + after) * SECOND);
        assertThat(first.outcomes).containsExactly(outcomes);
    }

    @Test
    void a_job_that_has_waited_longest_is_never_cancelled_nor_one_where_nobody_cancels() {
        Drawn none = new Drawn(List.of());

        assertThat(waits().drawNanos(job(1000), 1040 * SECOND, none)).isEqualTo(Long.MAX_VALUE);
        assertThat(CancelledWaits.ENDLESS.drawNanos(job(1000), 1000 * SECOND, none))
                .isEqualTo(Long.MAX_VALUE);
        assertThat(none.outcomes).isEmpty();
    }

    @Test
    void jobs_that_wait_before_the_end_of_the_log_are_known_to_start() {
        assertThat(waits().endsAfter(END - 1)).isFalse();
        assertThat(waits().endsAfter(END)).isTrue();
        assertThat(new CancelledWaits(List.of(), List.of(), END).endsAfter(END)).isFalse();
        assertThat(CancelledWaits.ENDLESS.endsAfter(Long.MAX_VALUE)).isFalse();
    }
}
