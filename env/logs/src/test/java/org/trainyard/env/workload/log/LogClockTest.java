package org.trainyard.env.workload.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
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

    /** Hours of UTC at noon on 2 July; the first are of one offset, the others the log's zone knows. */
    @ParameterizedTest
    @CsvSource({
        ", CEST, 10",
        ", EDT, 16",
        ", EST, 17",
        ", PST, 20",
        ", pdt, 19",
        ", JST, 3",
        ", UTC, 12",
        "Europe/Berlin, EDT, 16",
        "Europe/Berlin, CET, 11",
        "Asia/Shanghai, CST, 4",
        "America/Chicago, CDT, 17",
        "America/Chicago, CST, 18",
        "Europe/London, BST, 11",
        "Asia/Kolkata, IST, 6.5",
        "Asia/Jerusalem, IST, 10"
    })
    void a_time_with_the_name_of_a_zone_is_of_its_offset(@Nullable String zone, String name, double hour) {
        LogClock clock = new LogClock(zone == null ? null : ZoneId.of(zone));
        long expected = 1_782_950_400L * 1_000_000_000L + Math.round(3600e9 * hour);

        assertThat(clock.nanos("start", "2026-07-02 12:00:00 " + name, 0)).isEqualTo(expected);
        assertThat(clock.nanos("start", "Thu Jul  2 12:00:00 " + name + " 2026", 0))
                .isEqualTo(expected);
        assertThat(clock.nanos("start", "2026-07-02T12:00:00.000" + name, 0)).isEqualTo(expected);
    }

    /** The second of the two hours that clocks in Berlin show as 2:30. */
    @Test
    void a_name_tells_which_of_two_hours_a_clock_shows() {
        LogClock clock = new LogClock(ZoneId.of("Europe/Berlin"));

        assertThat(clock.nanos("start", "2026-10-25 02:30:00 CEST", 0)).isEqualTo(1_792_888_200_000_000_000L);
        assertThat(clock.nanos("start", "2026-10-25 02:30:00 CET", 0)).isEqualTo(1_792_891_800_000_000_000L);
        assertThat(clock.remarks()).contains("Times have the offset +01:00, +02:00.");
    }

    @ParameterizedTest
    @CsvSource({
        ", 2026-07-02 12:00:00 CST",
        ", Thu Jul  2 12:00:00 IST 2026",
        "Europe/Berlin, 2026-07-02 12:00:00 CST",
        "Asia/Shanghai, 2026-07-02 12:00:00 CDT",
        ", 2026-07-02 12:00:00 ABC"
    })
    void a_name_of_several_offsets_or_of_none_is_refused_with_what_was_expected(@Nullable String zone, String text) {
        assertThatThrownBy(() -> new LogClock(zone == null ? null : ZoneId.of(zone)).nanos("start", text, 0))
                .isInstanceOfSatisfying(TraceFieldException.class, refused -> {
                    assertThat(refused.value()).isEqualTo(text);
                    assertThat(refused.expected())
                            .isEqualTo(
                                    "a zone that means one offset, such as CEST, EDT or -04:00, or --zone, such as America/Chicago, whose abbreviation it is");
                });
    }

    /** Which clock a time without a name is of, nobody knows beside one of Eastern time; UTC goes with both. */
    @Test
    void times_with_a_name_and_others_without_need_a_zone() {
        LogClock clock = new LogClock(null);
        clock.nanos("submit", "2026-07-02 12:00:00 EDT", 0);

        assertThat(clock.nanos("start", "2026-07-02 12:00:00 UTC", 0)).isEqualTo(1_782_993_600_000_000_000L);
        assertThatThrownBy(() -> clock.nanos("start", "2026-07-02 12:00:00", 0))
                .isInstanceOfSatisfying(
                        TraceFieldException.class,
                        refused -> assertThat(refused.expected())
                                .startsWith("an offset, as other times of this log have"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-07-02 12:00:00 PM", "12:00:00 CEST"})
    void words_that_are_no_zone_are_refused_as_other_times_are(String text) {
        assertThatThrownBy(() -> new LogClock(null).nanos("start", text, 0))
                .isInstanceOfSatisfying(
                        TraceFieldException.class,
                        refused -> assertThat(refused.expected()).startsWith("a time such as 2026-01-31T12:00:00"));
    }

    /** In Berlin clocks show 2:00 to 3:00 twice on 25 October 2026 and never on 29 March. */
    @ParameterizedTest
    @CsvSource({
        "2026-10-25T01:59:59, 0, 1792886399",
        "2026-10-25T02:30:00, 0, 1792888200",
        "2026-10-25T02:30:00, 1792888200, 1792888200",
        "2026-10-25T02:30:00, 1792888201, 1792891800",
        "2026-10-25T02:30:00, 1792999999, 1792891800",
        "2026-10-25T03:00:00, 0, 1792893600",
        "2026-03-29T01:59:59, 0, 1774745999",
        "2026-03-29T02:30:00, 0, 1774747800",
        "2026-03-29T03:30:00, 0, 1774747800"
    })
    void a_time_shown_twice_is_the_first_not_before_another_and_one_that_is_skipped_is_later(
            String text, long notBefore, long seconds) {
        assertThat(new LogClock(ZoneId.of("Europe/Berlin")).nanos("end", text, notBefore * 1_000_000_000L))
                .isEqualTo(seconds * 1_000_000_000L);
    }

    @ParameterizedTest
    @CsvSource({
        ", 2026-07-02 12:00:00.25 CEST, 1782986400250000000",
        ", 2026-07-02 12:00:00.25 UTC, 1782993600250000000",
        ", 2026-07-02 12:00:00.25+02:00, 1782986400250000000",
        "Europe/Berlin, 2026-07-02T12:00:00.25, 1782986400250000000",
        "Europe/Berlin, 2026-10-25T02:30:00.25, 1792888200250000000",
        "Europe/Berlin, 2026-03-29T02:30:00.25, 1774747800250000000",
        ", Thu Jul  2 12:00:00 2026 L, 1782993600000000000",
        ", Thu Jul  2 12:00:00 2026 E, 1782993600000000000",
        ", Thu Jul  2 12:00:00 2026 X, 1782993600000000000"
    })
    void parts_of_a_second_and_marks_of_lsf_are_read_in_every_form(@Nullable String zone, String text, long nanos) {
        assertThat(new LogClock(zone == null ? null : ZoneId.of(zone)).nanos("start", text, 0))
                .isEqualTo(nanos);
    }
}
