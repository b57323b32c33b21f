package org.trainyard.experiments.papers.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.trainyard.experiments.evaluation.PairedComparison.Interval;

class ClaimTableTest {
    private static final Yardstick LESS = Yardstick.reduction(Yardstick.NO_FIGURE);

    private static final ClaimRow MET = new ClaimRow(
            "marl",
            "20 % below LIF",
            -43.26,
            "% of mean JCT",
            new Interval(-51, -35),
            Yardstick.reduction(-20),
            ClaimVerdict.MET,
            "",
            "./trainyard reproduce marl");

    private static final ClaimRow WITHOUT = new ClaimRow(
            "bgl",
            "20.68 times",
            Double.NaN,
            "times",
            null,
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
                .containsExactly(
                        "system",
                        "claim",
                        "ours",
                        "unit",
                        "interval",
                        "published",
                        "rival",
                        "better",
                        "verdict",
                        "reason",
                        "command");
        assertThat(json.get(1).fieldNames())
                .toIterable()
                .containsExactly("system", "claim", "ours", "unit", "interval", "verdict", "reason", "command");
        assertThat(json.at("/0/published").asDouble()).isEqualTo(-20);
        assertThat(ClaimTable.read(ClaimTable.json(List.of(MET, WITHOUT)))).containsExactly(MET, WITHOUT);
        assertThat(json.at("/0/interval/0").asDouble()).isEqualTo(-51);
        assertThat(json.at("/0/verdict").asText()).isEqualTo("met");
        assertThat(json.at("/1/ours").isNull()).isTrue();
        assertThat(json.at("/1/verdict").asText()).isEqualTo("not comparable");
    }

    @Test
    void a_table_has_a_line_for_each_row() {
        assertThat(ClaimTable.csv(List.of(MET, WITHOUT)).lines())
                .containsExactly(
                        "system,claim,ours,interval,unit,verdict,remark,command",
                        "marl,20 % below LIF,-43.3,-51.0 .. -35.0,% of mean JCT,met,,./trainyard reproduce marl",
                        "bgl,20.68 times,,,times,not comparable,no GPUs,./trainyard plan");
    }

    @ParameterizedTest
    @CsvSource({
        "-40, -21, -20, MET",
        "-40, -20, -20, MET",
        "-40, -19, -20, DIRECTION_HOLDS",
        "-40, 0, -20, NOT_MET",
        "-5, -1, NaN, AHEAD",
        "0, 0, NaN, NOT_MET",
        "-1, 0, NaN, NOT_MET",
        "1, 3, -20, NOT_MET"
    })
    void a_claim_is_met_when_the_whole_interval_is(double low, double high, double claimed, ClaimVerdict verdict) {
        assertThat(Yardstick.reduction(claimed).verdict(low, high)).isEqualTo(verdict);
        assertThat(Yardstick.gain(-claimed).verdict(-high, -low)).isEqualTo(verdict);
    }

    @Test
    void a_verdict_needs_a_figure() {
        assertThatThrownBy(() -> new ClaimRow("a", "b", Double.NaN, "c", null, LESS, ClaimVerdict.MET, "", "d"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has no figure");
    }

    @ParameterizedTest
    @EnumSource(names = {"MET", "MET_UNTRAINED", "DIRECTION_HOLDS", "FITTED"})
    void a_claim_without_a_published_figure_is_not_met(ClaimVerdict verdict) {
        assertThatThrownBy(() -> row("b", -3, LESS, verdict))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a row (a, b) is (%s), with a published figure of (NaN)", verdict.words());
    }

    @Test
    void a_claim_with_a_published_figure_is_judged_by_it() {
        assertThatThrownBy(() -> row("b", -3, Yardstick.reduction(-2), ClaimVerdict.AHEAD))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(-2.0)");
    }

    @Test
    void what_ours_is_ahead_of_need_not_be_zero() {
        Yardstick lottery = new Yardstick(Yardstick.NO_FIGURE, 47, false);

        assertThat(lottery.verdict(49, 49)).isEqualTo(ClaimVerdict.AHEAD);
        assertThat(lottery.verdict(47, 47)).isEqualTo(ClaimVerdict.NOT_MET);
        assertThat(lottery.shortfall(49)).isEqualTo(-2);
    }

    @Test
    void a_system_is_judged_by_its_weakest_row() {
        ClaimRow figure = row("of ours", 500, null, ClaimVerdict.NOT_COMPARABLE);
        ClaimRow ahead = row("ahead", -30, LESS, ClaimVerdict.AHEAD);
        ClaimRow near = row("near", -19, Yardstick.reduction(-20), ClaimVerdict.DIRECTION_HOLDS);
        ClaimRow far = row("far", -30, Yardstick.reduction(-83), ClaimVerdict.DIRECTION_HOLDS);
        ClaimRow more = row("more", 50, Yardstick.gain(157), ClaimVerdict.DIRECTION_HOLDS);

        assertThat(ClaimRow.weakest(List.of(figure, ahead))).isEqualTo(ahead);
        assertThat(ClaimRow.weakest(List.of(figure, near, ahead, far))).isEqualTo(far);
        assertThat(ClaimRow.weakest(List.of(more, far, near))).isEqualTo(more);
        assertThat(ClaimRow.weakest(List.of(figure, figure))).isEqualTo(figure);
    }

    private static ClaimRow row(String claim, double ours, @Nullable Yardstick yardstick, ClaimVerdict verdict) {
        return new ClaimRow("a", claim, ours, "%", null, yardstick, verdict, "", "command");
    }
}
