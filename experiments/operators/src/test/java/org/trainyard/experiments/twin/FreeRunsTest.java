package org.trainyard.experiments.twin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.slurm.LoopTimer;

class FreeRunsTest {
    private static final Offset<Double> ROUNDING = Offset.offset(1e-9);

    @TempDir
    private Path folder;

    private static void run(Map<String, TwinRun> runs, String job, long submitSecond, long startMillis, String node) {
        runs.put(job, new TwinRun(job, submitSecond, startMillis, -1, List.of(node), false, false, true));
    }

    /**
     * Of jobs a to e that started in the past, the second recording has a, b and c; job d never started in the first.
     */
    @Test
    void figures_are_of_the_jobs_that_started_in_both() {
        Map<String, TwinRun> past = new LinkedHashMap<>();
        run(past, "a", 0, 0, "n1");
        run(past, "b", 0, 100_000, "n1");
        run(past, "c", 0, 200_000, "n2");
        run(past, "d", 0, -1, "");
        run(past, "e", 0, 300_000, "n1");
        Map<String, TwinRun> again = new LinkedHashMap<>();
        run(again, "a", 1000, 1_005_000, "n1");
        run(again, "b", 1010, 1_069_999, "n2");
        run(again, "c", 1200, 1_260_000, "n2");
        run(again, "d", 1000, 1_050_000, "n1");
        run(again, "e", 1000, -1, "");
        run(again, "f", 1000, 1_000_000, "n1");

        FreeRuns.Figures figures = FreeRuns.between(past, again, 1_000_000);

        assertThat(figures.within5()).as("a, 5 s later").isEqualTo(1 / 3.0);
        assertThat(figures.within30()).as("and b, 30.001 s before, not").isEqualTo(1 / 3.0);
        assertThat(figures.within60()).as("and c, 60 s later").isEqualTo(1);
        assertThat(figures.sameNodes()).isEqualTo(2 / 3.0);
        assertThat(figures.mean()).as("of 5, 59.999 and 60 s").isCloseTo(124.999 / 3, ROUNDING);
        assertThat(figures.waits().p95()).isEqualTo(60);
        assertThat(figures.missing()).isEqualTo(1);
        assertThat(figures.spread()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"30000, 1, 1", "30001, 0, 1", "60000, 0, 1", "60001, 0, 0"})
    void a_start_is_within_a_span_up_to_its_end(long later, double within30, double within60) {
        Map<String, TwinRun> past = new LinkedHashMap<>();
        run(past, "a", 0, 100_000, "n1");
        Map<String, TwinRun> again = new LinkedHashMap<>();
        run(again, "a", 0, 100_000 + later, "n1");

        FreeRuns.Figures figures = FreeRuns.between(past, again, 0);

        assertThat(List.of(figures.within5(), figures.within30(), figures.within60()))
                .containsExactly(0.0, within30, within60);
    }

    /** The wait that is longer than those of 95 of a hundred jobs, as far as there are so many. */
    @ParameterizedTest
    @CsvSource({"1, 1", "20, 20", "21, 20", "40, 39"})
    void waits_have_their_mean_and_95th_percentile(int jobs, double p95) {
        Map<String, TwinRun> past = new LinkedHashMap<>();
        IntStream.rangeClosed(1, jobs).forEach(job -> run(past, "j" + job, 50, 50_000 + 1000L * job, "n1"));
        run(past, "waits", 50, -1, "");

        assertThat(FreeRuns.waits(past)).isEqualTo(new FreeRuns.Waits((jobs + 1) / 2.0, p95));
        assertThat(FreeRuns.waits(Map.of())).isEqualTo(new FreeRuns.Waits(Double.NaN, Double.NaN));
    }

    @ParameterizedTest
    @CsvSource({"1, 81", "300, 81", "301, 80", "2430, 10", "2431, 9", "9000, 9"})
    void long_recordings_are_played_with_fewer_phases(int jobs, int phases) throws IOException {
        TwinFolder files = new SmallRecording(folder)
                .job("7_[1-%d]".formatted(jobs), 1, 10)
                .folder();

        assertThat(FreeRuns.phases(files)).isEqualTo(phases);
    }

    /** Looks of the main loop go on from 3 s before the job; without backfill nothing else draws from the timer. */
    @Test
    void a_run_with_modelled_cycles_starts_a_job_in_the_first_look_of_each_phase() throws IOException {
        TwinFolder files = new SmallRecording(folder)
                .conf(SmallRecording.CONF.replace("sched/backfill", "sched/builtin"))
                .job("7", 1, 10)
                .job("8", 1, 10)
                .folder("0 submit 7 10", "0 submit 8 9", "1000 start 7 n1", "2000 start 8 n2");
        RecordedTimes times = new RecordedTimes(files, List.of());
        List<Double> waits = new ArrayList<>();
        for (int phase = 0; phase < 5; phase++) {
            long look = LogLines.ZERO - 3000 + phase * 337 % 1012;
            LoopTimer timer = new LoopTimer(files.cluster().parameters(), look, look, phase);
            while (look < LogLines.ZERO) {
                look = timer.nextMain(look);
            }
            waits.add((look - LogLines.ZERO) / 1000.0);
        }
        double mean = waits.stream().mapToDouble(wait -> wait).average().orElseThrow();
        double squares =
                waits.stream().mapToDouble(wait -> Math.pow(wait - mean, 2)).sum();

        FreeRuns.Figures figures = FreeRuns.modelled(files, times, 5);

        assertThat(figures.mean()).isCloseTo(mean, ROUNDING);
        assertThat(figures.waits().p95()).isCloseTo(mean, ROUNDING);
        assertThat(figures.spread()).isCloseTo(Math.sqrt(squares / 4), ROUNDING);
        assertThat(List.of(figures.within5(), figures.within30(), figures.within60(), figures.sameNodes()))
                .containsOnly(1.0);
        assertThat(figures.missing()).isZero();
    }

    /** Jobs 7 and 10 start in both; job 8 started late in the past; job 9 never does here, for no cycle comes. */
    @Test
    void starts_that_differ_are_told_with_both_nodes_loops_and_plans() throws IOException {
        TwinFolder files = new SmallRecording(folder)
                .job("7", 1, 10)
                .job("8", 1, 10)
                .job("9", 1, 10)
                .job("10", 1, 10)
                .folder(
                        "100 submit 7 30",
                        "150 submit 10 25",
                        "200 submit 8 20",
                        "1000 main",
                        "1001 start 7 n1",
                        "1002 start 10 n2",
                        "2000 backfill",
                        "2001 plan 8 601 n2",
                        "6000 end 10",
                        "6500 full",
                        "8000 submit 9 10",
                        "20000 backfill",
                        "20001 filled 8 n2",
                        "50000 end 8",
                        "60001 start 9 n1");
        List<String> lines = new ArrayList<>();

        FreeRuns.Figures figures =
                Objects.requireNonNull(FreeRuns.recorded(files, new RecordedTimes(files, List.of()), lines));

        assertThat(lines)
                .containsExactly(
                        "job 8: past backfill at 19.9 s on [n2], planned before for 599 s later, on 1 node; twin main at 6.4 s on [n2], planned before for 599 s later, on 1 node",
                        "job 9: past at 59.9 s on [n1]; twin never");
        assertThat(figures.missing()).isEqualTo(1);
    }
}
