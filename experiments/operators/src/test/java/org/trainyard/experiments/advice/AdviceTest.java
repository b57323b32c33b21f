package org.trainyard.experiments.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.bids.InitialBids;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.GeneratorSettings;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.TraceGenerator;
import org.trainyard.experiments.blocks.BlockBootstrap;
import org.trainyard.experiments.distributed.ThreadWorkerPool;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.simulation.LogAccount;
import org.trainyard.experiments.simulation.LoggedCluster;
import org.trainyard.experiments.timeline.RunTimeline;
import org.trainyard.experiments.timeline.Series;
import org.trainyard.interference.runtime.HistoryRuntimePredictor;

class AdviceTest {
    private static final int JOBS = 100;

    /** A log of strict FIFO, and the answer to it, for which several tests ask. */
    private static final class OfFifo {
        static final List<TraceJob> LOG = log(Topologies.small(), "fifo", false, 3);
        static final Advice ADVICE = advise(Topologies.small(), LOG, RankingMetric.MEAN_WAIT);
    }

    /** The log that a scheduler leaves: when jobs ran, and how long; not their models. */
    private static List<TraceJob> log(Topology topology, String scheduler, boolean hasInterference, long seed) {
        List<TraceJob> drawn = new TraceGenerator(GeneratorSettings.DEFAULT, JOBS, ModelCatalog.standard())
                .generate(seed, topology.gpus());
        WorkloadBuilder builder = new WorkloadBuilder(
                topology,
                ModelCatalog.standard(),
                new WorkloadBuilder.Options(WorkloadBuilder.Models.MIX, seed, true, true));
        PerformanceModel truth =
                hasInterference ? new RingPerformance(topology, AnalyticInterference.DEFAULT) : new RatedPerformance();
        Workload workload = (hasInterference ? builder.build(drawn, truth) : builder.rated(drawn)).workload();
        RunResult run = new World(topology, truth, new Simulator.Options(30_000_000_000L, false))
                .telling(told -> new HistoryRuntimePredictor())
                .simulator(workload)
                .run(SchedulerRegistry.named(scheduler).create(topology, seed));
        List<TraceJob> log = new ArrayList<>();
        for (JobOutcome job : run.jobs()) {
            log.add(new TraceJob(
                            job.job().name(),
                            job.job().submitNanos(),
                            job.job().demand(),
                            job.runNanos(),
                            null,
                            job.job().user(),
                            job.job().group(),
                            null)
                    .ran(new LoggedRun(job.firstStartNanos(), job.endNanos())));
        }
        return log;
    }

    /** A question without a bound, and without files of the cluster. */
    private static AdviceQuestion question(
            World world,
            List<TraceJob> jobs,
            RankingMetric metric,
            @Nullable BidPolicy learned,
            LogReplays.Limits limits) {
        return new AdviceQuestion(
                world,
                jobs,
                List.of(),
                true,
                metric,
                learned,
                limits,
                null,
                null,
                null,
                new LoggedCluster(world.topology()),
                ResourceManager.UNKNOWN);
    }

    private static Advice advise(Topology topology, List<TraceJob> log, RankingMetric metric) {
        return Advice.of(
                question(LogReplays.world(topology, 1), log, metric, null, new LogReplays.Limits(null, 60, 30)));
    }

    /** The policy with and without bids to move, on GPUs of one type and of two. */
    @ParameterizedTest
    @CsvSource({"4x4:A100, true", "2x4:A100+2x4:V100, false"})
    void running_jobs_move_only_where_gpus_differ(String cluster, boolean isSame) {
        Topology topology = Topologies.parse(cluster);
        IntFunction<BidPolicy> moving = moves -> new BidPolicy(
                InitialBids.random(8, RandomStreams.stream(1, "test/weights")),
                new AuctionSettings(RemainingTime.PREDICTED, 5, 3, moves, true, true));
        try (ThreadWorkerPool workers = new ThreadWorkerPool()) {
            LogReplays replays =
                    new LogReplays(LogReplays.world(topology, 1), workers, new LogReplays.Limits(null, 60, 30), null);
            List<LogOutcome> made = replays.run(
                    "test",
                    List.of(replays.learned("moves", moving.apply(2)), replays.learned("stays", moving.apply(0))),
                    log(topology, "fifo", false, 3),
                    1);

            assertThat(made.get(0).equalsIn(made.get(1))).isEqualTo(isSame);
        }
    }

    @Test
    void the_scheduler_of_a_known_past_is_the_nearest_and_reproduces_its_waits() {
        assertFound(0, "4x8");
    }

    @Tag("thorough")
    @Test
    void the_schedulers_of_other_pasts_are_the_nearest_and_reproduce_their_waits() {
        assertFound(0, "4x8", "2x4x4", "medium");
        assertFound(1, "4x8", "2x4x4", "medium");
    }

