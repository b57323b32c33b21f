package org.trainyard.experiments.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.io.JsonText;

/**
 * {@code when}, on the log of a server with four GPUs that runs one job of 100 s after the other, first in, first out.
 */
class WhenCommandTest {
    private static final int JOBS = 60;

    @TempDir
    private Path folder;

    private String log = "";

    @BeforeEach
    void write_a_log() throws IOException {
        List<String> lines = new ArrayList<>(List.of("job,submit_s,gpus,duration_s,start_s,end_s"));
        for (int job = 0; job < JOBS; job++) {
            lines.add("j%d,%d,4,100,%d,%d".formatted(job, 90 * job, 100 * job, 100 * job + 100));
        }
        log = Files.write(folder.resolve("log.csv"), lines).toString();
    }

    private Shell when(String... more) {
        List<String> args = new ArrayList<>(List.of("when", log, "--cluster", "1x4"));
        args.addAll(List.of(more));
        return Shell.run(args);
    }

    @Test
    void where_nothing_is_random_the_start_is_exact() throws IOException {
        Shell shell = when("--job", "4 gpus", "--scheduler", "fifo", "--learn", "0", "--futures", "5", "--json");

        assertThat(shell.code()).as(shell.err()).isZero();
        JsonNode answer = JsonText.read(shell.out());
        // At the last submission, 5310 s, job 53 runs until 5400 s and jobs 54 to 59 wait.
        assertThat(answer.get("now_s").asDouble()).isEqualTo(5310);
        for (String quantile : List.of("p10", "p50", "p90")) {
            assertThat(answer.get("wait_s").get(quantile).asDouble()).isEqualTo(690);
        }
        assertThat(answer.get("ahead")).hasSize(6);
        assertThat(answer.get("reasons").get(0).asText())
                .startsWith("Priority: 6 waiting jobs for 24 GPUs come before it");
    }

    @Test
    void a_waiting_job_of_the_log_is_forecast_from_a_time() throws IOException {
        Shell shell =
                when("--id", "j50", "--at", "4600", "--scheduler", "fifo", "--learn", "0", "--futures", "3", "--json");

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(JsonText.read(shell.out()).get("wait_s").get("p50").asDouble())
                .isEqualTo(400);
    }

    @Test
    void a_waiting_job_is_calibrated_by_those_that_waited_at_past_moments() throws IOException {
        Shell shell = when("--id", "j59", "--scheduler", "fifo", "--learn", "60", "--futures", "3", "--json");

        assertThat(shell.code()).as(shell.err()).isZero();
        JsonNode answer = JsonText.read(shell.out());
        // At the submissions of jobs 20, 26, 33, 40, 46 and 53 there wait 1, 2, 3, 3, 4 and 5 jobs.
        assertThat(answer.get("calibrated_by").asInt()).isEqualTo(18);
        for (String quantile : List.of("p10", "p50", "p90")) {
            assertThat(answer.get("wait_s").get(quantile).asDouble()).isCloseTo(590, within(1e-6));
        }
    }

