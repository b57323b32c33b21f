package org.trainyard.experiments.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneId;
import org.junit.jupiter.api.Test;

/** Dates of a log that begins on 2026-01-10 at 06:00 in UTC. */
class LogDatesTest {
    private static final long ZERO = 1_768_024_800_000_000_000L;
    private static final long MINUTE = 60_000_000_000L;

    @Test
    void an_instant_is_said_by_the_clocks_of_the_log() {
        assertThat(new LogDates(ZERO, null).of(0)).isEqualTo("Sat 10 Jan 2026 06:00");
        assertThat(new LogDates(ZERO, null).of(1080 * MINUTE - 1)).isEqualTo("Sat 10 Jan 2026 23:59");
        assertThat(new LogDates(ZERO, null).of(1080 * MINUTE)).isEqualTo("Sun 11 Jan 2026 00:00");
        assertThat(new LogDates(ZERO, ZoneId.of("Europe/Berlin")).of(-7 * 60 * MINUTE))
                .isEqualTo("Sat 10 Jan 2026 00:00");
    }

    @Test
    void a_log_without_dates_has_none() {
        assertThat(LogDates.NONE.of(0)).isNull();
    }
}
