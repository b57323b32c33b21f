package org.trainyard.experiments.papers.marl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.trainyard.experiments.evaluation.PairedComparison.Interval;
import org.trainyard.experiments.papers.claims.ClaimRow;
import org.trainyard.experiments.papers.claims.ClaimTable;
import org.trainyard.experiments.papers.claims.ClaimVerdict;
import org.trainyard.experiments.papers.claims.Yardstick;

/** The page about agents that decide apart, beside the rows that {@code reproduce marl --json} printed. */
class MarlPageTest {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root", ".."));
    private static final Path DOCS = ROOT.resolve("experiments/docs/science");

    private final List<ClaimRow> rows = new ArrayList<>();

    @BeforeEach
    void read_the_rows() throws IOException {
        rows.addAll(ClaimTable.read(Files.readString(DOCS.resolve("marl.json"))));
    }

    @Test
    void a_claim_of_twenty_per_cent_is_met_where_the_interval_is_below_it() {
        List<ClaimRow> claims =
                rows.stream().filter(row -> row.claim().contains("20 %")).toList();
        assertThat(claims).hasSize(10);
        for (ClaimRow row : claims) {
            Interval interval = Objects.requireNonNull(row.interval());
            ClaimVerdict verdict = Yardstick.reduction(-20).verdict(interval.low(), interval.high());
            boolean isHandicapped = row.reason().contains("LIF with the model that ours has is");
            boolean saysUntrained = row.reason().contains("fifo-backfill, untrained, meets it too");
            assertThat(row.verdict())
                    .isEqualTo(
                            isHandicapped
                                    ? ClaimVerdict.NOT_COMPARABLE
                                    : saysUntrained && verdict == ClaimVerdict.MET
                                            ? ClaimVerdict.MET_UNTRAINED
                                            : verdict);
        }
    }

    @Test
    void no_claim_holds_against_lif_alone_with_a_belief_that_harms_it() {
        assertThat(rows)
                .filteredOn(row -> row.claim().matches(".*below LIF(,.*| on dgx1v.*)?"))
                .hasSize(3)
                .allMatch(row -> row.verdict() == ClaimVerdict.NOT_COMPARABLE);
    }

    @Test
    void the_page_of_results_claims_what_the_rows_have() throws IOException {
        ClaimRow slurm = row("mean JCT below slurm");
        ClaimRow lif = row("mean JCT more than 20 % below LIF-linear");
        assertThat(Files.readString(DOCS.resolve("results.md")))
                .containsIgnoringWhitespaces(
                        "mean JCT is %.1f %% above Slurm's (%s)".formatted(slurm.ours(), bounds("%.1f", slurm)),
                        "It is %.0f %% below Tetris, %.0f %% below load balancing, and level with LIF that has a linear model (%s)"
                                .formatted(
                                        -row("mean JCT more than 20 % below Tetris")
                                                .ours(),
                                        -row("mean JCT more than 20 % below LB").ours(),
                                        bounds("%+.1f", lif)));
        assertThat(Files.readString(ROOT.resolve("README.md")))
                .containsIgnoringWhitespaces(
                        "%.1f %% behind Slurm (%s)".formatted(slurm.ours(), bounds("%.1f", slurm)));
    }

    private static String bounds(String format, ClaimRow row) {
        Interval interval = Objects.requireNonNull(row.interval());
        return format.formatted(interval.low()) + ".." + format.formatted(interval.high());
    }

    private ClaimRow row(String claim) {
        return rows.stream()
                .filter(row -> row.claim().equals(claim))
                .findFirst()
                .orElseThrow();
    }
}
