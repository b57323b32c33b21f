package org.trainyard.env.workload.trace.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;

class QuantityTest {
    @ParameterizedTest
    @CsvSource({
        "8, 8",
        "500m, 0.500",
        "2.5, 2.5",
        "64Gi, 68719476736",
        "1e3, 1000",
        "1E-2, 0.01",
        "12E, 12000000000000000000",
        "1Ei, 1152921504606846976",
        ".5k, 500",
        "-3, -3"
    })
    void an_amount_has_its_value(String text, String value) {
        assertThat(Quantity.exact("cpu", text)).isEqualByComparingTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1em", "5ex", "1Em", "5e", "1KI", "1e100", "NaN", "0x1", "1 Gi", "٣"})
    void what_is_no_amount_is_refused(String text) {
        assertThatThrownBy(() -> Quantity.exact("cpu", text))
                .isInstanceOf(InputException.class)
                .hasMessage("cpu: '%s' is not valid: expected an amount such as 8, 500m or 64Gi".formatted(text));
    }
}
