package org.trainyard.experiments.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private final AtomicLong clock = new AtomicLong();
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final Progress progress = lines(0);

    @Test
    void a_line_comes_at_most_every_five_seconds() {
        for (int i = 1; i <= 24; i++) {
            clock.addAndGet(1_000_000_000L);
            progress.to(i, "reward -1.5");
        }

        assertThat(lines())
                .containsExactly(
                        "train 5/100 (5 %), reward -1.5, 1 min 35 s left",
                        "train 10/100 (10 %), reward -1.5, 1 min 30 s left",
                        "train 15/100 (15 %), reward -1.5, 1 min 25 s left",
                        "train 20/100 (20 %), reward -1.5, 1 min 20 s left");
    }

    @Test
    void the_end_is_said_once() {
        clock.addAndGet(2_000_000_000L);
        progress.to(100, "");
        progress.close();
        progress.close();

        assertThat(lines()).containsExactly("train 100/100 (100 %), took 2.0 s");
    }

    @Test
    void work_that_ends_twice_is_said_to_have_ended_once() {
        clock.addAndGet(5_000_000_000L);
        progress.to(100, "4 of 5 replays");
        progress.to(100, "5 of 5 replays");
        progress.close();

        assertThat(lines()).containsExactly("train 100/100 (100 %), 5 of 5 replays, took 5.0 s");
    }

    @Test
    void nothing_done_says_nothing() {
        progress.close();

        assertThat(said.size()).isZero();
    }

    @Test
    void resumed_work_is_timed_from_where_it_goes_on() {
        Progress resumed = lines(90);
        clock.addAndGet(6_000_000_000L);
        resumed.to(91, "");

        assertThat(lines()).containsExactly("train 91/100 (91 %), 54 s left");
    }

    @Test
    void late_progress_is_silent_until_the_work_has_taken_five_seconds() {
        Progress late = Progress.late(() -> lines(0), clock::get);
        clock.addAndGet(4_000_000_000L);
        late.to(10, "");
        late.close();
        assertThat(said.size()).isZero();

        clock.addAndGet(1_000_000_000L);
        late.to(20, "");
        clock.addAndGet(5_000_000_000L);
        late.to(60, "");
        assertThat(lines()).containsExactly("train 60/100 (60 %), 3.3 s left");
    }

    private Progress lines(long from) {
        return Progress.lines("train", from, 100, new PrintStream(said, true, StandardCharsets.UTF_8), clock::get);
    }

    private String[] lines() {
        return said.toString(StandardCharsets.UTF_8).split("\\R");
    }
}
