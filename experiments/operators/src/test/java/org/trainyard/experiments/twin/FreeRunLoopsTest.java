package org.trainyard.experiments.twin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.slurm.LoopTimer;

/**
 * Free runs with cycles as the loops would keep them, written by hand. Jobs are submitted and the loop looks first at
 * 100 ms; later looks are those of a second timer of the same seed, which nothing else draws from without backfill.
 */
class FreeRunLoopsTest {
    private static final String FIFO = SmallRecording.CONF
            .replace("sched/backfill", "sched/builtin")
            .replace("bf_resolution=1", "batch_sched_delay=0,sched_interval=1");
    private static final long FIRST = LogLines.ZERO + 100;

    @TempDir
    private Path folder;

    private static LoopTimer timer(TwinFolder files) {
        return new LoopTimer(files.cluster().parameters(), FIRST, FIRST, 3);
    }

    private static Map<String, FreeRun.Run> runs(TwinFolder files) {
        return new FreeRun(files, new RecordedTimes(files, List.of()), timer(files), begun -> {}).run();
    }

    private static long start(Map<String, FreeRun.Run> runs, String job) {
        return Objects.requireNonNull(runs.get(job)).startMillis();
    }

    /** The first look that is not before a time. */
    private static long lookAfter(TwinFolder files, long millis) {
        LoopTimer timer = timer(files);
        long look = FIRST;
        while (look < millis) {
            look = timer.nextMain(look);
        }
        return look;
    }

    /** Job 7 ran for 20 s; without starts in the log nodes are clean 50 ms after their jobs. */
    @Test
    void the_main_scheduler_runs_in_the_first_look_after_a_node_is_clean() throws IOException {
        TwinFolder files = new SmallRecording(folder)
                .conf(FIFO.replace("n[1-2]", "n1"))
                .ran("7", "COMPLETED", "08:00:01", "08:00:21", "n1")
                .job("8", 1, 10)
                .folder("100 submit 7 30", "100 submit 8 20", "150 end 99");

        Map<String, FreeRun.Run> runs = runs(files);

        assertThat(start(runs, "7")).isEqualTo(FIRST);
        assertThat(start(runs, "8")).isEqualTo(lookAfter(files, FIRST + 20_050));
        assertThat(Objects.requireNonNull(runs.get("8")).backfilled()).isFalse();
    }

    /** Job 7 ends 1000 ms after its start, and the next look is 2 to 50 ms later: n1 is not clean, n2 is free. */
    @ParameterizedTest
    @CsvSource({"0, 1", "32, 2"})
    void with_complete_wait_no_job_starts_while_a_node_is_being_cleaned(int wait, int look) throws IOException {
        TwinFolder files = new SmallRecording(folder)
                .conf("CompleteWait=%d\n".formatted(wait) + FIFO)
                .ran("7", "COMPLETED", "08:00:01", "08:00:02", "n1")
                .job("8", 1, 10)
                .folder("100 submit 7 30", "900 submit 8 20", "950 end 99");
        long first = lookAfter(files, FIRST + 1);
        long second = lookAfter(files, first + 1);

        assertThat(first - FIRST - 1000).isBetween(1L, 49L);
        assertThat(start(runs(files), "8")).isEqualTo(look == 1 ? first : second);
    }

    /** The main scheduler is not due again; the loop of backfill looks every two seconds and some milliseconds. */
    @Test
    void the_loop_of_backfill_starts_what_the_main_scheduler_is_not_due_for() throws IOException {
        TwinFolder files = new SmallRecording(folder)
                .conf(SmallRecording.CONF
                        .replace("n[1-2]", "n1")
                        .replace("bf_resolution=1", "bf_interval=2,batch_sched_delay=100000,sched_interval=100000"))
                .ran("7", "COMPLETED", "08:00:01", "08:00:22", "n1")
                .job("8", 1, 10)
                .folder("100 submit 7 30", "100 submit 8 20", "150 end 99");

        Map<String, FreeRun.Run> runs = runs(files);
        FreeRun.Run second = Objects.requireNonNull(runs.get("8"));

        assertThat(start(runs, "7")).isEqualTo(FIRST);
        assertThat(second.backfilled()).isTrue();
        assertThat(second.startMillis() - FIRST).isBetween(22_011L, 22_060L);
        assertThat(second.planned())
                .as("two seconds before, by the limit of job 7")
                .isEqualTo(new FreeRun.Plan(580, 1));
    }

    /** The job runs 3999 ms as in the log, and the scheduler when its epilog ends 250 ms later, wherever looks are. */
    @Test
    void the_epilog_of_a_killed_job_makes_the_main_scheduler_run() throws IOException {
        TwinFolder files = new SmallRecording(folder)
                .conf(FIFO.replace("n[1-2]", "n1"))
                .job("7", 1, 10)
                .job("8", 1, 10)
                .folder("100 submit 7 30", "100 submit 8 20", "1001 start 7 n1", "5000 killed 7");

        assertThat(start(runs(files), "8") - LogLines.ZERO).isEqualTo(100 + 3999 + 250);
    }

    /** 20 minutes without anything to do: the loop is followed again in the last second before the second job. */
    @Test
    void an_idle_hour_is_passed_over() throws IOException {
        TwinFolder files = new SmallRecording(folder)
                .conf(FIFO)
                .ran("7", "COMPLETED", "08:00:01", "08:00:02", "n1")
                .ran("8", "COMPLETED", "08:20:01", "08:20:02", "n1")
                .folder("100 submit 7 30", "1200000 submit 8 20");

        assertThat(start(runs(files), "8") - LogLines.ZERO).isBetween(1_200_000L, 1_201_060L);
    }
}
