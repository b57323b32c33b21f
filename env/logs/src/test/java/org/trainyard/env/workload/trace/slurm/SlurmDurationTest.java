package org.trainyard.env.workload.trace.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlurmDurationTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "90, 5400",
        "90:30, 5430",
        "02:03:04, 7384",
        "1-02, 93600",
        "1-02:03, 93780",
        "1-02:03:04, 93784",
        "365-00:00:00, 31536000",
        "100:00:00, 360000",
        "9999999-999999999:999999999:999999999, 4524999909939",
    })
    void each_of_the_six_forms_has_its_seconds(String text, long seconds) {
        assertThat(SlurmDuration.secondsOfPlainMinutes(text)).isEqualTo(seconds);
        assertThat(SlurmDuration.secondsOfPlainMinutes(" " + text + "\n")).isEqualTo(seconds);
        assertThat(SlurmDuration.isUnlimited(text)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "-1",
                "1-",
                "1:",
                ":30",
                "1-:30",
                "1-2-3",
                "1:2:3:4",
                "1-2:3:4:5",
                "1.5",
                "02:03:04.5",
                "1 h",
                "1-02 :03",
                "+5",
                "0x10",
                "1,000",
                "1234567890",
                "12345678-00",
                "UNLIMITED",
                "Partition_Limit",
                "NOT_SET"
            })
    void what_has_none_of_the_forms_is_no_duration(String text) {
        assertThat(SlurmDuration.secondsOfPlainMinutes(text)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "UNLIMITED, true",
        "unlimited, true",
        "INFINITE, true",
        "Infinite, true",
        "Partition_Limit, false",
        "NOT_SET, false",
        "'', false",
        "UNLIMITED2, false",
    })
    void two_words_say_that_there_is_no_limit(String text, boolean isUnlimited) {
        assertThat(SlurmDuration.isUnlimited(text)).isEqualTo(isUnlimited);
    }
}