    @Test
    void equal_questions_get_equal_answers_in_words() {
        String[] question = {"--job", "2 gpus, 5 min, user ann", "--futures", "10", "--learn", "20"};

        Shell shell = when(question);

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out())
                .contains("Now: ", "4 of 4 GPUs held by 1 job", "Starts: in ", "Waits for: ", "Calibration: ")
                .isEqualTo(when(question).out());
    }

    /** The past was not first in, first out, as the configuration is; the futures are. */
    @Test
    void a_slurm_conf_beside_the_log_is_what_the_futures_run_under() throws IOException {
        List<String> lines = new ArrayList<>(List.of("job,submit_s,gpus,duration_s,start_s,end_s"));
        for (int job = 0; job < JOBS; job++) {
            // The last of each three starts first.
            int start = 300 * (job / 3) + 100 * (2 - job % 3) + 10;
            lines.add("j%d,%d,%d,100,%d,%d".formatted(job, 300 * (job / 3), 4 - job % 3, start, start + 100));
        }
        log = Files.write(folder.resolve("log.csv"), lines).toString();
        Files.writeString(folder.resolve("slurm.conf"), """
                SchedulerType=sched/builtin
                NodeName=n1 CPUs=16 Gres=gpu:4
                PartitionName=all Nodes=n1 Default=YES
                """);

        Shell shell = when("--job", "4 gpus", "--futures", "2", "--learn", "0");

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out())
                .contains("under slurm:" + folder.resolve("slurm.conf") + ", as the cluster is configured (waits of");
        Path elsewhere = Files.createDirectories(folder.resolve("etc")).resolve("slurm.conf");
        Files.move(folder.resolve("slurm.conf"), elsewhere);
        Shell named = when("--job", "4 gpus", "--futures", "2", "--learn", "0", "--slurm", elsewhere.toString());
        assertThat(named.out()).contains("under slurm:" + elsewhere + ", as the cluster is configured (waits of");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--job|8 gpus|a job that fits",
                "--job|many gpus|\"8 gpus, 4 h, account a\"",
                "--job|4 h|a number of GPUs above 0",
                "--id|j999|a job that waits at 5,310 s",
                "--futures|0|Missing required argument (specify one of these): (--job=TEXT | --id=ID)",
                "--job=4gpus --id|j9|--job=TEXT, --id=ID are mutually exclusive",
                "--job=4gpus --futures|0|--futures"
            })
    void a_wrong_question_is_refused_in_two_lines_at_most(String option, String value, String says) {
        List<String> words = new ArrayList<>(List.of(option.split(" ")));
        words.addAll(List.of(value, "--scheduler", "fifo"));
        Shell shell = when(words.toArray(String[]::new));

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains(says);
        assertThat(shell.err().lines()).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void a_log_without_starts_is_refused_in_a_line() throws IOException {
        Path bare = Files.writeString(folder.resolve("bare.csv"), "job,submit_s,gpus,duration_s\na,0,1,10\n");
        Shell shell = Shell.command("when %s --cluster 1x4 --job %s", bare, "1 gpu");

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).hasLineCount(1).contains("at least 30");
    }

    /**
     * The intervals of a backtest, by job. At the last submission, 2950 s, jobs 30 on wait; they start so much later.
     */
    private Map<String, String> intervals(int secondsLater) throws IOException {
        Path changed = folder.resolve("later-%d.csv".formatted(secondsLater));
        List<String> lines = new ArrayList<>(List.of("job,submit_s,gpus,duration_s,start_s,end_s"));
        for (int job = 0; job < JOBS; job++) {
            int start = 100 * job + (job < 30 ? 0 : secondsLater);
            lines.add("j%d,%d,4,100,%d,%d".formatted(job, 50 * job, start, start + 100));
        }
        Shell shell = Shell.command(
                "when backtest %s --cluster 1x4 --scheduler fifo --maintenance none --futures 3 --learn 40 --json",
                Files.write(changed, lines));
        assertThat(shell.code()).as(shell.err()).isZero();
        Map<String, String> intervals = new TreeMap<>();
        for (JsonNode one : JsonText.read(shell.out()).get("forecasts")) {
            intervals.put(one.get("job").asText(), one.get("wait_s").toString());
        }
        return intervals;
    }

    @Test
    void a_backtest_knows_no_waits_that_end_after_the_submission() throws IOException {
        Map<String, String> intervals = intervals(0);

        assertThat(intervals).hasSize(JOBS / 3).containsKey("j59");
        assertThat(intervals(5000)).isEqualTo(intervals);
    }

    /** Of a real Slurm; every log of the folder is measured in docs/guides/when.md. */
    @Test
    void intervals_cover_the_starts_of_a_real_slurm_under_easy() throws IOException {
        Path recording = Path.of(System.getProperty("trainyard.root", ".."), "../shared/data/slurm_real/R2e/sacct.txt");
        assumeThat(recording).as("recordings of a real Slurm are absent").exists();
        Shell shell = Shell.command(
                "when backtest %s --cluster 8x4 --scheduler easy --futures 15 --learn 40 --json", recording);

        assertThat(shell.code()).as(shell.err()).isZero();
        JsonNode answer = JsonText.read(shell.out());
        assertThat(answer.get("coverage_80").asDouble()).isBetween(0.6, 0.97);
        assertThat(answer.get("error_s").get("median").asDouble())
                .isLessThan(
                        answer.get("others").get(0).get("error_s").get("median").asDouble());
    }
}
