package org.trainyard.experiments.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.metrics.JobMetric;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.simulation.LogAccount;
import org.trainyard.experiments.simulation.LoggedCluster;
import org.trainyard.experiments.traces.LoggedDurations;

/** Outcomes of logs of a few jobs, what follows from them, and how they are set beside each other. */
class LogOutcomeTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Topology FOUR = Topologies.parse("1x4");

    private static TraceJob job(String name, int gpus, long submit, long seconds) {
        return new TraceJob(name, submit * SECOND, Demand.ofGpus(gpus), seconds * SECOND, null, "u", null, null);
    }

    /** Jobs of all four GPUs, one after the other in order of submission. */
    private static RunResult oneByOne(TraceJob... jobs) {
        World world = World.rated(FOUR, new Simulator.Options(0, true), 1);
        assertThat(world.truth()).isInstanceOf(RatedPerformance.class);
        return world.simulator(world.workload(List.of(jobs))).run(view -> {
            int next = view.firstWaiting();
            return next == SimView.NONE || view.runningCount() > 0
                    ? Decision.WAIT
                    : new Decision.Start(
                            next,
                            view.job(next).gpus() == 0 ? Placement.onServer(FOUR, 0) : Placement.of(FOUR, 0, 1, 2, 3));
        });
    }

    /** An outcome of jobs that run for 100 s, whatever it is of. */
    static LogOutcome outcome(String name, long preemptions, double... waits) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(name);
            out.writeInt(waits.length);
            for (double wait : waits) {
                out.writeDouble(wait);
                out.writeDouble(wait + 100);
                out.writeDouble(wait / 100 + 1);
            }
            out.writeDouble(0.5);
            out.writeLong(preemptions);
            return LogOutcome.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_delay_of_every_start_lengthens_waits_and_completions_alike() {
        RunResult run = oneByOne(job("a", 4, 0, 100), job("b", 4, 0, 100), job("c", 4, 50, 200));
        LogOutcome exact = LogOutcome.of("fifo", run, 0);
        LogOutcome late = LogOutcome.of("fifo", run, 10);

        assertThat(exact.values(JobMetric.WAIT)).containsExactly(0, 100, 150);
        assertThat(exact.values(JobMetric.JCT)).containsExactly(100, 200, 350);
        assertThat(exact.values(JobMetric.SLOWDOWN)).containsExactly(new double[] {1, 2, 1.75}, within(1e-12));
        assertThat(exact.gpusHeld()).isEqualTo(1);
        assertThat(late.values(JobMetric.WAIT)).containsExactly(10, 110, 160);
        assertThat(late.values(JobMetric.JCT)).containsExactly(110, 210, 360);
        assertThat(late.values(JobMetric.SLOWDOWN)).containsExactly(new double[] {1.1, 2.1, 1.8}, within(1e-12));
        assertThatThrownBy(() -> exact.values(JobMetric.WIDE_WAIT)).hasMessageContaining("keeps no widths");
    }

    /** Beside jobs with GPUs, those with CPUs alone are no part of the outcome. */
    @Test
    void jobs_without_gpus_count_where_no_others_are() {
        Demand host = new Demand(0, 0, 0, Demand.WHOLE, 2000, 0, true, List.of());
        TraceJob cpus = new TraceJob("c", 0, host, 50 * SECOND, null, "u", null, null);

        assertThat(LogOutcome.of("both", oneByOne(job("a", 4, 0, 100), cpus), 0).values(JobMetric.JCT))
                .containsExactly(100);
        assertThat(LogOutcome.of("alone", oneByOne(cpus), 0).values(JobMetric.JCT))
                .containsExactly(50);
    }

    @Test
    void the_past_of_jobs_is_that_of_the_log() {
        List<TraceJob> jobs = List.of(
                job("a", 2, 0, 100).ran(new LoggedRun(0, 100 * SECOND)),
                job("b", 4, 50, 200).ran(new LoggedRun(150 * SECOND, 350 * SECOND)));
        LogOutcome past = LogOutcome.past(jobs, 4, true);

        assertThat(past.values(JobMetric.WAIT)).containsExactly(0, 100);
        assertThat(past.values(JobMetric.JCT)).containsExactly(100, 300);
        assertThat(past.values(JobMetric.SLOWDOWN)).containsExactly(1, 1.5);
        assertThat(past.gpusHeld()).isEqualTo((200.0 + 800) / (350 * 4));
        assertThat(past.longestWait()).isEqualTo(100);
        assertThat(past.value(RankingMetric.MEAN_WAIT)).isEqualTo(50);
        assertThat(LogOutcome.past(jobs, 4, false).gpusHeld()).isNaN();
        // The makespan begins with the first submission.
        assertThat(LogOutcome.past(jobs.subList(1, 2), 4, true).gpusHeld()).isEqualTo(800 / (300 * 4.0));
    }

    @Test
    void outcomes_are_compared_job_by_job() {
        LogOutcome one = outcome("one", 2, 0, 60, 140);
        LogOutcome other = outcome("other", 2, 60, 60, 300);

        assertThat(one.distance(other)).isCloseTo((Math.log(2) + 0 + Math.log(360 / 200.0)) / 3, within(1e-12));
        assertThat(one.within(other, 60)).isEqualTo(2 / 3.0);
        assertThat(one.within(other, 59.9)).isEqualTo(1 / 3.0);
        assertThat(one.within(other, 160)).isEqualTo(1);
        assertThat(one.equalsIn(outcome("two", 2, 0, 60, 140))).isTrue();
        assertThat(one.equalsIn(outcome("two", 1, 0, 60, 140))).isFalse();
        assertThat(one.equalsIn(outcome("two", 2, 0, 60, 141))).isFalse();
        LogOutcome some = one.over(new int[] {2, 0});
        assertThat(some.values(JobMetric.WAIT)).containsExactly(140, 0);
        assertThat(some.gpusHeld()).isNaN();
        assertThat(some.preemptions()).isEqualTo(2);
        assertThat(one.over(new int[] {0, 1, 2})).isSameAs(one);
    }

    @Test
    void pooled_replays_keep_each_job_and_average_preemptions() {
        LogOutcome pooled = LogOutcome.pooled("both", List.of(outcome("one", 2, 10, 20), outcome("two", 4, 30, 40)));

        assertThat(pooled.values(JobMetric.WAIT)).containsExactly(10, 30, 20, 40);
        assertThat(pooled.gpusHeld()).isEqualTo(0.5);
        assertThat(pooled.preemptions()).isEqualTo(3);
    }

    @Test
    void waits_by_size_are_those_of_the_jobs_at_some_places() {
        List<TraceJob> jobs = List.of(job("a", 1, 0, 9), job("b", 1, 0, 9), job("c", 8, 0, 9));

        assertThat(SizeWaits.of(jobs, new int[] {1, 2}, List.of(outcome("past", 0, 20, 30))))
                .extracting(size -> "%s %d %s"
                        .formatted(
                                size.gpus(),
                                size.jobs(),
                                Objects.requireNonNull(size.waits().get("past")).mean()))
                .containsExactly("1 1 20.0", "5-8 1 30.0");
    }

    /** Groups of five jobs and of four, with a wait of 1000 s each today. */
    @ParameterizedTest
    @CsvSource({"1110, false", "1110.1, true"})
    void a_group_pays_whose_waits_grow_by_more_than_a_minute_and_a_twentieth(double wait, boolean pays) {
        List<TraceJob> jobs = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            int gpus = List.of(1, 2, 3, 4, 5, 8, 3, 3, 4).get(i);
            jobs.add(new TraceJob("j" + i, 0, Demand.ofGpus(gpus), SECOND, null, i < 5 ? "many" : "few", null, null)
                    .on(SubmissionTerms.NONE.but().account("all").build()));
        }
        double[] past = new double[9];
        double[] then = new double[9];
        Arrays.fill(past, 1000);
        Arrays.fill(then, wait);
        List<Payer> groups = Payer.of(jobs, outcome("past", 0, past), outcome("then", 0, then));

        assertThat(groups)
                .extracting(one -> "%s %s %d %s".formatted(one.by(), one.name(), one.jobs(), one.pays()))
                .containsExactly(
                        "gpus 1 1 false",
                        "gpus 2 1 false",
                        "gpus 3-4 5 " + pays,
                        "gpus 5-8 2 false",
                        "account all 9 " + pays,
                        "user many 5 " + pays,
                        "user few 4 false");
        assertThat(groups.get(2).words()).isEqualTo("jobs of 3-4 GPUs");
        assertThat(groups.get(5).then().waitS().mean()).isEqualTo(wait);
    }

    @Test
    void what_a_group_pays_is_told_by_the_figures_that_grow() {
        List<TraceJob> jobs = new ArrayList<>();
        double[] now = new double[40];
        double[] tail = new double[40];
        for (int i = 0; i < 40; i++) {
            jobs.add(new TraceJob("j" + i, 0, Demand.ofGpus(1), SECOND, null, null, null, null));
            now[i] = 10_000;
            tail[i] = i % 4 == 0 ? 30_000 : 1_000;
        }
        double[] longer = Arrays.stream(now).map(wait -> 2 * wait).toArray();
        // A single job is no clear change of the mean.
        double[] once = now.clone();
        once[7] = 60_000;

        assertThat(Payer.of(jobs, outcome("now", 0, now), outcome("then", 0, tail))
                        .get(0)
                        .payment())
                .isEqualTo("jobs of 1 GPU (40) p95 from 2 h 47 min to 8 h 20 min");
        assertThat(Payer.of(jobs, outcome("now", 0, now), outcome("then", 0, longer))
                        .get(0)
                        .payment())
                .isEqualTo("jobs of 1 GPU (40) from 2 h 47 min to 5 h 33 min, p95 from 2 h 47 min to 5 h 33 min");
        assertThat(Payer.of(jobs, outcome("now", 0, now), outcome("then", 0, once))
                        .get(0)
                        .pays())
                .isFalse();
    }

    @Test
    void a_bound_on_waits_allows_its_share_and_a_minute() {
        List<TraceJob> jobs = List.of(job("a", 1, 0, 9), job("b", 16, 0, 9), job("c", 17, 0, 9));
        WaitBound bound = WaitBound.parse("--bound", "p95 of >=16 GPUs: 10 %");
        int[] places = bound.places(jobs);

        assertThat(places).containsExactly(1, 2);
        LogOutcome past = outcome("past", 0, 0, 1000, 1000);
        assertThat(bound.isKept(past, outcome("then", 0, 9999, 1160, 1160), places))
                .isTrue();
        assertThat(bound.isKept(past, outcome("then", 0, 9999, 1161, 1161), places))
                .isFalse();
        assertThat(bound.isKept(past, outcome("then", 0, 9999, 1161, 1161), new int[0]))
                .isTrue();
        assertThat(WaitBound.parse("--bound", "mean of user u: 0 %").places(jobs))
                .containsExactly(0, 1, 2);
        assertThat(WaitBound.parse("--bound", "median of account u: 0 %").places(jobs))
                .isEmpty();
        WaitBound all = WaitBound.parse("--bound", "mean wait of all jobs: 0 %");
        assertThat(all.isKept(past, outcome("then", 0, 180, 1000, 1000), all.places(jobs)))
                .isTrue();
        assertThat(all.isKept(past, outcome("then", 0, 181, 1000, 1000), all.places(jobs)))
                .isFalse();
        assertThatThrownBy(() -> WaitBound.parse("--bound", "p90 of all: 1 %"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("p90 of all: 1 %");
    }

    static AdviceQuestion question() {
        return new AdviceQuestion(
                LogReplays.world(FOUR, 1),
                List.of(),
                List.of(),
                true,
                RankingMetric.MEAN_WAIT,
                null,
                new LogReplays.Limits(null, 60, 30),
                null,
                null,
                null,
                new LoggedCluster(FOUR),
                ResourceManager.UNKNOWN);
    }

    private static LogReplays.Candidate candidate(String name) {
        return new LogReplays.Candidate(
                name, false, true, LoggedDurations.Told.NONE, false, 30, run -> view -> Decision.WAIT);
    }

    /** Two schedulers preempt, of which one waits ten times the cost of a restart; the third does as the second. */
    @Test
    void for_each_cost_of_a_restart_the_best_are_those_that_decided_differently() {
        List<LogOutcome> logs = List.of(
                outcome("calm", 0, 300, 300),
                outcome("same", 0, 300, 300),
                outcome("eager", 4, 100, 100),
                outcome("other", 2, 200, 210));
        List<String> asked = new ArrayList<>();
        List<RestartAnswer> answers = RestartAnswer.of(
                question(),
                RankedScheduler.of(logs, RankingMetric.MEAN_WAIT, 1),
                List.of(candidate("calm"), candidate("eager"), candidate("other")),
                some -> some.stream()
                        .map(one -> {
                            asked.add("%s %.0f".formatted(one.name(), one.restartSeconds()));
                            double wait = one.restartSeconds() * (one.name().startsWith("eager") ? 10 : 0.7);
                            return outcome(one.name(), 3, wait, wait);
                        })
                        .toList());

        assertThat(answers)
                .containsExactly(
                        new RestartAnswer(30, List.of("eager", "other", "calm"), 100),
                        new RestartAnswer(300, List.of("other", "calm", "eager"), 210),
                        new RestartAnswer(900, List.of("calm", "other", "eager"), 300));
        assertThat(answers.get(1).best()).isEqualTo("other");
        assertThat(asked).hasSize(4).allMatch(one -> one.endsWith(" 300") || one.endsWith(" 900"));
    }

    @ParameterizedTest
    @CsvSource({"60, 1", "0.5, 120", "0.0416, 1440", "0, 1440"})
    void preemptions_a_month_are_told_from_an_hour_on(double days, double preemptions) {
        Advice advice = new Advice(
                1,
                days,
                null,
                RankingMetric.MEAN_WAIT,
                List.of(),
                List.of(),
                1,
                new LogAccount(List.of(), List.of(), List.of()),
                List.of(),
                WhoPays.UNKNOWN,
                LoggedCluster.Limits.NONE,
                ResourceManager.UNKNOWN,
                null,
                "",
                Map.of());

        assertThat(advice.preemptionsAMonth(outcome("one", 2, 0))).isCloseTo(preemptions, within(1e-9));
        assertThat(advice.preemptionsAMonth(outcome("one", 0, 0))).isZero();
        assertThat(advice.trustWord()).isEqualTo("unknown");
    }

    /** Jobs of one GPU, so many of each account. */
    private static List<TraceJob> ofAccounts(int each, String... accounts) {
        List<TraceJob> jobs = new ArrayList<>();
        for (String account : accounts) {
            for (int i = 0; i < each; i++) {
                jobs.add(new TraceJob("j" + jobs.size(), 0, Demand.ofGpus(1), SECOND, null, null, null, null)
                        .on(SubmissionTerms.NONE.but().account(account).build()));
            }
        }
        return jobs;
    }

    /** Six jobs wait as long as the first, and six as the second. */
    private static LogOutcome sixes(String name, double first, double second) {
        double[] waits = new double[12];
        Arrays.fill(waits, 0, 6, first);
        Arrays.fill(waits, 6, 12, second);
        return outcome(name, 0, waits);
    }

    private static WhoPays whoPays(
            List<TraceJob> jobs, LogOutcome past, @Nullable WaitBound bound, LogOutcome... logs) {
        List<RankedScheduler> ranking = RankedScheduler.of(List.of(logs), RankingMetric.MEAN_WAIT, 1);
        int[] all = IntStream.range(0, jobs.size()).toArray();
        return WhoPays.of(jobs, all, past, ranking, ranking, bound);
    }

    @Test
    void groups_that_pay_and_the_account_that_waits_longest_are_named() {
        LogOutcome past = sixes("past", 100, 300);
        LogOutcome then = sixes("then", 1000, 100);
        LogOutcome kind = sixes("kind", 160, 999);
        WaitBound bound = WaitBound.parse("--bound", "mean of account a: 0 %");
        WhoPays pays = whoPays(ofAccounts(6, "a", "b"), past, bound, then, kind);

        assertThat(pays.sentences(then))
                .containsExactly(
                        "Who pays under then, against past: jobs of 1 GPU (12) from 3 min 20 s to 9 min 10 s, p95 from 5 min to"
                                + " 16 min 40 s; account a (6) from 1 min 40 s to 16 min 40 s, p95 from 1 min 40 s to"
                                + " 16 min 40 s.",
                        "Fairness: under then account a waits longest, 1.8 times as long as all jobs on average; under"
                                + " past it is account b, 1.5 times.");
        assertThat(pays.keepers()).containsExactly("kind");
        assertThat(pays.paying("then")).extracting(Payer::words).containsExactly("jobs of 1 GPU", "account a");
        assertThat(pays.paying("kind")).extracting(Payer::words).containsExactly("jobs of 1 GPU", "account b");
        assertThat(whoPays(ofAccounts(6, "a", "b"), past, null, then).keepers()).isEmpty();
        // Of one large group, or without waits, nobody knows.
        assertThat(whoPays(ofAccounts(12, "a"), past, null, then).fairness(then))
                .isNull();
        LogOutcome none = sixes("none", 0, 0);
        assertThat(whoPays(ofAccounts(6, "a", "b"), past, null, none).fairness(none))
                .isNull();
        LogOutcome same = sixes("same", 100, 300);
        assertThat(whoPays(ofAccounts(6, "a", "b"), past, null, same).sentences(same))
                .hasSize(1);
        assertThat(whoPays(ofAccounts(3, "a", "b", "c", "d"), past, null, then).fairness(then))
                .isNull();
    }

    /** Of three jobs the first has no past, and waits long. */
    @Test
    void a_bound_counts_the_jobs_with_a_past_alone() {
        LogOutcome past = outcome("past", 0, 100, 100);
        List<RankedScheduler> ranking = RankedScheduler.of(
                List.of(outcome("then", 0, 9999, 100, 100), outcome("worse", 0, 0, 161, 161)),
                RankingMetric.MEAN_WAIT,
                1);
        WaitBound bound = WaitBound.parse("--bound", "mean of all: 0 %");

        assertThat(WhoPays.of(ofAccounts(3, "a"), new int[] {1, 2}, past, ranking, ranking, bound)
                        .keepers())
                .containsExactly("then");
    }

    @Test
    void four_of_those_that_pay_are_named_and_the_others_counted() {
        double[] was = new double[30];
        double[] is = new double[30];
        Arrays.fill(is, 100);
        WhoPays pays = whoPays(
                ofAccounts(5, "a", "b", "c", "d", "e", "f"), outcome("past", 0, was), null, outcome("then", 0, is));

        assertThat(pays.sentences(outcome("then", 0, is)).get(0))
                .contains("account c (5)")
                .doesNotContain("account d")
                .endsWith("; and 3 more.");
    }

    /** Of waits of 200 s and 300 s in the past, and 230 s and 300 s in the replay; below a second, of a second. */
    @Test
    void errors_are_relative_to_the_past() {
        Reproduction near = new Reproduction(
                sixes("past", 100, 300),
                sixes("fifo (packed)", 160, 330),
                List.of(),
                1.1,
                sixes("fifo (packed)", 130, 300),
                sixes("x", 0, 0),
                sixes("x", 0, 0),
                null);

        assertThat(near.meanError()).isCloseTo(15 / 200.0, within(1e-12));
        assertThat(near.p95Error()).isCloseTo(30 / 300.0, within(1e-12));
        assertThat(near.error()).isCloseTo(45 / 200.0, within(1e-12));
        assertThat(near.startsWithinMinute()).isEqualTo(1);
        assertThat(near.isFitted()).isTrue();
        assertThat(near.nearestName()).isEqualTo("fifo");
        Reproduction idle = new Reproduction(
                sixes("past", 0, 0.5),
                sixes("fifo", 0, 2),
                List.of(),
                1,
                sixes("fifo", 0, 2),
                sixes("x", 0, 0),
                sixes("x", 0, 0),
                null);
        assertThat(idle.p95Error()).isCloseTo(1.5, within(1e-12));
        assertThat(idle.meanError()).isCloseTo(0.75, within(1e-12));
        assertThat(idle.isFitted()).isFalse();
    }
}
