package org.trainyard.experiments.twin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.experiments.io.Answer;

/** Cycles of a log written by hand: by our rules job 7 starts on n1, then job 8 on n2, and job 9 waits for job 7. */
class PerCycleTest {
    @TempDir
    private Path folder;

    private SmallRecording recording;

    @BeforeEach
    void threeJobs() {
        recording = new SmallRecording(folder).job("7", 1, 10).job("8", 1, 20).job("9", 1, 10);
    }

    private PerCycle.Counts counts(String... later) throws IOException {
        List<String> log = new ArrayList<>(List.of("100 submit 7 30", "200 submit 8 20"));
        log.addAll(List.of(later));
        TwinFolder files = recording.folder(log.toArray(String[]::new));
        return PerCycle.of(files, Objects.requireNonNull(files.log()));
    }

    private static List<String> differences(PerCycle.Counts counts) {
        return counts.divergences.stream()
                .map(line -> line.substring(line.indexOf(' ') + 1))
                .toList();
    }

    private static String table(EqualShare share) {
        return new Answer().table(EqualShare.table(List.of(share))).console().replaceAll(" +", " ");
    }

    @Test
    void a_cycle_that_starts_the_same_jobs_on_the_same_nodes_is_equal() throws IOException {
        PerCycle.Counts counts =
                counts("1000 main", "1001 start 7 n1", "1002 start 8 n2", "2000 main", "3000 backfill");

        assertThat(counts.cycles)
                .as("those that decide nothing are not counted")
                .isEqualTo(1);
        assertThat(table(counts.starts)).contains("starts (job and nodes) 2 2 100.0 %");
        assertThat(table(counts.choices)).contains("nodes of each start by itself 2 2 100.0 %");
        assertThat(counts.divergences).isEmpty();
        assertThat(counts.heldBack).isEmpty();
    }

