package org.trainyard.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.experiments.evaluation.EpisodeSample;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.Runs;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.evaluation.SeedPool;
import org.trainyard.experiments.metrics.RankingMetric;

class EpisodesAnswerTest {
    @Test
    void the_best_stands_first_and_the_reference_is_marked() {
        Evaluation evaluation = Evaluation.of(
                List.of(
                        Runs.heuristic("fifo", Runs.episode(20_000, 3_040), Runs.episode(12_000)),
                        Runs.heuristic("srtf", Runs.episode(9_000, 3_000), Runs.episode(11_000)),
                        Runs.learned("policy", Runs.episode(8_000, 3_000), Runs.episode(10_000))),
                1);

        assertThat(all(evaluation)).isEqualTo("""
                        scheduler    mean JCT  seconds      median         p95         p99  queueing
                        policy     1 h 57 min   7000.0  2 h 13 min  2 h 43 min  2 h 46 min       0 s
                        srtf *      2 h 8 min   7666.7  2 h 30 min         3 h   3 h 3 min       0 s
                        fifo       3 h 15 min  11680.0  3 h 20 min  5 h 20 min  5 h 31 min       0 s

                        scheduler    makespan  slowdown    GPUs  preempt  vs best *    95 % interval
                        policy     2 h 30 min     1.000  29.2 %        0     -8.7 %   -9.1 .. -8.3 %  too few episodes
                        srtf *     2 h 47 min     1.000  28.7 %        0                              reference
                        fifo       4 h 27 min     1.000  27.4 %        0    +50.5 %  +9.1 .. +92.0 %  too few episodes

                        policy  against  mean JCT     95 % interval
                        policy     fifo   -34.5 %  -52.3 .. -16.7 %  too few episodes
                        policy     srtf    -8.7 %    -9.1 .. -8.3 %  too few episodes

                        2 episodes, 3 jobs in all; queueing and slowdown are means over jobs.
                        Rows are sorted by the mean JCT over all jobs; differences are means over episodes.
                        * best heuristic; differences of the mean JCT per episode, paired.
                        A verdict needs at least 5 episodes.
                        """);
    }

    @Test
    void rows_are_named_by_what_they_are_unless_they_are_textbook_orders_or_policies() {
        Evaluation evaluation = Evaluation.of(
                List.of(
                        Runs.heuristic("a-srpt", Runs.episode(9_000, 3_000)),
                        Runs.heuristic("fgd", Runs.episode(8_000, 3_000)),
                        Runs.heuristic("patient", Runs.episode(7_000, 3_000)),
                        Runs.heuristic("sjf", Runs.episode(6_000, 3_000)),
                        Runs.learned("policy", Runs.episode(5_000, 3_000))),
                1);

        assertThat(all(evaluation))
                .contains("\nRows by kind: as published: fgd; our reading: a-srpt; ours: patient.\n");
    }

