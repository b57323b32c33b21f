package org.trainyard.experiments.papers.studies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.InputException;
import org.trainyard.experiments.papers.claims.ClaimRow;
import org.trainyard.experiments.papers.claims.ClaimTable;
import org.trainyard.experiments.papers.claims.ClaimVerdict;
import org.trainyard.experiments.papers.claims.Yardstick;

class StudiesTest {
    private static final Path CONFIGS = Path.of(System.getProperty("trainyard.root", ".."), "experiments", "configs");
    private static final StudyRun QUICK = new StudyRun(true, CONFIGS);

    @TempDir
    private Path folder;

    private final List<String> began = new ArrayList<>();

    @Test
    void fourteen_systems_have_a_study() {
        assertThat(Studies.systems())
                .containsExactlyInAnyOrder(
                        "marl",
                        "a-srpt",
                        "sjf-bco",
                        "dally",
                        "spp",
                        "dapple",
                        "gadget",
                        "smd",
                        "pd-ors",
                        "sbp",
                        "bgl",
                        "adsp",
                        "adversarial",
                        "icefrog");
    }

    @Test
    void another_name_is_refused_with_those_there_are() {
        assertThatThrownBy(() -> Studies.run("tiresias", QUICK, folder, began::add))
                .isInstanceOf(InputException.class)
                .hasMessageContainingAll("tiresias", "all", "dally");
    }

    @Test
    void rows_of_a_finished_study_are_kept_and_not_run_again() {
        List<List<ClaimRow>> first = Studies.run("adsp", QUICK, folder, began::add);
        List<List<ClaimRow>> again = Studies.run("adsp", QUICK, folder, began::add);

        assertThat(began).containsExactly("adsp");
        assertThat(again).isEqualTo(first);
    }

    @Test
    void rows_that_the_folder_has_are_taken_as_they_are() throws IOException {
        ClaimRow kept = new ClaimRow(
                "spp",
                "a claim",
                -3,
                "%",
                null,
                Yardstick.reduction(-2),
                ClaimVerdict.MET,
                "",
                "./trainyard reproduce spp");
        Files.writeString(folder.resolve("spp-quick.json"), ClaimTable.json(List.of(kept)));

        assertThat(Studies.run("spp", QUICK, folder, began::add)).containsExactly(List.of(kept));
        assertThat(began).isEmpty();
    }

    @Test
    void rows_without_what_their_verdicts_need_are_refused_in_one_line() throws IOException {
        Path kept = folder.resolve("spp-quick.json");
        String row =
                "[{\"system\": \"spp\", \"claim\": \"c\", \"ours\": 3, \"unit\": \"%\", \"verdict\": \"met\", \"command\": \"x\"}]";
        Files.writeString(kept, row);

        assertThatThrownBy(() -> Studies.run("spp", QUICK, folder, began::add))
                .isInstanceOf(InputException.class)
                .hasMessageContainingAll(kept.toString(), "a row (spp, c) is (met)", "without the file they are made");
    }

    @Test
    void worths_that_were_fitted_show_nothing() {
        assertThat(new AdspStudy("adsp").rows(QUICK))
                .hasSize(4)
                .extracting(ClaimRow::verdict)
                .containsOnly(ClaimVerdict.FITTED);
    }

    /** On a full cluster who preempts and who does not give different utilities. */
    @Test
    void baselines_of_gadget_decide_differently() {
        assertThat(UtilityStudy.GADGET.rows(QUICK))
                .filteredOn(row -> row.claim().contains("above"))
                .hasSize(4)
                .extracting(ClaimRow::ours)
                .doesNotHaveDuplicates();
    }

    @Test
    @Tag("thorough")
    void a_quick_run_has_every_load_of_a_srpt() {
        assertThat(new ASrptStudy("a-srpt").rows(QUICK))
                .extracting(ClaimRow::claim)
                .filteredOn(claim -> claim.contains("below"))
                .extracting(claim -> claim.replaceAll(".*load ([0-9.]*),.*", "$1"))
                .containsExactly("0.7", "0.9", "1.1");
    }

    @Test
    void a_full_run_does_not_take_the_rows_of_a_quick_one() {
        Studies.run("adsp", QUICK, folder, began::add);
        Studies.run("adsp", new StudyRun(false, CONFIGS), folder, began::add);

        assertThat(began).containsExactly("adsp", "adsp");
    }

    @ParameterizedTest
    @CsvSource({
        "10, 30, NaN, AHEAD",
        "-10, 30, NaN, NOT_MET",
        "61, 63, 60, MET",
        "50, 70, 60, DIRECTION_HOLDS",
        "-50, 70, 60, NOT_MET"
    })
    void a_gain_is_judged_by_the_worse_end_of_its_interval(
            double low, double high, double claimed, ClaimVerdict verdict) {
        StudyRun.Rows rows = QUICK.rows(PlannerStudy.SPP);
        rows.addGain("faster", new double[] {low, high, low, high, low, high, low, high}, claimed, "%", "");

        assertThat(rows.all().get(0).verdict()).isEqualTo(verdict);
        assertThat(rows.all().get(0).ours()).isCloseTo((low + high) / 2, within(1e-9));
    }

    @Test
    void a_gain_over_nothing_needs_more_than_a_tie() {
        StudyRun.Rows rows = QUICK.rows(UtilityStudy.SMD);
        rows.addGain("above esw", new double[] {0, 0, 0}, Yardstick.NO_FIGURE, "%", "");

        assertThat(rows.all().get(0).verdict()).isEqualTo(ClaimVerdict.NOT_MET);
    }
}