    /** @param first whether the first log comes from a world without interference (0) or with it (1); they alternate */
    private static void assertFound(int first, String... clusters) {
        List<String> wrong = new ArrayList<>();
        int logs = 0;
        for (String cluster : clusters) {
            Topology topology = Objects.requireNonNull(Topologies.parse(cluster));
            for (String scheduler : List.of("fifo", "fifo-backfill", "srtf")) {
                boolean hasInterference = (first + logs) % 2 == 1;
                logs++;
                Advice advice =
                        advise(topology, log(topology, scheduler, hasInterference, 7 + logs), RankingMetric.MEAN_WAIT);
                Reproduction found = Objects.requireNonNull(advice.reproduction());
                String nearest = found.nearestName();
                boolean isRight = nearest.equals(scheduler) || found.alike().contains(scheduler);
                if (!isRight || found.error() > 0.1) {
                    wrong.add("%s on %s, interference %s: %s, %.2f off"
                            .formatted(scheduler, cluster, hasInterference, nearest, found.error()));
                }
            }
        }
        assertThat(wrong).as("of %d logs", logs).hasSizeLessThanOrEqualTo(logs / 9);
    }

    @Test
    void the_best_is_first_and_no_better_scheduler_stands_below_it() {
        Topology topology = Topologies.small();
        Advice advice = advise(topology, log(topology, "fifo", true, 3), RankingMetric.P95_WAIT);

        assertThat(advice.ranking()).extracting(RankedScheduler::value).isSorted();
        assertThat(advice.best().value()).isLessThan(advice.pastValue());
        BlockBootstrap.Bounds bounds = Objects.requireNonNull(advice.best().bounds());
        assertThat(bounds.low()).isLessThanOrEqualTo(advice.best().value());
        assertThat(bounds.high()).isGreaterThanOrEqualTo(advice.best().value());
        assertThat(advice.best().log().waits().p95()).isEqualTo(advice.best().value());
        assertThat(advice.notes()).isEmpty();
    }

    @Test
    void the_same_log_gives_the_same_answer_and_other_seeds_the_same_top() {
        Topology topology = Topologies.small();
        List<TraceJob> log = log(topology, "fifo-backfill", false, 5);
        Advice first = advise(topology, log, RankingMetric.MEAN_WAIT);

        assertThat(AdviceText.json(advise(topology, log, RankingMetric.MEAN_WAIT)))
                .isEqualTo(AdviceText.json(first));
        for (long seed = 2; seed < 4; seed++) {
            Advice other = Advice.of(question(
                    LogReplays.world(topology, seed),
                    log,
                    RankingMetric.MEAN_WAIT,
                    null,
                    new LogReplays.Limits(null, 60, 30)));
            List<String> known = new ArrayList<>(List.of(first.best().log().name()));
            first.level().forEach(one -> known.add(one.log().name()));
            assertThat(known).contains(other.best().log().name());
        }
    }

    @Test
    void a_log_without_starts_and_a_cluster_that_is_too_small_are_said() {
        Topology topology = Topologies.small();
        List<TraceJob> log = OfFifo.LOG;
        List<TraceJob> bare = log.stream()
                .map(job -> new TraceJob(
                        job.id(), job.submitNanos(), job.demand(), job.durationNanos(), null, null, null, null))
                .toList();

        assertThat(advise(topology, bare, RankingMetric.MEAN_WAIT).reproduction())
                .isNull();
        assertThat(advise(Objects.requireNonNull(Topologies.parse("3x8")), log, RankingMetric.MEAN_WAIT)
                        .notes())
                .anyMatch(note -> note.contains("is --cluster the cluster of this log?"));
    }

    @Test
    void a_past_that_only_some_jobs_have_is_compared_on_these_while_all_run() {
        Topology topology = Topologies.small();
        List<TraceJob> log = OfFifo.LOG;
        List<TraceJob> partly = new ArrayList<>();
        for (int i = 0; i < log.size(); i++) {
            TraceJob job = log.get(i);
            partly.add(
                    i % 2 == 0
                            ? job
                            : new TraceJob(
                                    job.id(),
                                    job.submitNanos(),
                                    job.demand(),
                                    job.durationNanos(),
                                    null,
                                    null,
                                    null,
                                    null));
        }
        Advice advice = advise(topology, partly, RankingMetric.MEAN_WAIT);
        Reproduction found = Objects.requireNonNull(advice.reproduction());

        assertThat(advice.jobs()).isEqualTo(JOBS);
        assertThat(found.past().jobs()).isEqualTo(JOBS / 2);
        assertThat(advice.hasWholePast()).isFalse();
        assertThat(found.alike().contains("fifo") || found.nearestName().equals("fifo"))
                .isTrue();
        assertThat(found.error()).isLessThan(0.1);
        assertThat(advice.notes()).anyMatch(note -> note.startsWith("50 jobs have no start in the log; all run"));
    }

