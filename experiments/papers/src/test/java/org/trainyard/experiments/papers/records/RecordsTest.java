package org.trainyard.experiments.papers.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.papers.claims.ClaimRow;
import org.trainyard.experiments.papers.claims.ClaimVerdict;
import org.trainyard.experiments.papers.claims.Evidence;

/** The record book: its CSV, its rows and their verification. */
class RecordsTest {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root", ".."));
    private static final Path DOCS = ROOT.resolve("experiments/docs/science");
    private static final Map<String, List<ClaimRow>> KEPT = Records.kept(DOCS.resolve("records.json"));

    private static ClaimRow row(String scheduler, String sha256) {
        Evidence evidence = new Evidence(2, Evidence.THEIRS, sha256);
        return new ClaimRow(
                "muri", scheduler, 1, "s", null, null, ClaimVerdict.NOT_COMPARABLE, "", "a command", evidence);
    }

    @Test
    void the_csv_is_that_of_the_rows() throws IOException {
        assertThat(Files.readString(DOCS.resolve("records.csv"))).isEqualTo(Records.csv(KEPT));
    }

    @Test
    void every_figure_of_ours_has_a_hash_and_every_row_without_one_a_reason() {
        assertThat(KEPT.values().stream().flatMap(List::stream))
                .isNotEmpty()
                .allSatisfy(row -> assertThat(Double.isNaN(row.ours()) ? row.reason() : sha256(row))
                        .isNotBlank());
    }

    private static String sha256(ClaimRow row) {
        return Objects.requireNonNull(row.evidence(), row::claim).sha256();
    }

    @Test
    void a_row_differs_by_its_hash_or_by_its_absence() {
        assertThat(Records.differences(List.of(row("a", "1")), List.of(row("a", "1"))))
                .isEmpty();
        assertThat(Records.differences(List.of(row("a", "1"), row("b", "2")), List.of(row("a", "3"), row("c", "4"))))
                .containsExactly(
                        "muri, a: kept 1, computed 3",
                        "muri, b: is kept, but was not computed",
                        "c: was computed, but is not kept");
    }

    @Test
    void a_record_without_its_data_is_not_checked_and_says_so(@TempDir Path empty) {
        Shell shell = Shell.command("records muri --verify --data %s", empty);

        assertThat(shell.code()).isEqualTo(1);
        assertThat(shell.out()).contains("muri: not checked").contains("cluster_exp_trace.csv.gz is missing");
    }

    @Test
    void a_name_that_is_no_record_is_refused_with_those_there_are() {
        Shell shell = Shell.command("records mari");

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("mari").contains("pollux");
    }

    @Test
    void the_jobs_of_the_testbed_of_muri_replay_to_the_kept_hashes() {
        Path data = ROOT.resolve("../shared/data");
        assumeThat(data.resolve("muri"))
                .as("the data pack is not beside this checkout")
                .isDirectory();
        Shell shell = Shell.command("records muri --verify --data %s", data);

        assertThat(shell.out()).contains("muri: equal, 11 rows");
        assertThat(shell.code()).isZero();
    }

    @Test
    void a_submission_of_a_kept_row_has_its_hash_and_one_that_claims_another_is_found_out(@TempDir Path folder)
            throws IOException {
        Path data = ROOT.resolve("../shared/data");
        assumeThat(data.resolve("philly"))
                .as("the data pack is not beside this checkout")
                .isDirectory();
        String kept = Objects.requireNonNull(KEPT.get("rltune")).stream()
                .filter(row -> row.claim().equals("easy, predicted"))
                .map(RecordsTest::sha256)
                .findFirst()
                .orElseThrow();
        Path entry = folder.resolve("entry.yaml");
        Files.writeString(entry, "task: rltune\nscheduler: easy\nsha256: %s\n".formatted(kept));
        Shell equal = Shell.command("bench submit %s --data %s", entry, data);

        assertThat(equal.code()).as(equal.err()).isZero();
        assertThat(equal.out()).contains("easy, predicted").contains("sha256: " + kept);

        Files.writeString(entry, "task: rltune\nscheduler: fifo\nsha256: %s\n".formatted(kept));
        Shell other = Shell.command("bench submit %s --data %s", entry, data);
        assertThat(other.code()).isEqualTo(1);
        assertThat(other.out()).contains("differs: the file says " + kept);
    }

    @Test
    void a_submission_of_nobody_is_refused(@TempDir Path folder) throws IOException {
        Path entry = folder.resolve("entry.yaml");
        Files.writeString(entry, "task: rltune\n");
        Shell shell = Shell.command("bench submit %s", entry);

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("a scheduler or a checkpoint, and not both");
    }
}
