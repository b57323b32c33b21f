package org.trainyard.experiments.io;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0 s",
        "0.25, 0.250 s",
        "0.9999, 1.0 s",
        "9.96, 10 s",
        "59.6, 1 min 0 s",
        "75, 1 min 15 s",
        "3599.7, 1 h 0 min",
        "11520, 3 h 12 min",
        "86399, 1 d 0 h",
        "100000, 1 d 4 h",
        "-75, -1 min 15 s",
        "NaN, -",
    })
    void people_see_the_two_largest_units(double seconds, String shown) {
        assertThat(Durations.human(seconds)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 0.000000001",
        "1500000000, 1.5",
        "100000000000, 100",
        "9223372036854775807, 9223372036.854775807",
        "-1, -0.000000001",
    })
    void files_see_exact_seconds(long nanos, String shown) {
        assertThat(Durations.seconds(nanos)).isEqualTo(shown);
    }
}
