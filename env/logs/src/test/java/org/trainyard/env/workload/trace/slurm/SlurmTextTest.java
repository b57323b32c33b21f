package org.trainyard.env.workload.trace.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;

class SlurmTextTest {
    @ParameterizedTest
    @CsvSource({"1970-01-01T00:00:00, 0", "2026-01-31T12:00, 1769860800000", "1969-12-31T23:59:59.999, -1"})
    void a_time_is_read_as_of_utc(String text, long millis) {
        assertThat(SlurmText.millis("start", text)).isEqualTo(millis);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Unknown", "2026-02-29T00:00:00", "+999999999-12-31T23:59:59"})
    void what_is_no_time_is_refused(String text) {
        assertThatThrownBy(() -> SlurmText.millis("start", text))
                .isInstanceOf(InputException.class)
                .hasMessage("start: '%s' is not valid: expected a time such as 2026-01-31T12:00:00".formatted(text));
    }
}
