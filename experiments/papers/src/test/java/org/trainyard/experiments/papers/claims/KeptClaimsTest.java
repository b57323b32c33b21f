package org.trainyard.experiments.papers.claims;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.trainyard.experiments.evaluation.PairedComparison.Interval;
import org.trainyard.experiments.papers.studies.Studies;

/** The rows that {@code reproduce all} kept, and their CSV. */
class KeptClaimsTest {
    private static final Path DOCS = Path.of(System.getProperty("trainyard.root", ".."), "experiments/docs/science");

    private final Map<String, List<ClaimRow>> studies = new LinkedHashMap<>();

    @BeforeEach
    void read_the_rows() throws IOException {
        for (ClaimRow row : ClaimTable.read(Files.readString(DOCS.resolve("claims.json")))) {
            studies.computeIfAbsent(row.system(), system -> new ArrayList<>()).add(row);
        }
    }

    @Test
    void the_csv_is_that_of_the_rows() throws IOException {
        assertThat(Files.readString(DOCS.resolve("claims.csv"))).isEqualTo(ClaimTable.csv(rows()));
    }

    @Test
    void every_system_that_can_be_repeated_has_rows() {
        assertThat(studies.keySet()).containsExactlyElementsOf(Studies.systems());
    }

    @Test
    void only_a_claim_with_a_published_figure_is_met() {
        assertThat(rows())
                .filteredOn(row ->
                        List.of(ClaimVerdict.MET, ClaimVerdict.MET_UNTRAINED).contains(row.verdict()))
                .isNotEmpty()
                .allMatch(row -> row.yardstick() != null && row.yardstick().hasFigure());
    }

    @Test
    void every_verdict_is_that_of_the_figures() {
        for (ClaimRow row : rows()) {
            Yardstick yardstick = row.yardstick();
            if (yardstick == null) {
                assertThat(row.verdict()).isEqualTo(ClaimVerdict.NOT_COMPARABLE);
            } else if (!List.of(ClaimVerdict.NOT_COMPARABLE, ClaimVerdict.FITTED)
                    .contains(row.verdict())) {
                Interval interval = row.interval();
                ClaimVerdict verdict = interval == null
                        ? yardstick.verdict(row.ours(), row.ours())
                        : yardstick.verdict(interval.low(), interval.high());
                boolean isUntrained =
                        verdict == ClaimVerdict.MET && row.reason().contains("untrained, meets it too");
                assertThat(row.verdict()).as(row.claim()).isEqualTo(isUntrained ? ClaimVerdict.MET_UNTRAINED : verdict);
            }
        }
    }

    @Test
    void no_row_of_a_system_has_a_verdict_below_its_headline() {
        assertThat(studies.values())
                .allSatisfy(rows -> assertThat(rows)
                        .filteredOn(row -> row.yardstick() != null)
                        .allMatch(row ->
                                row.verdict().compareTo(ClaimRow.weakest(rows).verdict()) <= 0));
        assertThat(ClaimRow.weakest(Objects.requireNonNull(studies.get("a-srpt")))
                        .claim())
                .contains("load 0.7");
    }

    @Test
    void every_claim_is_kept_once() {
        assertThat(rows()).doesNotHaveDuplicates();
    }

    private List<ClaimRow> rows() {
        return studies.values().stream().flatMap(List::stream).toList();
    }

    @Test
    void a_headline_that_does_not_hold_has_a_reason() {
        assertThat(studies.values())
                .extracting(ClaimRow::weakest)
                .allSatisfy(headline -> assertThat(
                                headline.verdict() == ClaimVerdict.MET ? "none needed" : headline.reason())
                        .isNotBlank());
    }

    @Test
    void rows_of_marl_are_those_of_its_own_file() throws IOException {
        assertThat(studies.get("marl"))
                .containsExactlyInAnyOrderElementsOf(ClaimTable.read(Files.readString(DOCS.resolve("marl.json"))));
    }
}
