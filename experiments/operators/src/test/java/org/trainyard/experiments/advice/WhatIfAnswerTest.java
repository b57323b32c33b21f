package org.trainyard.experiments.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trainyard.experiments.advice.AnswerOfFour.FIFO;
import static org.trainyard.experiments.advice.AnswerOfFour.PAST;
import static org.trainyard.experiments.advice.AnswerOfFour.waiting;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.blocks.BlockBootstrap;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.metrics.JobMetric;
import org.trainyard.experiments.simulation.LogAccount;
import org.trainyard.experiments.simulation.LoggedMaintenance;

/**
 * Answers to changes: in words, of rows made by hand; and by replays of one server whose jobs run one after the other.
 */
class WhatIfAnswerTest {
    private static final long SECOND = 1_000_000_000L;
    private static final LogAccount NO_JOBS = new LogAccount(List.of(), List.of(), List.of());

    private static WhatIfAnswer.@Nullable Saved saved(double low, double high) {
        return new WhatIfAnswer.Saved(new BlockBootstrap.Bounds(low, high));
    }

    private static WhatIfAnswer.OfGroup group(String name, double low, double high) {
        return new WhatIfAnswer.OfGroup(name, 1200, 3600, 1800, saved(low, high));
    }

    private static WhatIfAnswer answer(@Nullable LogOutcome past, WhatIfAnswer.Row... changes) {
        List<WhatIfAnswer.Row> rows = new ArrayList<>(List.of(new WhatIfAnswer.Row(WhatIfAnswer.NOW, "1x4", FIFO)));
        rows.addAll(List.of(changes));
        Reproduction reproduction = past == null ? null : Reproduction.of(past, FIFO, null);
        return new WhatIfAnswer(
                NO_JOBS,
                "fifo",
                past,
                reproduction == null ? null : Reproduction.Trust.GOOD,
                rows,
                List.of("A note."),
                reproduction,
                List.of());
    }

    private static List<String> lines(WhatIfAnswer answer) {
        return answer.answer()
                .console()
                .lines()
                .map(line -> line.replaceAll(" {2,}", "  "))
                .toList();
    }

    @Test
    void a_clear_change_is_said_with_the_groups_that_it_helps() {
        WhatIfAnswer answer = answer(
                PAST,
                new WhatIfAnswer.Row(
                        "servers=+1",
                        "2x4",
                        waiting("servers=+1", 0, 30),
                        saved(1200, 2400),
                        List.of(group("bio", 60, 120), group("chem", -60, 60), group("geo", -120, -60)),
                        List.of(
                                new WhatIfAnswer.OfGroup("p", 3, 60, 60, null),
                                new WhatIfAnswer.OfGroup("q", 3, 60, 60, null))));

        assertThat(lines(answer))
                .containsExactly(
                        "Past: wait 1 h on average; simulated under fifo, 1 h.",
                        "Trust: good; nothing was fitted; the mean wait is off by 0 % and the p95 by 0 %; 100 % of the jobs"
                                + " start within a minute of their start. The changes are of waits as simulated, not as they"
                                + " were.",
                        "What if servers=+1: the mean wait would change from 1 h to 30 min.",
                        "By account: bio 1 h to 30 min (1,200 jobs); geo 1 h to 30 min (1,200 jobs); no clear change for chem.",
                        "By partition: no clear change for p, q.",
                        "A note.",
                        "",
                        "  cluster  mean wait  p95 wait  p99 wait  longest  GPUs  mean wait saved  95 % interval",
                        "as it was  1 h  1 h  1 h  1 h  50 %",
                        "as it is, simulated  1x4  1 h  1 h  1 h  1 h  50 %",
                        "servers=+1  2x4  30 min  30 min  30 min  30 min  50 %  30 min  20 min .. 40 min");
        JsonNode row = JsonText.read(answer.json()).at("/what_if/1");
        assertThat(row.get("change").asText()).isEqualTo("servers=+1");
        assertThat(row.at("/by_account/2/name").asText()).isEqualTo("geo");
        assertThat(row.at("/by_account/0/wait_now_s").asDouble()).isEqualTo(3600);
        assertThat(row.at("/saved_s/interval/1").asDouble()).isEqualTo(2400);
        assertThat(JsonText.read(answer.json()).at("/what_if/0").has("saved_s")).isFalse();
    }

