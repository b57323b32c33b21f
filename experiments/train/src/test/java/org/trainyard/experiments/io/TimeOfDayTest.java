package org.trainyard.experiments.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalTime;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeOfDayTest {
    @ParameterizedTest
    @CsvSource({"23:26:49, 23:26:49.000", "00:00, 00:00:00.000", "08:00:01.0209, 08:00:01.020"})
    void a_time_has_its_milliseconds_also_where_they_are_0(LocalTime time, String said) {
        assertThat(TimeOfDay.of(time)).isEqualTo(said);
    }
}