    @Test
    void an_interrupted_answer_goes_on_with_the_replays_that_were_made(@TempDir Path folder) throws IOException {
        Topology topology = Topologies.small();
        List<TraceJob> log = OfFifo.LOG;
        ReplayFolder kept = ReplayFolder.open("--out", folder, "question", false);
        Advice first = Advice.of(question(
                LogReplays.world(topology, 1),
                log,
                RankingMetric.MEAN_WAIT,
                null,
                new LogReplays.Limits(kept, 60, 30)));
        int made = kept.size();
        kept.close();
        Path damaged;
        try (Stream<Path> files = Files.list(folder.resolve("replays"))) {
            damaged = files.filter(file -> file.toString().contains("sjf-1.000"))
                    .findFirst()
                    .orElseThrow();
        }
        Files.write(damaged, new byte[] {1, 2, 3});

        ReplayFolder opened = ReplayFolder.open("--out", folder, "question", false);
        Advice again = Advice.of(question(
                LogReplays.world(topology, 1),
                log,
                RankingMetric.MEAN_WAIT,
                null,
                new LogReplays.Limits(opened, 60, 30)));
        opened.close();

        assertThat(made).isGreaterThan(50);
        assertThat(AdviceText.json(again)).isEqualTo(AdviceText.json(first));
        Files.writeString(folder.resolve("answer.json"), "to the first question");
        assertThatThrownBy(() -> ReplayFolder.open("--out", folder, "another", false))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("--replace");
        try (ReplayFolder replaced = ReplayFolder.open("--out", folder, "another", true)) {
            assertThat(replaced.size()).isZero();
            assertThat(folder.resolve("answer.json")).doesNotExist();
            assertThatThrownBy(() -> ReplayFolder.open("--out", folder, "another", true))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("is writing to it");
        }
    }

    @Test
    void the_best_at_other_restart_costs_is_the_best_of_an_answer_for_that_cost() {
        Advice cheap = OfFifo.ADVICE;
        Advice dear = Advice.of(question(
                LogReplays.world(Topologies.small(), 1),
                OfFifo.LOG,
                RankingMetric.MEAN_WAIT,
                null,
                new LogReplays.Limits(null, 60, 900)));

        RestartAnswer dearest = cheap.restarts().get(cheap.restarts().size() - 1);

        assertThat(cheap.restarts()).extracting(RestartAnswer::seconds).containsExactly(30.0, 300.0, 900.0);
        assertThat(dear.restarts()).extracting(RestartAnswer::seconds).containsExactly(900.0, 30.0, 300.0);
        assertThat(dearest.value()).isEqualTo(dear.best().value());
        assertThat(dearest.best()).isEqualTo(dear.best().log().name());
        assertThat(dear.best().value()).isGreaterThan(cheap.best().value());
    }

    @Test
    void the_best_without_preemption_needs_none_and_equal_schedulers_are_one_row() {
        Advice advice = OfFifo.ADVICE;

        RankedScheduler plain = Objects.requireNonNull(advice.bestWithoutPreemption());
        List<String> named = new ArrayList<>();
        for (RankedScheduler one : RankedScheduler.distinct(advice.ranking())) {
            named.add(one.log().name());
            named.addAll(one.alike(advice.ranking()));
        }

        assertThat(plain.log().preemptions()).isZero();
        assertThat(plain.value()).isGreaterThan(advice.best().value());
        assertThat(AdviceText.of(advice).section("", List.of()).sentences())
                .anyMatch(line -> line.startsWith("Answer: " + plain.name() + " would")
                        && line.endsWith("it costs no preemptions."))
                .noneMatch(line -> line.contains("()"));
        String nearest = Objects.requireNonNull(advice.reproduction()).nearest().name();
        assertThat(AdviceText.of(advice).console().lines())
                .as("rows of schedulers that the answer names")
                .anyMatch(line -> line.startsWith(plain.name() + "  "))
                .anyMatch(line -> line.startsWith(nearest + "  ") && line.endsWith("nearest to the past"));
        assertThat(RankedScheduler.distinct(advice.ranking()))
                .hasSizeLessThan(advice.ranking().size());
        assertThat(named)
                .containsExactlyInAnyOrderElementsOf(
                        advice.ranking().stream().map(one -> one.log().name()).toList());
    }

    @Test
    void a_scheduler_that_takes_too_long_is_named() {
        Topology topology = Topologies.small();
        List<TraceJob> log = OfFifo.LOG;

        assertThatThrownBy(() -> Advice.of(question(
                        LogReplays.world(topology, 1),
                        log,
                        RankingMetric.MEAN_WAIT,
                        null,
                        new LogReplays.Limits(null, 1e-9, 30))))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("--limit");
    }