    @Test
    void a_change_whose_interval_includes_zero_is_no_clear_one() {
        assertThat(lines(answer(
                        null,
                        new WhatIfAnswer.Row(
                                "racks=+1", "2x1x4", waiting("racks=+1", 0, 50), saved(-60, 600), List.of(), List.of()),
                        new WhatIfAnswer.Row("limit=1h", "1x4", waiting("limit=1h", 0, 10)))))
                .startsWith(
                        "What if racks=+1: no clear change of the mean wait of 1 h (the 95 % interval includes 0).",
                        "What if limit=1h: the mean wait would change from 1 h to 10 min.", "A note.")
                .contains("limit=1h  1x4  10 min  10 min  10 min  10 min  50 %");
    }

    /**
     * Jobs of 100 s on all four GPUs, one every 90 s: job n waits 10 n seconds, by two accounts and partitions in turn.
     */
    private static List<TraceJob> queue(int jobs) {
        return IntStream.range(0, jobs)
                .mapToObj(job -> new TraceJob("j" + job, 90L * SECOND * job, 4, 100 * SECOND, null, "u", null, null)
                        .on(SubmissionTerms.NONE
                                .but()
                                .account(job % 4 == 0 ? "bio" : "chem")
                                .partition(job % 2 == 0 ? "p" : "q")
                                .build())
                        .ran(new LoggedRun(100L * SECOND * job, 100L * SECOND * (job + 1))))
                .toList();
    }

    private static WhatIfAnswer asked(List<TraceJob> jobs, String... changes) {
        return asked(jobs, WhatIfAnswer.Sequel.NONE, changes);
    }

    private static WhatIfAnswer asked(List<TraceJob> jobs, WhatIfAnswer.Sequel sequel, String... changes) {
        Topology one = Topologies.parse("1x4:A100");
        return WhatIfAnswer.of(new WhatIfAnswer.Question(
                new LogAccount(jobs, List.of(), List.of()),
                sequel,
                LoggedMaintenance.NONE,
                "1x4:A100",
                text -> Objects.requireNonNull(Topologies.parse(text)),
                NearestScheduler.named("--scheduler", "fifo", one, 1),
                null,
                null,
                Stream.of(changes).map(text -> WhatIf.parse("--what-if", text)).toList(),
                null,
                30,
                1));
    }

    /** A second server ends the queue; replays shift submissions by up to ten seconds. */
    @Test
    void a_second_server_saves_all_waits_in_every_group_of_twenty_jobs() {
        WhatIfAnswer answer = asked(queue(40), "servers=+1");
        WhatIfAnswer.Row now = answer.whatIf().get(0);
        WhatIfAnswer.Row then = answer.whatIf().get(1);

        assertThat(now.change()).isEqualTo("as it is, simulated");
        assertThat(now.log().jobs()).as("four replays of forty jobs").isEqualTo(160);
        assertThat(now.log().waits().mean()).isBetween(190.0, 205.0);
        assertThat(then.cluster()).isEqualTo("2x4:A100");
        assertThat(then.log().waits().mean()).isZero();
        assertThat(Objects.requireNonNull(then.saved()).interval().low()).isGreaterThan(60);
        assertThat(then.accounts()).extracting(WhatIfAnswer.OfGroup::name).containsExactly("bio", "chem");
        assertThat(then.accounts()).extracting(WhatIfAnswer.OfGroup::jobs).containsExactly(10, 30);
        assertThat(then.accounts().get(0).saved()).as("of fewer than twenty").isNull();
        assertThat(then.accounts().get(1).isClear()).isTrue();
        assertThat(then.partitions()).extracting(WhatIfAnswer.OfGroup::jobs).containsExactly(20, 20);
        assertThat(then.partitions().get(0).now()).isBetween(180.0, 200.0);
        assertThat(then.partitions().get(0).then()).isZero();
        assertThat(Objects.requireNonNull(answer.past()).waits().mean()).isEqualTo(195);
        assertThat(answer.trust()).isEqualTo(Reproduction.Trust.GOOD);
        assertThat(answer.timelines()).hasSize(2);
        assertThat(answer.notes())
                .containsExactly(
                        "Not known: the limits of QOS and accounts, under which jobs may wait longer than here.",
                        "Each row: 4 replays, all but the first with submissions up to 10 s later. The 95 % intervals also"
                                + " count how these differ, and how far the replay without a change is from the past.");
    }

