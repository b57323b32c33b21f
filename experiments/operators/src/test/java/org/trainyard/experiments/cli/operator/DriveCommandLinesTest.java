package org.trainyard.experiments.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalTime;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines that a driver says. */
class DriveCommandLinesTest {
    @ParameterizedTest
    @CsvSource({"23:26:49, 23:26:49.000", "00:00, 00:00:00.000", "08:00:01.0209, 08:00:01.020"})
    void a_line_begins_with_its_time_to_the_millisecond(LocalTime time, String begin) {
        assertThat(DriveCommand.timeOfDay(time)).isEqualTo(begin);
    }
}