    @Test
    void the_log_over_time_integrates_to_the_waits_of_the_past_and_of_the_schedulers() {
        Topology topology = Topologies.small();
        List<TraceJob> log = log(topology, "srtf", true, 3);
        AdviceQuestion question = question(
                LogReplays.world(topology, 1), log, RankingMetric.MEAN_WAIT, null, new LogReplays.Limits(null, 60, 30));
        Advice advice = Advice.of(question);
        LogTimelines drawn = LogTimelines.of(question, advice);
        Reproduction found = Objects.requireNonNull(advice.reproduction());

        assertThat(drawn.runs().get(0).scheduler()).isEqualTo(LogOutcome.PAST);
        assertThat(drawn.runs().get(1).scheduler()).isEqualTo(found.nearest().name());
        assertThat(waited(drawn.runs().get(0).series()) / found.past().waits().mean() / JOBS)
                .isCloseTo(1, within(1e-6));
        assertThat(waited(drawn.runs().get(1).series())
                        / found.nearest().waits().mean()
                        / JOBS)
                .isCloseTo(1, within(1e-6));
        assertThat(drawn.waits().stream().mapToInt(SizeWaits::jobs).sum()).isEqualTo(JOBS);
        double waits = drawn.waits().stream()
                .mapToDouble(size -> size.jobs()
                        * Objects.requireNonNull(size.waits().get(LogOutcome.PAST))
                                .mean())
                .sum();
        assertThat(waits / found.past().waits().mean() / JOBS).isCloseTo(1, within(1e-9));
    }

    /** Seconds that all jobs waited. */
    private static double waited(Series series) {
        double seconds = 0;
        for (int i = 0; i < series.size(); i++) {
            seconds += series.mean(Series.QUEUE, i) * (series.toNanos(i) - series.fromNanos(i)) / 1e9;
        }
        return seconds;
    }

    @Test
    void a_scheduler_whose_drawing_takes_too_long_is_named_and_left_out() {
        Advice advice = OfFifo.ADVICE;

        LogTimelines drawn = LogTimelines.of(
                question(
                        LogReplays.world(Topologies.small(), 1),
                        OfFifo.LOG,
                        RankingMetric.MEAN_WAIT,
                        null,
                        new LogReplays.Limits(null, 1e-9, 30)),
                advice);

        assertThat(drawn.runs()).extracting(RunTimeline::scheduler).containsExactly(LogOutcome.PAST);
        assertThat(drawn.notes())
                .contains("%s is not drawn: its replay exceeds --limit."
                        .formatted(advice.best().log().name()));
    }

    @Test
    void a_cluster_that_runs_the_best_already_is_told_to_keep_it() {
        String best = Objects.requireNonNull(OfFifo.ADVICE.bestConfigurable()).name();
        Advice again = advise(Topologies.small(), log(Topologies.small(), best, false, 3), RankingMetric.MEAN_WAIT);

        assertThat(Objects.requireNonNull(again.reproduction()).nearest().name())
                .isEqualTo(best);
        assertThat(answer(again)).startsWith("Answer: keep %s; nothing else that ".formatted(best));
    }

    /** The same gain, by jobs that hold all of the load and by those that hold half of it. */
    @Test
    void a_gain_in_which_trust_is_weak_is_not_to_act_on() {
        Advice good = OfFifo.ADVICE;
        Advice weak = new Advice(
                good.jobs(),
                good.days(),
                good.reproduction(),
                good.metric(),
                good.ranking(),
                good.notes(),
                good.gpuHours(),
                new LogAccount(List.of(), List.of(new LeftOut("too wide", 1, good.gpuHours())), List.of()),
                good.restarts(),
                good.pays(),
                good.limits(),
                good.manager(),
                good.held(),
                good.unequal(),
                good.savings());

        assertThat(weak.trust()).isEqualTo(Reproduction.Trust.WEAK);
        assertThat(answer(good))
                .contains(" would change the simulated mean wait ")
                .contains("; it costs ");
        assertThat(answer(weak))
                .startsWith("Answer: none to act on, for trust is weak; ")
                .contains(" would change the simulated mean wait ")
                .doesNotContain("; it costs ", "slurm.conf");
    }

    private static String answer(Advice advice) {
        return AdviceText.of(advice).section("", List.of()).sentences().get(0);
    }

    @ParameterizedTest
    @CsvSource({"easy, true", "conservative, true", "slurm, true", "fifo-backfill, false", "patient, false"})
    void settings_with_basic_priorities_are_said_to_turn_off_fair_share(String scheduler, boolean isSaid) {
        assertThat(SchedulerTraits.of(scheduler, false, ResourceManager.SLURM).dropsPriorities())
                .isEqualTo(isSaid);
        assertThat(SchedulerTraits.of(scheduler, false, ResourceManager.KUBERNETES)
                        .dropsPriorities())
                .isFalse();
    }
}