    /** One of 1,000 s holds the server before the last of the queue, which else waits for 390 s. */
    @Test
    void jobs_beside_those_of_the_log_hold_gpus_in_every_row_and_count_in_none() {
        WhatIfAnswer answer = asked(
                queue(40),
                new WhatIfAnswer.Sequel(
                        replay -> List.of(new TraceJob(
                                "beside", 3500 * SECOND, 4, (1000 + replay) * SECOND, null, "u", null, null)),
                        List.of("One is beside.")),
                "servers=+1");
        WhatIfAnswer.Row now = answer.whatIf().get(0);
        WhatIfAnswer.Row then = answer.whatIf().get(1);

        assertThat(now.log().jobs()).isEqualTo(160);
        assertThat(now.log().values(JobMetric.WAIT)[4 * 38]).isEqualTo(380);
        assertThat(now.log().values(JobMetric.WAIT)[4 * 39]).isEqualTo(1390);
        assertThat(then.log().values(JobMetric.WAIT)[4 * 39])
                .as("until job 38 ends")
                .isEqualTo(10);
        assertThat(now.log().gpusHeld())
                .as("of all, for they run until 5,000 s")
                .isBetween(0.97, 1.0);
        assertThat(answer.notes()).contains("One is beside.");
    }

    /** Other GPUs; a limit that no job meets; the same jobs in half of the time. */
    @Test
    void what_changes_do_is_noted() {
        List<TraceJob> jobs = queue(30);

        assertThat(asked(jobs, "gpus=V100", "limit=1h", "arrivals=2").notes())
                .contains(
                        "limit=1h: longer limits are cut to it; 0 jobs of the log run longer and end there, without 0.0"
                                + " GPU-hours of their work.",
                        "limit=1h: every job waits exactly as it does without it.",
                        "arrivals=2: the same jobs, submitted in 50 % of the time.")
                .anySatisfy(note -> assertThat(note)
                        .startsWith("gpus=V100: run times are those of the log times ")
                        .endsWith(", by nominal speeds of the types, not measured."));
    }

    @Test
    void few_jobs_with_a_past_and_one_partition_have_no_rows_of_their_own() {
        List<TraceJob> jobs = queue(29).stream()
                .map(job -> job.on(SubmissionTerms.NONE.but().partition("p").build()))
                .toList();
        List<TraceJob> one = new ArrayList<>(jobs);
        one.set(0, one.get(0).ran(null));

        WhatIfAnswer answer = asked(one, "servers=+1");

        assertThat(answer.past()).isNull();
        assertThat(answer.trust()).isNull();
        assertThat(answer.whatIf().get(1).partitions()).isEmpty();
        assertThat(answer.whatIf().get(1).accounts()).isEmpty();
    }

    @Test
    void a_change_of_slurm_under_another_scheduler_is_refused() {
        assertThatThrownBy(() -> asked(queue(30), "bf_window=60"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("for fifo is not Slurm");
    }

    @Test
    void a_log_without_a_job_that_fits_is_refused() {
        assertThatThrownBy(() -> asked(List.of(), "servers=+1"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("a cluster on which jobs of the log fit");
    }
}
