package org.trainyard.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.experiments.evaluation.EpisodeSample;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.RunRecording;
import org.trainyard.experiments.evaluation.Runs;
import org.trainyard.experiments.evaluation.SeedPool;
import org.trainyard.experiments.metrics.RankingMetric;

/** What answers, {@code summary.json} and the page say of episodes made by hand. */
class ResultSentenceTest {
    private static RunResult[] steady(double... jctSeconds) {
        return Arrays.stream(jctSeconds).mapToObj(Runs::episode).toArray(RunResult[]::new);
    }

    private static String brief(Evaluation evaluation, RankingMetric metric) {
        return new EpisodesAnswer(evaluation, metric).brief().console().replaceAll("\\s+", " ");
    }

    @Test
    void the_result_of_a_trace_names_one_scheduler_or_two() {
        assertThat(ResultSentence.ofTrace("mean wait", List.of("fifo"), List.of("2 min"), "?"))
                .isEqualTo("Result: fifo has a mean wait of 2 min.");
        assertThat(ResultSentence.ofTrace("mean wait", List.of("sjf", "fifo"), List.of("1 min", "2 min"), " (sure)"))
                .isEqualTo("Result: sjf has the shortest mean wait, 1 min; fifo has 2 min (sure).");
    }

    @Test
    void one_scheduler_is_compared_with_none() {
        String brief = brief(Evaluation.of(List.of(Runs.heuristic("fifo", steady(120))), 1), RankingMetric.MEAN_JCT);

        assertThat(brief).startsWith("Result: fifo has a mean JCT of 2 min. ");
    }

    /** The policy is ten seconds faster than the best of three, in each of eight episodes, and slower than none. */
    @Test
    void a_policy_that_is_better_than_all_says_so() {
        Evaluation evaluation = Evaluation.of(
                List.of(
                        Runs.heuristic("fifo", steady(300, 300, 300, 300, 300, 300, 300, 300)),
                        Runs.heuristic("sjf", steady(200, 200, 200, 200, 200, 200, 200, 200)),
                        Runs.learned("learned", steady(100, 100, 100, 100, 100, 100, 100, 100))),
                1);
        String brief = brief(evaluation, RankingMetric.MEAN_JCT);

        assertThat(brief)
                .startsWith(
                        "Result: the mean JCT of learned is 1 min 40 s, -50.0 % against sjf (-50.0 .. -50.0 %: better); of 2"
                                + " schedulers it is better than 2. ")
                .contains("Column learned: its mean JCT against that of the row's scheduler. ", "* best heuristic;")
                .doesNotContain("worse than");
    }

    @Test
    void a_policy_that_is_worse_than_some_says_than_how_many() {
        Evaluation evaluation = Evaluation.of(
                List.of(
                        Runs.heuristic("fifo", steady(300, 300, 300, 300, 300, 300, 300, 300)),
                        Runs.heuristic("sjf", steady(200, 200, 200, 200, 200, 200, 200, 200)),
                        Runs.learned("mine", steady(250, 250, 250, 250, 250, 250, 250, 250))),
                1);

        assertThat(brief(evaluation, RankingMetric.MEAN_JCT))
                .startsWith(
                        "Result: the mean JCT of mine is 4 min 10 s, +25.0 % against sjf (+25.0 .. +25.0 %: worse); of 2"
                                + " schedulers it is better than 1 and worse than 1. ")
                .contains("Column learned: the mean JCT of mine against that of the row's scheduler. ");
    }

    /** By another metric no comparison of the mean JCT stands beside the two best, and the order alone changes. */
    @Test
    void another_metric_changes_the_order_alone() {
        Evaluation evaluation = Evaluation.of(
                List.of(
                        Runs.heuristic("fifo", Runs.episode(100, 100, 100)),
                        Runs.heuristic("sjf", Runs.episode(10, 10, 150))),
                1);

        assertThat(brief(evaluation, RankingMetric.P95_JCT))
                .startsWith("Result: fifo has the least p95 JCT, 1 min 40 s; sjf follows with 2 min 16 s. ")
                .contains(
                        "scheduler p95 JCT mean JCT vs best *",
                        "--metric changes the order alone: differences and verdicts are those of the mean JCT.");
        assertThat(brief(evaluation, RankingMetric.MEAN_JCT))
                .startsWith(
                        "Result: sjf has the least mean JCT, 57 s; fifo follows with 1 min 40 s (too few episodes). ")
                .contains("scheduler mean JCT p95 JCT vs best *")
                .doesNotContain("--metric");
    }

