package org.trainyard.env.workload.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogClockTest {
    /** Seconds, milliseconds, microseconds and nanoseconds since 1970, each with and without a fraction. */
    @ParameterizedTest
    @CsvSource({
        "1700000000, 0",
        "1700000000.5, 500000000",
        "1700000000.000000007, 7",
        "1700000000123, 123000000",
        "1700000000123.5, 123500000",
        "1700000000123456, 123456000",
        "1700000000123456.25, 123456250",
        "1700000000123456789, 123456789"
    })
    void the_size_of_a_number_tells_its_unit_and_its_fraction_is_of_that_unit(String text, long nanosOfSecond) {
        assertThat(new LogClock(null).nanos("start", text, 0)).isEqualTo(1_700_000_000_000_000_000L + nanosOfSecond);
    }

    @ParameterizedTest
    @ValueSource(strings = {"4102444800000000000", "9223372036854775808", "9999999999999999999"})
    void times_after_2099_are_refused(String text) {
        assertThatThrownBy(() -> new LogClock(null).nanos("start", text, 0)).isInstanceOf(TraceFieldException.class);
    }

    /** Noon in Berlin in summer, and times that say that they are of UTC, wherever the others of the log are. */
    @ParameterizedTest
    @CsvSource({
        "2026-07-02 12:00:00, 10",
        "2026-07-02 12:00:00 UTC, 12",
        "Thu Jul  2 12:00:00 2026, 10",
        "Thu Jul  2 12:00:00 UTC 2026, 12",
        "Thu Jul  2 12:00:00 GMT 2026, 12",
        "2026-07-02T12:00:00Z, 12"
    })
    void a_time_that_says_that_it_is_of_utc_is_so_in_every_zone(String text, long hour) {
        assertThat(new LogClock(ZoneId.of("Europe/Berlin")).nanos("start", text, 0))
                .isEqualTo((1_782_950_400L + 3600 * hour) * 1_000_000_000L);
    }
}
