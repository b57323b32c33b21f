package org.trainyard.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.workload.Attachments;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.Runs;

/**
 * Tables of accounts and limits, of four GPUs: account a has a job from 0 to 100 s and one that waits for it until it
 * is killed at 200 s; the job of account b starts after 20 s and takes 100 s.
 */
class JobFiguresAnswerTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path folder;

    private static JobOutcome job(
            int id, @Nullable String user, SubmissionTerms terms, long start, long end, boolean timedOut) {
        JobSpec spec = new JobSpec(
                id,
                "job-" + id,
                0,
                Demand.ofGpus(1),
                Runs.job(0, 0, 0, 1).job().model(),
                TrainingPlan.RingAllReduce.INSTANCE,
                10,
                user,
                null,
                null,
                Attachments.NONE,
                terms);
        long nanos = (end - start) * SECOND;
        return new JobOutcome(
                spec,
                start * SECOND,
                end * SECOND,
                new JobOutcome.TimeOnGpus(nanos, nanos, 0, 0),
                0,
                0,
                1,
                1,
                1,
                0,
                0,
                0,
                timedOut);
    }

    private static SubmissionTerms of(@Nullable String account, @Nullable String qos) {
        return new SubmissionTerms.Builder()
                .account(account)
                .qos(qos)
                .limitNanos(100 * SECOND)
                .build();
    }

    private static RunResult episode(JobOutcome... jobs) {
        return new RunResult(List.of(jobs), List.of(), 4, 300, 3, 9, "hash");
    }

    private static Evaluation accounts(@Nullable String user, @Nullable String qos) {
        return Evaluation.of(
                List.of(Runs.heuristic(
                        "fifo",
                        episode(
                                job(0, "u", of("a", null), 0, 100, false),
                                job(1, "u", of("a", null), 100, 200, true),
                                job(2, user, of("b", qos), 20, 120, false)))),
                1);
    }

    private static List<String> lines(Evaluation evaluation) {
        return new JobFiguresAnswer(evaluation, evaluation.scores())
                .parties()
                .console()
                .lines()
                .map(line -> line.replaceAll(" {2,}", "  "))
                .toList();
    }

    /**
     * Account a waits for 0 and 100 s, and holds one GPU of two that are its part while its job waits; account b waits
     * for 20 s and holds nothing until then. Users u and v are these accounts again.
     */
    @Test
    void accounts_have_their_waits_their_parts_and_the_jobs_that_were_killed() {
        assertThat(lines(accounts("v", null)))
                .containsExactly(
                        "scheduler  shortest wait, account  longest wait  least of its part  most killed at limits",
                        "fifo  20 s b  50 s a  0.00 b  1 of 2 a",
                        "Mean wait of the jobs of each account. Least of its part: GPUs held over an equal part of the cluster"
                                + " while its jobs wait.",
                        "",
                        "scheduler  shortest wait, user  longest wait  least of its part  most killed at limits",
                        "fifo  20 s v  50 s u  0.00 v  1 of 2 u",
                        "Mean wait of the jobs of each user. Least of its part: GPUs held over an equal part of the cluster"
                                + " while its jobs wait.",
                        "");
    }

    /** One user has no table; jobs with and without a QOS have one. */
    @Test
    void a_table_has_two_groups_at_least() {
        List<String> lines = lines(accounts("u", "high"));

        assertThat(lines.stream().filter(line -> line.startsWith("scheduler")))
                .containsExactly(
                        "scheduler  shortest wait, account  longest wait  least of its part  most killed at limits",
                        "scheduler  shortest wait, QOS  longest wait  least of its part  most killed at limits");
        assertThat(lines).contains("fifo  20 s high  50 s (none)  0.00 high  1 of 2 (none)");
        Evaluation alone =
                Evaluation.of(List.of(Runs.heuristic("fifo", episode(job(0, "u", of("a", "q"), 0, 100, false)))), 1);
        assertThat(lines(alone)).isEmpty();
    }

    @Test
    void jobs_that_never_waited_and_were_never_killed_have_no_figures() {
        Evaluation evaluation = Evaluation.of(
                List.of(Runs.heuristic(
                        "fifo",
                        episode(job(0, "u", of("a", null), 0, 100, false), job(1, "u", of("b", null), 0, 100, false)))),
                1);

        assertThat(lines(evaluation)).contains("fifo  0 s a  0 s a  none");
    }

    @Test
    void jobs_killed_at_their_limits_are_said_in_a_sentence_and_to_machines() {
        Evaluation evaluation = accounts("v", null);
        JsonNode scheduler = SummaryJson.of(JsonNodeFactory.instance.objectNode(), 1, evaluation, null)
                .tree()
                .get("schedulers")
                .get(0);

        assertThat(new JobFiguresAnswer(evaluation, evaluation.scores()).rejections())
                .containsExactly(
                        "fifo: 1 of 3 jobs were killed at their time limits, and count with their times until then.");
        assertThat(scheduler.get("timed_out").asInt()).isEqualTo(1);
        assertThat(scheduler.at("/by/account/0/name").asText()).isEqualTo("a");
        assertThat(scheduler.has("rejected")).isFalse();
        assertThat(new JobFiguresAnswer(Runs.example(2, 5), List.of()).rejections())
                .isEmpty();
    }

    /** Held means before it was allowed to start; terms bring five columns. */
    @Test
    void jobs_with_terms_have_columns_of_them() throws IOException {
        Path file = folder.resolve("jobs.csv");
        JobOutcome plain = job(0, null, SubmissionTerms.NONE, 0, 100, false);
        Evaluation evaluation = Evaluation.of(
                List.of(Runs.heuristic("fifo", episode(plain, job(1, "=u", of("a", "q"), 100, 200, true)))), 1);

        JobsCsv.write(file, evaluation);

        List<String> ends = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            ends.add(line.substring(
                    line.indexOf(",placement") < 0 ? line.indexOf(",0,0,0") : line.indexOf(",placement")));
        }
        assertThat(ends)
                .containsExactly(",placement,account,qos,limit,held,timed_out", ",0,0,0,,,,0,0", ",0,0,0,a,q,100,0,1");
        assertThat(Files.readAllLines(file).get(2)).contains(",'=u,");
    }
}
