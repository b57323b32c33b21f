package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.simulation.LogAccount;

/** Every command says first what it leaves out of a log, and gives no answer of a part that nobody asked for. */
class LogAccountTest {
    private static final String TYPED =
            "Left out: 40 jobs ask for GPUs of type A100, which 2x4 lacks (80.0 GPU-hours).";

    @TempDir
    private Path folder;

    private Path log = Path.of("");

    /** 40 typed jobs and 60 others, of 2 GPUs and an hour. */
    @BeforeEach
    void write_a_log() throws IOException {
        log = Files.write(folder.resolve("log.csv"), rows());
    }

    private static List<String> rows() {
        List<String> rows = new ArrayList<>(List.of("job,submit_s,gpus,duration_s,gpu_types,start_s,end_s"));
        for (int job = 0; job < 100; job++) {
            int at = 900 * job;
            rows.add("j%d,%d,2,3600,%s,%d,%d".formatted(job, at, job % 5 < 2 ? "A100" : "", at, at + 3600));
        }
        return rows;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "when %s --cluster 2x4 --job 2gpus --scheduler fifo --learn 0 --futures 2",
                "when backtest %s --cluster 2x4 --scheduler fifo --learn 5 --futures 2",
                "advise %s --cluster 2x4",
                "advise %s --cluster 2x4 --search --search-evaluations 2",
                "advise %s --cluster 2x4 --what-if arrivals=1.2 --scheduler fifo",
                "shadow %s --cluster 2x4 --scheduler fifo",
                "simulate --trace %s --cluster 2x4 --scheduler fifo"
            })
    void less_than_most_of_the_gpu_hours_is_refused_unless_a_part_is_wanted(String command) {
        Shell refused = Shell.command(command, log);
        Shell partial = Shell.command(command + " --partial", log);

        assertThat(refused.code()).as(refused.err()).isEqualTo(2);
        assertThat(refused.err()).contains("'60.0 % of its GPU-hours' is not valid", "--partial", TYPED);
        assertThat(refused.out()).isEmpty();
        assertThat(partial.code()).as(partial.err()).isZero();
        assertThat(partial.out())
                .startsWith("Log: 60 of 100 jobs are used, 60.0 % of the GPU-hours." + System.lineSeparator() + TYPED);
    }

    @Test
    void inspect_says_what_is_left_out_before_any_figure() throws IOException {
        Path sacct = Files.write(
                folder.resolve("sacct.txt"),
                List.of(
                        "JobID|State|Submit|Start|End|AllocTRES",
                        "1|COMPLETED|2026-03-02T08:00:00|2026-03-02T08:00:00|2026-03-02T09:00:00|gres/gpu=2",
                        "2|COMPLETED|2026-03-02T08:00:00|2026-03-02T08:00:00|2026-03-02T09:00:00|cpu=2"));

        String[] lines = Shell.command("inspect %s", sacct).out().split("\\R", -1);

        assertThat(lines[1]).startsWith("left out       1 job without GPUs");
    }

    @Test
    void machines_get_the_account_too() {
        Shell shell = Shell.command(
                "when %s --cluster 2x4 --job 2gpus --scheduler fifo --learn 0 --futures 2 --partial --json", log);

        assertThat(JsonText.read(shell.out()).at("/left_out/0/jobs").asInt()).isEqualTo(40);
    }

    @Test
    void jobs_that_ran_in_the_log_and_never_start_here_are_not_used() {
        List<TraceJob> ran = TraceReader.read(log, TraceReader.Options.DEFAULT).jobs();
        List<LeftOut> never = List.of(new LeftOut("can never start: too wide", 20, 0.3 * 200));
        LogAccount account = new LogAccount(ran, List.of(), never);
        List<TraceJob> undated = ran.stream()
                .map(job -> new TraceJob(
                        job.id(), 0, job.demand(), job.durationNanos(), job.model(), job.user(), job.group(), null))
                .toList();

        assertThatThrownBy(() -> account.requireMost("log.csv", false, null))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("'76.9 % of its GPU-hours'")
                .hasMessageContaining("20 jobs can never start: too wide");
        assertThat(account.requireMost("log.csv", true, null)).isEqualTo(account);
        assertThat(new LogAccount(undated, List.of(), never).requireMost("log.csv", false, null))
                .isNotNull();
    }

    /** Three jobs of 5 GPU-hours are used. */
    @Test
    void the_part_that_is_left_out_is_of_the_whole_log_and_a_line_that_cannot_be_read_counts_as_the_mean_job() {
        LeftOut dateless = new LeftOut("without a start", 2, 5);
        LeftOut unreadable = new LeftOut(LeftOut.UNREADABLE, 2, 0);

        assertThat(LogAccount.share(List.of(), 15, 3)).isZero();
        assertThat(LogAccount.share(List.of(dateless), 15, 3)).isEqualTo(0.25);
        assertThat(LogAccount.share(List.of(unreadable), 15, 3)).isEqualTo(0.4);
        assertThat(LogAccount.share(List.of(dateless, unreadable), 15, 3)).isEqualTo(0.5);
    }
}
