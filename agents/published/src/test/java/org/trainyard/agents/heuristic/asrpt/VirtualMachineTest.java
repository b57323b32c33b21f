package org.trainyard.agents.heuristic.asrpt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VirtualMachineTest {
    private final VirtualMachine machine = new VirtualMachine();
    private final Map<Integer, Long> done = new LinkedHashMap<>();

    private void submit(int job, long work, long at) {
        machine.submit(job, work, at, done::put);
    }

    /** Job 2 of 3 s comes at 2 s, when 8 s are left of job 1: 2..5, and job 1 ends at 13 s. */
    @Test
    void a_shorter_job_goes_before_one_with_more_left() {
        submit(1, 10, 0);
        submit(2, 3, 2);
        assertThat(machine.nextCompletionNanos()).isEqualTo(5);
        machine.advance(100, done::put);

        assertThat(done).containsExactly(Map.entry(2, 5L), Map.entry(1, 13L));
        assertThat(machine.nextCompletionNanos()).isEqualTo(Long.MAX_VALUE);
    }

    /** Job 1 has 1 s left when job 2 of 3 s comes: it is work left that counts, not work in all. */
    @Test
    void a_job_that_is_nearly_done_is_not_displaced() {
        submit(1, 10, 0);
        submit(2, 3, 9);
        machine.advance(100, done::put);

        assertThat(done).containsExactly(Map.entry(1, 10L), Map.entry(2, 13L));
    }

    @Test
    void ties_go_to_the_job_submitted_first() {
        submit(0, 10, 0);
        submit(1, 4, 6);
        submit(2, 4, 6);
        machine.advance(100, done::put);

        assertThat(done).containsExactly(Map.entry(0, 10L), Map.entry(1, 14L), Map.entry(2, 18L));
    }

    /** It idles 5..20, and time without work makes nothing shorter. */
    @Test
    void an_idle_machine_saves_nothing_up() {
        submit(0, 5, 0);
        submit(1, 7, 20);
        machine.advance(26, done::put);
        assertThat(done).containsExactly(Map.entry(0, 5L));
        machine.advance(27, done::put);

        assertThat(done).containsExactly(Map.entry(0, 5L), Map.entry(1, 27L));
    }

    @Test
    void a_job_without_work_is_done_at_once() {
        submit(0, 50, 0);
        submit(1, 0, 10);
        machine.advance(10, done::put);

        assertThat(done).containsExactly(Map.entry(1, 10L));
    }

    @Test
    void negative_work_is_refused() {
        assertThatThrownBy(() -> submit(0, -1, 0)).hasMessageContaining("work (-1 ns)");
    }
}
