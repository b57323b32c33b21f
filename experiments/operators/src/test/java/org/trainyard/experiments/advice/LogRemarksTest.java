package org.trainyard.experiments.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.LogFormats;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.simulation.FreeWait;
import org.trainyard.experiments.simulation.LogAccount;
import org.trainyard.experiments.simulation.LoggedCluster;

/** What a reader of an answer has to know of the log, on a cluster of four GPUs. */
class LogRemarksTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Topology FOUR = Topologies.parse("1x4");

    private static TraceJob job(int gpus, long start, long end, long lasts) {
        return new TraceJob("j" + start, start * SECOND, gpus, lasts * SECOND, null, null, null, null)
                .ran(new LoggedRun(start * SECOND, end * SECOND));
    }

    private static AdviceQuestion question(@Nullable String own, TraceJob... jobs) {
        return question(own, true, jobs);
    }

    private static AdviceQuestion question(@Nullable String own, boolean isPartial, TraceJob... jobs) {
        return new AdviceQuestion(
                LogReplays.world(FOUR, 1),
                List.of(jobs),
                List.of(),
                isPartial,
                RankingMetric.MEAN_WAIT,
                null,
                new LogReplays.Limits(null, 60, 30),
                null,
                own,
                null,
                new LoggedCluster(FOUR),
                ResourceManager.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({
        "10, 0,",
        "10, 10,",
        "10, 7, '3 jobs have no start in the log; all run, but the past is compared on the other 7.'"
    })
    void jobs_without_a_start_are_counted(int jobs, int dated, @Nullable String says) {
        List<String> notes = new ArrayList<>();
        LogRemarks.undated(jobs, dated, notes);
        assertThat(notes).isEqualTo(Stream.ofNullable(says).toList());
    }

    /**
     * One job takes the GPUs of another at its end; a third, beside them, is one GPU too many, unless it was preempted.
     */
    @Test
    void a_log_that_holds_more_gpus_than_the_cluster_has_is_refused() {
        TraceJob[] jobs = {job(4, 0, 100, 100), job(4, 100, 200, 100), job(1, 0, 60, 10), job(1, 40, 128, 88)};
        List<String> notes = new ArrayList<>();
        LogRemarks.size(question(null), List.of(jobs[0], jobs[1], jobs[2]), notes);
        assertThat(notes).isEmpty();
        // 88 of 888 GPU seconds are above four GPUs, a tenth is not.
        LogRemarks.size(question(null, false), List.of(jobs), notes);
        assertThat(notes)
                .containsExactly(
                        "Jobs of the log held 5 GPUs at once, but the cluster has 4: is --cluster the cluster of this log?");
        notes.clear();
        jobs[3] = job(1, 40, 129, 89);
        assertThatThrownBy(() -> LogRemarks.size(question(null, false), List.of(jobs), notes))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "--cluster: '%s' is not valid: expected the cluster of this log, whose jobs held 5 GPUs at once;"
                                        .formatted(FOUR.name())
                                + " this one has 4 (--partial answers all the same)");
        LogRemarks.size(question(null), List.of(jobs), notes);
        assertThat(notes)
                .containsExactly(
                        "Jobs of the log held 5 GPUs at once, but the cluster has 4: is --cluster the cluster of this log?");
    }

    /**
     * A hundred jobs on one of four GPUs, one after the other; a second beside one of them makes half of the cluster.
     */
    @Test
    void a_log_that_never_holds_half_of_the_cluster_is_said() {
        List<TraceJob> jobs = new ArrayList<>();
        for (int i = 0; i < 99; i++) {
            jobs.add(job(1, 10 * i, 10 * i + 10, 10));
        }
        List<String> notes = new ArrayList<>();
        LogRemarks.size(question(null), jobs, notes);
        assertThat(notes).isEmpty();
        jobs.add(job(1, 990, 1000, 10));
        LogRemarks.size(question(null), jobs, notes);
        assertThat(notes)
                .containsExactly(
                        "Jobs of the log never held more than 1 of the 4 GPUs at once: is --cluster the cluster of this log?");
        jobs.add(job(1, 0, 5, 5));
        notes.clear();
        LogRemarks.size(question(null), jobs, notes);
        assertThat(notes).isEmpty();
    }

    private static List<String> past(@Nullable String own, double replayedWait, TraceJob... jobs) {
        List<String> notes = new ArrayList<>();
        Reproduction reproduction = Reproduction.of(
                LogOutcomeTest.outcome("past", 0, 1000, 1000),
                LogOutcomeTest.outcome("fifo", 0, replayedWait, replayedWait),
                null);
        LogRemarks.past(question(own, jobs), reproduction, notes);
        return notes.stream().map(note -> note.substring(0, 25)).toList();
    }

    @Test
    void what_may_hold_jobs_beside_a_scheduler_is_said() {
        TraceJob first = job(1, 0, 9, 9);
        TraceJob day = job(1, 86_400, 86_409, 9);
        TraceJob less = job(1, 86_399, 86_409, 9);
        SubmissionTerms qos = SubmissionTerms.NONE.but().qos("long").build();
        SubmissionTerms account = SubmissionTerms.NONE.but().account("a").build();
        String terms = "The log names accounts or";
        String waits = "Jobs waited longer than a";

        assertThat(past(null, 1000, first, day)).isEmpty();
        assertThat(past(null, 1000, first, less)).containsExactly("The jobs of the log were ");
        assertThat(past(null, 1000, first.on(qos), day)).containsExactly(terms);
        assertThat(past(null, 1000, first, day.on(account))).containsExactly(terms);
        assertThat(past("slurm:x", 1000, first.on(qos), day)).isEmpty();
        assertThat(past(null, 499, first, day)).containsExactly(waits);
        assertThat(past(null, 500, first, day)).isEmpty();
    }

    private static Advice advice(double replayedWait, Advice.@Nullable Held held, LeftOut... leftOut) {
        Reproduction reproduction = Reproduction.of(
                LogOutcomeTest.outcome("past", 0, 1000, 1000),
                LogOutcomeTest.outcome("fifo", 0, replayedWait, replayedWait),
                null);
        return new Advice(
                2,
                1,
                reproduction,
                RankingMetric.MEAN_WAIT,
                List.of(),
                List.of("first"),
                8,
                new LogAccount(List.of(), List.of(leftOut), List.of()),
                List.of(),
                WhoPays.UNKNOWN,
                LoggedCluster.Limits.NONE,
                ResourceManager.UNKNOWN,
                held,
                "",
                Map.of());
    }

    private static Advice.Held held(double delay, double unexplained, double byOthers) {
        return new Advice.Held(new FreeWait(100, 90, 80, delay), unexplained, byOthers, false);
    }

    private static RankedScheduler ranked(String name) {
        return new RankedScheduler(LogOutcomeTest.outcome(name, 0, 1), 1, null, false);
    }

    /**
     * A gain is told unless a quarter of the wait is explained by no replay; nor where a replay has hardly any of it.
     */
    @Test
    void a_gain_is_told_where_waits_are_explained() {
        assertThat(advice(1000, null).promises()).isTrue();
        assertThat(advice(1000, held(0, 0.25, 0)).promises()).isTrue();
        assertThat(advice(1000, held(0, 0.251, 0)).promises()).isFalse();
        assertThat(advice(1000, held(0, 0.251, 0)).isGainTold()).isFalse();
        // Of a mean wait of 1,000 s the replay has 5 %, with 10 s that pass before every start.
        assertThat(advice(60, held(10, 0, 0)).isWithoutQueue()).isTrue();
        assertThat(advice(60, held(10, 0, 0)).isGainTold()).isFalse();
        assertThat(advice(60.1, held(10, 0, 0)).isWithoutQueue()).isFalse();
        assertThat(advice(60, null).isWithoutQueue()).isFalse();
        Advice others = advice(1000, held(0, 0, 0.251));
        assertThat(others.promises(ranked("easy"))).isFalse();
        assertThat(others.promises(ranked("slurm (x=1)"))).isTrue();
        assertThat(others.promises(ranked("slurm:a/slurm.conf"))).isTrue();
        assertThat(advice(1000, held(0, 0, 0.25)).promises(ranked("easy"))).isTrue();
    }

    @Test
    void notes_are_added_at_the_end_and_trust_counts_what_was_left_out() {
        Advice advice = advice(1000, null, new LeftOut("too wide", 1, 8));

        assertThat(advice.noting(List.of("second", "third")).notes()).containsExactly("first", "second", "third");
        assertThat(advice.leftOutShare()).isEqualTo(0.5);
        assertThat(advice.trust()).isEqualTo(Reproduction.Trust.WEAK);
        assertThat(advice.trustWord()).isEqualTo("weak");
        assertThat(advice(1000, null).trustWord()).isEqualTo("good");
    }

    @ParameterizedTest
    @CsvSource({
        "sacct,, SLURM",
        "slurm-table,, SLURM",
        "squeue,, SLURM",
        "scontrol,, SLURM",
        "kubernetes,, KUBERNETES",
        "trainyard,, UNKNOWN",
        "trainyard, slurm:x, SLURM",
        "sacct, kueue:x, KUBERNETES"
    })
    void the_manager_is_that_of_the_log_or_of_its_configuration(
            String label, @Nullable String own, ResourceManager manager) {
        assertThat(ResourceManager.of(LogFormats.byLabel(label), own)).isEqualTo(manager);
    }
}