    @Test
    void the_page_has_every_scheduler_with_its_role_its_distribution_and_its_differences() throws Exception {
        Evaluation evaluation = Evaluation.of(
                List.of(
                        Runs.heuristic("fifo", Runs.episode(1, 3, 2, 2)),
                        Runs.learned("learned", Runs.episode(2, 2, 2, 2))),
                1);
        RunReport report = new RunReport(
                new RunReport.Subject("title", JsonNodeFactory.instance.objectNode(), "a: 1\n", 7),
                evaluation,
                null,
                List.of("A note."),
                List.of(),
                List.of(),
                RunRecording.Timelines.NONE);

        Matcher data = Pattern.compile("(?s)<script type=\"application/json\" id=\"data\">(.*?)</script>")
                .matcher(report.html(report.summary()));
        assertThat(data.find()).isTrue();
        JsonNode page = new JsonMapper().readTree(data.group(1));

        assertThat(page.at("/evaluation/schedulers/0/jct_cdf").toString())
                .isEqualTo("[[1.0,0.0],[1.0,0.25],[2.0,0.5],[2.0,0.75],[3.0,1.0]]");
        assertThat(page.at("/evaluation/schedulers/1/role").asText()).isEqualTo("LEARNED");
        assertThat(page.at("/evaluation/schedulers/1/differences_percent").toString())
                .isEqualTo("[0.0]");
        assertThat(page.at("/evaluation/schedulers/0").has("differences_percent"))
                .isFalse();
        assertThat(page.at("/evaluation/verdict_episodes").asInt()).isEqualTo(5);
        assertThat(page.at("/evaluation/jobs").asInt()).isEqualTo(4);
        assertThat(page.get("notes").get(0).asText()).isEqualTo("A note.");
        assertThat(page.get("title").asText()).isEqualTo("title");
        assertThat(page.at("/summary/seed").asInt()).isEqualTo(7);
    }

    /** Two seeds and what they were before training; the second ships. */
    @Test
    void machines_read_pools_and_gains_of_training() {
        Evaluation evaluation = Evaluation.pooled(
                List.of(
                        Runs.learned("learned/1", steady(8, 20)),
                        Runs.learned("learned/2", steady(6, 10)),
                        Runs.heuristic("untrained/1", steady(16, 40)),
                        Runs.heuristic("untrained/2", steady(12, 20)),
                        Runs.heuristic("sjf", steady(10, 20))),
                SeedPool.meanOf("learned", 2),
                "learned/2",
                Map.of("learned/1", "untrained/1", "learned/2", "untrained/2"),
                EpisodeSample.independent(1));

        JsonNode summary = SummaryJson.of(JsonNodeFactory.instance.objectNode(), 1, evaluation, null)
                .tree();

        assertThat(summary.at("/pool/name").asText()).isEqualTo("learned (mean of 2)");
        assertThat(summary.at("/pool/seeds").toString()).isEqualTo("[\"learned/1\",\"learned/2\"]");
        assertThat(summary.at("/pool/shipped").asText()).isEqualTo("learned/2");
        JsonNode gain = summary.at("/training_gain/1");
        assertThat(gain.get("name").asText()).isEqualTo("learned/2");
        assertThat(gain.get("untrained").asText()).isEqualTo("untrained/2");
        assertThat(gain.get("percent").asDouble()).isEqualTo(50);
        assertThat(gain.at("/interval/0").asDouble()).isEqualTo(50);
        assertThat(gain.get("verdict").asText()).isEqualTo("too few episodes");
        assertThat(gain.get("sentence").asText())
                .isEqualTo(
                        "learned/2: training gained 50.0 % (50.0 .. 50.0 %) against untrained/2: too few episodes for a"
                                + " verdict.");
        assertThat(brief(evaluation, RankingMetric.MEAN_JCT))
                .startsWith("Result: the mean JCT of learned (mean of 2) is 11 s, ")
                .contains(
                        " learned (mean of 2): the mean over seeds, no policy that can run; its intervals are over seeds and"
                                + " episodes. ",
                        "learned (mean of 2): training gained 50.0 %");
        assertThat(brief(evaluation, RankingMetric.MEAN_JCT).split("Result: ", -1))
                .as("of the pool alone")
                .hasSize(2);
    }
}
