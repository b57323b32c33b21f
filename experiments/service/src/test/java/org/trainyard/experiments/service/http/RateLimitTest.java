package org.trainyard.experiments.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a rate and a patience allow, at given times. */
class RateLimitTest {
    private static final long SECOND = 1_000_000_000L;

    private static long allowed(RateLimit limit, LongStream times) {
        return times.filter(limit::allows).count();
    }

    @Test
    void so_many_pass_at_once_and_then_so_many_a_second() {
        RateLimit limit = new RateLimit(0.25, 5, 0);

        assertThat(allowed(limit, LongStream.generate(() -> 0).limit(100))).isEqualTo(5);
        assertThat(allowed(limit, LongStream.rangeClosed(1, 100).map(second -> second * SECOND)))
                .isEqualTo(25);
        assertThat(allowed(limit, LongStream.generate(() -> 1_000 * SECOND).limit(100)))
                .isEqualTo(5);
    }

    @Test
    void a_body_has_its_grace_then_its_rate_and_never_more_than_its_time() {
        Patience patience = new Patience(60 * SECOND, 1_000, 5 * SECOND, 1);

        assertThat(patience.isOver(4 * SECOND, 0)).isFalse();
        assertThat(patience.isOver(6 * SECOND, 999)).isTrue();
        assertThat(patience.isOver(6 * SECOND, 1_000)).isFalse();
        assertThat(patience.isOver(59 * SECOND, 1 << 20)).isFalse();
        assertThat(patience.isOver(60 * SECOND, 1 << 20)).isTrue();
    }
}
