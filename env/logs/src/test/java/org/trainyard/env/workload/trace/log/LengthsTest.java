package org.trainyard.env.workload.trace.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.workload.log.TraceFieldException;

class LengthsTest {
    @ParameterizedTest
    @CsvSource({
        "01:30, 90",
        "26:03:04.5, 93784.5",
        "1-02:03:04, 93784",
        "1-02:03, 93780",
        "0-00:00:00.000000001, 0.000000001",
    })
    void a_length_with_colons_has_its_nanoseconds(String text, double seconds) {
        assertThat(Lengths.nanos("elapsed", text)).isEqualTo(Math.round(seconds * 1e9));
    }

    @ParameterizedTest
    @ValueSource(strings = {"90", "1-02", "1:2:3:4", "02:03:", "one:two", "99999-00:00:00"})
    void another_text_names_its_column(String text) {
        assertThatThrownBy(() -> Lengths.nanos("elapsed", text))
                .isInstanceOfSatisfying(
                        TraceFieldException.class, e -> assertThat(e.field()).isEqualTo("elapsed"));
    }
}
