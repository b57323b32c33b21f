package org.trainyard.experiments.papers.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.experiments.evaluation.PairedComparison.Interval;

class ClaimTableTest {
    private static final ClaimRow MET = new ClaimRow(
            "marl",
            "20 % below LIF",
            -43.26,
            "% of mean JCT",
            new Interval(-51, -35),
            ClaimVerdict.MET,
            "",
            "./trainyard reproduce marl");

    private static final ClaimRow WITHOUT = new ClaimRow(
            "bgl",
            "20.68 times",
            Double.NaN,
            "times",
            null,
            ClaimVerdict.NOT_COMPARABLE,
            "no GPUs",
            "./trainyard plan");

    @Test
    void rows_are_one_json_array_with_the_keys_of_a_claim() throws IOException {
        JsonNode json = new ObjectMapper().readTree(ClaimTable.json(List.of(MET, WITHOUT)));

        assertThat(json).hasSize(2);
        assertThat(json.get(0).fieldNames())
                .toIterable()
                .containsExactly("system", "claim", "ours", "unit", "interval", "verdict", "reason", "command");
        assertThat(json.at("/0/interval/0").asDouble()).isEqualTo(-51);
        assertThat(json.at("/0/verdict").asText()).isEqualTo("met");
        assertThat(json.at("/1/ours").isNull()).isTrue();
        assertThat(json.at("/1/verdict").asText()).isEqualTo("not comparable");
    }

    @Test
    void a_table_has_a_line_for_each_row() {
        assertThat(ClaimTable.markdown(List.of(MET, WITHOUT)).lines())
                .hasSize(4)
                .contains("| marl | 20 % below LIF | -43.3 | -51.0 .. -35.0 | % of mean JCT | met |  |")
                .contains("| bgl | 20.68 times |  |  | times | not comparable | no GPUs |");
    }

    @ParameterizedTest
    @CsvSource({
        "-40, -21, -20, MET",
        "-40, -20, -20, MET",
        "-40, -19, -20, DIRECTION_HOLDS",
        "-40, 0, -20, NOT_MET",
        "-5, -1, 0, MET",
        "0, 0, 0, NOT_MET",
        "1, 3, -20, NOT_MET"
    })
    void a_claim_is_met_when_the_whole_interval_is(double low, double high, double claimed, ClaimVerdict verdict) {
        assertThat(ClaimVerdict.ofReduction(low, high, claimed)).isEqualTo(verdict);
    }

    @Test
    void a_verdict_needs_a_figure() {
        assertThatThrownBy(() -> new ClaimRow("a", "b", Double.NaN, "c", null, ClaimVerdict.MET, "", "d"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has no figure");
    }
}