    @Test
    void the_result_is_a_sentence_and_one_table() {
        Evaluation evaluation = Runs.example(8, 50);
        String brief = of(evaluation).brief().console();

        assertThat(brief).startsWith("Result: the mean JCT of ").doesNotContain("makespan", "queueing\n");
        assertThat(brief.lines().filter(line -> line.startsWith("scheduler "))).hasSize(1);
        assertThat(brief.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
        assertThat(of(evaluation).wide().console()).contains("makespan").endsWith(all(evaluation));
    }

    @Test
    void without_a_policy_the_result_names_the_two_best() {
        Evaluation evaluation = Evaluation.of(
                List.of(
                        Runs.heuristic("fifo", Runs.episode(20_000, 3_040), Runs.episode(12_000)),
                        Runs.heuristic("srtf", Runs.episode(9_000, 3_000), Runs.episode(11_000))),
                1);

        assertThat(of(evaluation).brief().console())
                .startsWith(
                        "Result: srtf has the least mean JCT, 2 h 8 min; fifo follows with 3 h 15 min (too few episodes).");
    }

    @Test
    void a_scheduler_that_rejects_jobs_is_named_with_their_number() {
        RunResult all = Runs.episode(20_000, 3_040);
        RunResult one = new RunResult(
                all.jobs().subList(1, 2),
                List.of(new RunResult.RejectedJob(all.jobs().get(0).job(), 5)),
                all.gpus(),
                all.busyGpuSeconds(),
                2,
                5,
                "hash of fewer");
        Evaluation evaluation =
                Evaluation.of(List.of(Runs.heuristic("fifo", all, all), Runs.heuristic("picky", one, all)), 1);

        assertThat(all(evaluation))
                .contains("fifo *", "picky rejected 1 job; its times are those of the others")
                .doesNotContain("fifo rejected");
        assertThat(SummaryJson.of(JsonNodeFactory.instance.objectNode(), 1, evaluation, null)
                        .tree()
                        .toPrettyString())
                .contains("\"rejected\" : 1")
                .doesNotContain("\"rejected\" : 0");
    }

    @Test
    void nothing_is_wider_than_100_columns() {
        Evaluation evaluation = Evaluation.of(
                List.of(
                        Runs.heuristic("a-scheduler-with-a-very-long-name", episodes(2_000_000)),
                        Runs.learned("another-one-that-does-not-end-either", episodes(1_999_000))),
                1);

        assertThat(all(evaluation).lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
        assertThat(all(Runs.example(10, 200)).lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void colours_come_only_when_asked_for() {
        Evaluation evaluation = Runs.example(8, 50);

        assertThat(all(evaluation)).doesNotContain("\u001b");
        assertThat(VerdictColours.coloured(all(evaluation))).contains("\u001b[32mbetter\u001b[0m");
        assertThat(VerdictColours.coloured(all(evaluation)).replaceAll("\u001b\\[\\d+m", ""))
                .isEqualTo(all(evaluation));
    }

    @Test
    void one_episode_says_that_it_has_no_interval() {
        assertThat(all(Runs.example(1, 50)))
                .contains("undefined")
                .contains("One episode has no interval; a verdict needs at least 5 episodes.");
    }

    @Test
    void the_number_of_comparisons_is_said_where_verdicts_are_given() {
        assertThat(all(Runs.example(8, 50))).contains("""
                        Verdicts corrected by Holm at 5 %: a policy's for its 5 comparisons, others against las for 4.
                        Intervals are 95 % each, not corrected.
                        """);
        assertThat(of(Runs.example(8, 50)).brief().console()).contains("""
                        Verdicts corrected by Holm at 5 %: a policy's for its 5 comparisons.
                        Intervals are 95 % each, not corrected.
                        """);
        assertThat(all(Runs.example(4, 50))).doesNotContain("Holm");
    }

    @Test
    void overlapping_windows_get_no_verdict_and_the_table_says_why() {
        String table = all(Evaluation.of(Runs.example(8, 50).runs(), new EpisodeSample(7, true)));

        assertThat(table)
                .contains("Windows overlap: no verdict. Test episodes share jobs, so intervals are too narrow.")
                .containsPattern("gnn-ppo .* windows overlap\n")
                .doesNotContain("better", "worse", "Holm");
    }

    @Test
    void schedulers_that_coincide_are_named_under_the_table() {
        List<SchedulerRuns> runs = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            runs.add(Runs.heuristic("scheduler-of-%d".formatted(i), Runs.episode(3, 4)));
        }

        String table = all(Evaluation.of(runs, 1));

        assertThat(table.replaceAll("\\s+", " "))
                .endsWith("scheduler-of-14 and scheduler-of-15 made the same decisions in all episodes. ");
        assertThat(table.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void a_mean_of_ratios_that_contradicts_the_ratio_of_means_is_said() {
        // Short episodes are twice as long, a long one 10 % shorter.
        Evaluation evaluation = Evaluation.of(
                List.of(
                        Runs.heuristic("fifo", Runs.episode(10, 10), Runs.episode(1000, 1000)),
                        Runs.learned("policy", Runs.episode(20, 20), Runs.episode(900, 900))),
                1);

        assertThat(all(evaluation))
                .contains("policy: +45.0 % as the mean over episodes, but -8.9 % by the mean JCT over all jobs.\n");
        Evaluation withBest = Evaluation.of(
                List.of(
                        Runs.heuristic("best", Runs.episode(5, 5), Runs.episode(500, 500)),
                        Runs.heuristic("fifo", Runs.episode(10, 10), Runs.episode(1000, 1000)),
                        Runs.learned("policy", Runs.episode(20, 20), Runs.episode(900, 900))),
                1);
        assertThat(of(withBest).brief().console())
                .contains(
                        "policy against fifo: +45.0 % as the mean over episodes, but -8.9 % by the mean JCT over all jobs.\n");
    }

    @Test
    void the_legend_of_not_shown_stands_below_rows_that_say_so_alone() {
        RunResult[] steady =
                IntStream.range(0, 8).mapToObj(i -> Runs.episode(10)).toArray(RunResult[]::new);
        RunResult[] wobbling = DoubleStream.of(11, 12.5, 9.8, 10.6, 10.2, 11.5, 12, 10.9)
                .mapToObj(Runs::episode)
                .toArray(RunResult[]::new);
        RunResult[] long20 =
                IntStream.range(0, 8).mapToObj(i -> Runs.episode(20)).toArray(RunResult[]::new);
        List<SchedulerRuns> runs =
                new ArrayList<>(List.of(Runs.learned("policy", long20), Runs.heuristic("best", steady)));
        for (int i = 0; i < 12; i++) {
            runs.add(Runs.heuristic("wobbling-" + i, wobbling));
        }
        Evaluation evaluation = Evaluation.of(runs, 1);

        assertThat(all(evaluation)).contains("not shown\n", "Not shown: the interval excludes zero");
        assertThat(of(evaluation).brief().console()).doesNotContain("not shown", "Not shown");
    }

    @Test
    void another_metric_ranks_and_is_shown() {
        Evaluation evaluation = Evaluation.of(
                List.of(
                        Runs.heuristic("even", Runs.episode(100, 100, 100)),
                        Runs.heuristic("short", Runs.episode(10, 10, 150))),
                1);

        assertThat(new EpisodesAnswer(evaluation, RankingMetric.P99_JCT)
                        .tables()
                        .console()
                        .lines())
                .element(1)
                .asString()
                .startsWith("even ");
        assertThat(new EpisodesAnswer(evaluation, RankingMetric.P99_JCT)
                        .tables()
                        .console())
                .contains("p99 JCT", "Rows are sorted by the p99 JCT over all jobs");
        assertThat(all(evaluation).lines()).element(1).asString().startsWith("short ");
    }

    @Test
    void several_seeds_are_called_a_mean_and_the_one_that_ships_is_compared_too() {
        List<SchedulerRuns> runs = List.of(
                Runs.learned("learned/1", Runs.episode(8), Runs.episode(20)),
                Runs.learned("learned/2 (shipped)", Runs.episode(6), Runs.episode(10)),
                Runs.heuristic("sjf", Runs.episode(10), Runs.episode(20)));

        String table = all(Evaluation.pooled(
                runs, SeedPool.meanOf("learned", 2), "learned/2 (shipped)", Map.of(), EpisodeSample.independent(1)));

        assertThat(table)
                .contains("learned (mean of 2): the mean over seeds, no policy that can run")
                .containsPattern("learned \\(mean of 2\\) +sjf +-27")
                .containsPattern("learned/2 \\(shipped\\) +sjf +-45");
    }

    private static EpisodesAnswer of(Evaluation evaluation) {
        return new EpisodesAnswer(evaluation, RankingMetric.MEAN_JCT);
    }

    private static String all(Evaluation evaluation) {
        return of(evaluation).tables().console();
    }

    private static RunResult[] episodes(double jctSeconds) {
        RunResult episode = Runs.episode(jctSeconds, jctSeconds);
        return new RunResult[] {episode, episode, episode, episode, episode};
    }
}
