package org.trainyard.experiments.papers.claims;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.trainyard.experiments.papers.studies.Studies;

/** The page of all claims, beside the rows that {@code reproduce all} kept. */
class ClaimPageTest {
    private static final Path DOCS = Path.of(System.getProperty("trainyard.root", ".."), "experiments/docs/science");

    private final Map<String, List<ClaimRow>> studies = new LinkedHashMap<>();

    @BeforeEach
    void read_the_rows() throws IOException {
        for (ClaimRow row : ClaimTable.read(Files.readString(DOCS.resolve("claims.json")))) {
            studies.computeIfAbsent(row.system(), system -> new ArrayList<>()).add(row);
        }
    }

    @Test
    void the_page_is_that_of_the_rows() throws IOException {
        assertThat(Files.readString(DOCS.resolve("claims.md"))).isEqualTo(ClaimPage.of(List.copyOf(studies.values())));
    }

    @Test
    void every_system_that_can_be_repeated_is_on_the_page() {
        assertThat(studies.keySet()).containsExactlyElementsOf(Studies.systems());
    }

    @Test
    void at_least_nine_headlines_hold_or_hold_in_direction() {
        assertThat(studies.values())
                .filteredOn(rows -> List.of(ClaimVerdict.MET, ClaimVerdict.DIRECTION_HOLDS)
                        .contains(rows.get(0).verdict()))
                .hasSizeGreaterThanOrEqualTo(9);
    }

    @Test
    void a_headline_that_does_not_hold_has_a_reason() {
        assertThat(studies.values())
                .extracting(rows -> rows.get(0))
                .allSatisfy(headline -> assertThat(
                                headline.verdict() == ClaimVerdict.MET ? "none needed" : headline.reason())
                        .isNotBlank());
    }

    @Test
    void rows_of_marl_are_those_of_its_own_page() throws IOException {
        assertThat(studies.get("marl"))
                .containsExactlyInAnyOrderElementsOf(ClaimTable.read(Files.readString(DOCS.resolve("marl.json"))));
    }
}