    /** Job 8 takes by itself the node that job 7 leaves it, as we would. */
    @Test
    void starts_on_other_nodes_differ() throws IOException {
        PerCycle.Counts counts = counts("1000 main", "1001 start 7 n2", "1002 start 8 n1");

        assertThat(differences(counts))
                .containsExactly(
                        "main: job 7, past start on [n2], twin start on [n1]",
                        "main: job 8, past start on [n1], twin start on [n2]");
        assertThat(counts.starts.share()).isEqualTo(0);
        assertThat(table(counts.choices)).contains(" 1 2 50.0 %");
        assertThat(counts.cycles).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"main, main, start, 1", "full, main, start, 1", "backfill, backfill, filled, 0"})
    void a_start_that_the_past_put_off_differs_and_holds_back_a_run_of_the_main_scheduler(
            String cycle, String name, String start, int heldBack) throws IOException {
        PerCycle.Counts counts = counts(
                "1000 " + cycle,
                "1001 %s 7 n1".formatted(start),
                "1500 sched/backfill: _attempt_backfill: completed testing 1(1) jobs",
                "2000 main",
                "2001 start 8 n2");

        assertThat(differences(counts)).containsExactly(name + ": job 8, past nothing, twin start on [n2]");
        assertThat(table(counts.starts)).contains(" 2 3 66.7 %");
        assertThat(counts.cycles).isEqualTo(2);
        assertThat(counts.heldBack.stream().map(held -> held.millis() - LogLines.ZERO + " " + held.nodes()))
                .isEqualTo(heldBack == 0 ? List.of() : List.of("1000 [n2]"));
    }

    /** Where the log does not say when the main scheduler ran, starts of 300 ms are of one run. */
    @ParameterizedTest
    @CsvSource({"1300, 1, 2 2", "1301, 2, 2 3"})
    void starts_close_together_are_of_one_run(long second, int cycles, String starts) throws IOException {
        PerCycle.Counts counts = counts("1000 start 7 n1", second + " start 8 n2");

        assertThat(counts.cycles).isEqualTo(cycles);
        assertThat(table(counts.starts)).contains(starts);
    }

    /** The cycle of backfill has ended, so that a start right after it is of a run of its own. */
    @Test
    void a_start_after_the_end_of_a_cycle_is_of_the_next() throws IOException {
        PerCycle.Counts counts = counts(
                "1000 backfill",
                "1001 filled 7 n1",
                "1002 sched/backfill: _attempt_backfill: completed testing 1(1) jobs",
                "1100 start 8 n2");

        assertThat(differences(counts)).containsExactly("backfill: job 8, past nothing, twin start on [n2]");
        assertThat(table(counts.starts)).contains(" 2 3 66.7 %");
    }

    /** Job 9 is planned for n1 at 601 s, when job 7 is over by its limit. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "601 n1; 1; 1; ",
                "605 n1; 0; 1; ",
                "601 n2; 1; 0; plan in 596 s on [n2], twin plan in 596 s on [n1]",
                "1201 n2; 0; 0; plan in 1196 s on [n2], twin plan in 596 s on [n1]"
            })
    void plans_are_compared_by_their_time_and_by_their_nodes(
            String plan, double inTime, double onNodes, String difference) throws IOException {
        PerCycle.Counts counts = counts(
                "300 submit 9 10",
                "1000 main",
                "1001 start 7 n1",
                "1002 start 8 n2",
                "5000 backfill",
                "5001 plan 9 " + plan);

        assertThat(counts.plansInTime.share()).isEqualTo(inTime);
        assertThat(counts.plansOnNodes.share()).isEqualTo(onNodes);
        assertThat(differences(counts))
                .isEqualTo(difference == null ? List.of() : List.of("backfill: job 9, past " + difference));
        assertThat(counts.starts.share()).isEqualTo(1);
    }

    /** As many as a page holds; every one is counted. */
    @Test
    void the_first_twenty_differences_are_kept() throws IOException {
        List<String> cycles = new ArrayList<>();
        for (int second = 1; second <= 12; second++) {
            cycles.add(1000 * second + " main");
        }

        PerCycle.Counts counts = counts(cycles.toArray(String[]::new));

        assertThat(counts.divergences).hasSize(20);
        assertThat(table(counts.starts)).contains(" 0 24 0.0 %");
        assertThat(counts.heldBack).hasSize(24);
    }

    /** A plan where the past starts, and a start where the past plans: neither is the same. */
    @Test
    void a_plan_is_no_start() throws IOException {
        PerCycle.Counts counts =
                counts("300 submit 9 10", "1000 backfill", "1001 plan 7 1 n1", "1002 plan 8 1 n2", "1003 filled 9 n1");

        assertThat(differences(counts))
                .containsExactly(
                        "backfill: job 7, past plan in 0 s on [n1], twin start on [n1]",
                        "backfill: job 8, past plan in 0 s on [n2], twin start on [n2]",
                        "backfill: job 9, past start on [n1], twin plan in 600 s on [n1]",
                        "backfill: job 7, past plan in 0 s on [n1], twin start on [n1]",
                        "backfill: job 8, past plan in 0 s on [n2], twin start on [n2]");
        assertThat(counts.plansInTime.share()).isEqualTo(0);
        assertThat(counts.plansOnNodes.share()).isEqualTo(0);
        assertThat(table(counts.starts)).contains(" 0 3 0.0 %");
    }

    /** Each task has its plan, under the one name of the array; the last counts. */
    @Test
    void the_plan_of_an_array_has_the_name_of_all_its_tasks() throws IOException {
        recording.job("51_[1-2]", 1, 10);

        PerCycle.Counts counts = counts(
                "300 submit 51 10",
                "1000 main",
                "1001 start 7 n1",
                "1002 start 8 n2",
                "5000 backfill",
                "5001 plan 51_* 601 n1",
                "5002 plan 51_* 1201 n2");

        assertThat(counts.divergences).isEmpty();
        assertThat(counts.plansInTime.share()).isEqualTo(1);
        assertThat(counts.plansOnNodes.share()).isEqualTo(1);
    }
}
