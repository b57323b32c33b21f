package org.trainyard.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.RunRecording;
import org.trainyard.experiments.evaluation.Runs;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.metrics.RankingMetric;

class HtmlReportTest {
    private static final ExperimentConfig CONFIG = ConfigReader.read(
            Path.of(System.getProperty("trainyard.root", ".."), "experiments", "configs", "auction/small.yaml"),
            List.of());
    private static final String EVIL = "</script><script>alert(1)</script><!-- & '\"{{data}}\u2028";
    private static final JsonMapper MAPPER = new JsonMapper();

    @TempDir
    Path folder;

    @Test
    void nothing_is_loaded_from_anywhere() {
        String page = page(example());

        String markup = page.replaceAll("(?s)(<script[^>]*>).*?</script>", "$1");
        assertThat(markup)
                .doesNotContain("http:")
                .doesNotContain("https:")
                .doesNotContain("src=")
                .doesNotContain("<link");
        assertThat(markup).doesNotContain("@import").doesNotContain("url(");
        assertThat(page).contains("default-src 'none'");
    }

    /** The last column of a table that is wider than the page is reached by scrolling, not cut off. */
    @Test
    void every_table_scrolls_inside_the_page() {
        String page = page(example());

        assertThat(page).contains(".scroll { overflow-x: auto; }").contains("white-space: normal; }\ntr.reference");
        assertThat(count(page, "element\\(\"table\"")).isPositive();
        assertThat(count(page, "element\\(\"table\""))
                .isEqualTo(count(page, "element\\(\"div\", \"scroll\", element\\(\"table\""));
        assertThat(page).doesNotContain("createElement(\"table\")").doesNotContain("<table");
    }

    @Test
    void what_users_write_is_data_and_neither_markup_nor_script() throws Exception {
        String page = page(hostile());

        assertThat(count(page, "<script[ >]")).isEqualTo(4);
        assertThat(count(page, "</script")).isEqualTo(4);
        assertThat(page).doesNotContain("alert(1)<").doesNotContain("sourceMappingURL");
        assertThat(data(page).path("notes").get(0).asText()).isEqualTo(EVIL);
        assertThat(page.replace(EVIL.substring(EVIL.indexOf("{{"), EVIL.indexOf("}}") + 2), ""))
                .doesNotContain("{{");
    }

    @Test
    void the_page_holds_the_bytes_of_summary_json() throws Exception {
        RunDirectory directory = RunDirectory.create(folder.resolve("run"), "a: 1\n", RunDirectory.OtherRun.REFUSE);

        ResultFiles.write(directory, example(), JsonNodeFactory.instance.objectNode());

        String summary = Files.readString(directory.summary());
        JsonNode inside = data(Files.readString(directory.report())).path("summary");
        assertThat(inside).isEqualTo(MAPPER.readTree(summary));
        assertThat(inside.path("schedulers")).hasSize(6);
    }

    @Test
    void every_scheduler_has_the_data_of_its_charts() throws Exception {
        JsonNode evaluation = data(page(example())).path("evaluation");

        assertThat(evaluation.path("episodes").asInt()).isEqualTo(12);
        assertThat(evaluation.path("jobs").asInt()).isEqualTo(12 * 200);
        for (JsonNode scheduler : evaluation.path("schedulers")) {
            boolean isReference = scheduler.path("name").asText().equals("srtf");
            assertThat(scheduler.path("differences_percent")).hasSize(isReference ? 0 : 12);
        }
        assertThat(evaluation.path("schedulers").get(5).path("role").asText()).isEqualTo("FLOOR");
    }

    @Test
    void a_cdf_goes_from_zero_to_one_and_is_thinned_without_inventing_points() throws Exception {
        JsonNode cdf = data(page(example()))
                .path("evaluation")
                .path("schedulers")
                .get(1)
                .path("jct_cdf");

        assertThat(cdf).hasSize(1 + 400);
        assertThat(cdf.get(0).get(1).asDouble()).isZero();
        assertThat(cdf.get(400).get(1).asDouble()).isEqualTo(1);
        assertThat(cdf.get(400).get(0).asDouble()).isEqualTo(longestJct("srtf"));
    }

    @Test
    void a_point_of_a_curve_that_is_no_number_is_a_gap() throws Exception {
        JsonNode curve = data(page(example())).path("training_curves").get(0);

        assertThat(curve.path("points")).hasSize(200);
        assertThat(curve.path("points").get(2).get(1).isNull()).isTrue();
        assertThat(curve.path("points").get(3).get(1).isNumber()).isTrue();
    }

    @Test
    void the_same_content_gives_the_same_page() {
        assertThat(page(example())).isEqualTo(page(example()));
    }

    @Test
    void a_browser_draws_every_chart_and_shows_the_best_scheduler_first() throws Exception {
        String dom = inBrowser(page(example()));

        assertThat(count(dom, "<svg ")).isEqualTo(5 + 5);
        assertThat(count(dom, "save as SVG")).isEqualTo(5 + 5);
        assertThat(dom).doesNotContain("This chart failed").contains("<title>small</title>");
        Evaluation evaluation = example().evaluation();
        List<String> rows = evaluation.ranking(RankingMetric.MEAN_JCT).stream()
                .map(score -> "<td>" + score.name() + "</td>")
                .toList();
        assertThat(dom).containsSubsequence(rows);
        assertThat(dom).contains("<h2>The trained policy against each scheduler</h2>", "12 episodes, 2400 jobs in all");
        assertThat(dom).contains("<h2>Waiting and slowdown</h2>", "<h2>Fairness</h2>", "<h2>Wait by GPUs</h2>");
    }

    @Test
    void a_browser_shows_hostile_names_as_text() throws Exception {
        String dom = inBrowser(page(hostile()));

        assertThat(dom).contains("<td>&lt;b&gt;policy</td>", "&lt;script&gt;alert(1)&lt;/script&gt;");
        assertThat(count(dom, "<script[ >]")).isEqualTo(4);
        assertThat(count(dom, "<svg ")).isEqualTo(5 + 1);
    }

    /** The page after its script ran; only where a Chromium is installed. */
    private String inBrowser(String page) throws Exception {
        Path file = folder.resolve("page.html");
        Files.writeString(file, page);
        return Chromium.dump(folder, file.toUri().toString());
    }

    private static double longestJct(String scheduler) {
        return example().evaluation().runs(scheduler).episodes().stream()
                .flatMap(episode -> episode.jobs().stream())
                .mapToDouble(job -> job.jctNanos() / 1e9)
                .max()
                .orElseThrow();
    }

    private static String page(RunReport report) {
        return report.html(report.summary());
    }

    private static RunReport example() {
        return new RunReport(
                RunReport.Subject.of(CONFIG),
                Runs.example(12, 200),
                null,
                List.of("the 12 test episodes of 200 jobs overlap"),
                List.of(
                        curve("reward", 200),
                        curve("validation JCT, seconds", 200),
                        curve("decisions/s", 200),
                        curve("entropy", 200),
                        curve("KL divergence", 200)),
                List.of(),
                RunRecording.Timelines.NONE);
    }

    private static RunReport hostile() {
        Evaluation evaluation = Evaluation.of(
                List.of(Runs.heuristic(EVIL, Runs.episode(1, 2)), Runs.learned("<b>policy", Runs.episode(1, 2))), 1);
        return new RunReport(
                RunReport.Subject.of(CONFIG),
                evaluation,
                null,
                List.of(EVIL),
                List.of(curve(EVIL, 3)),
                List.of(),
                RunRecording.Timelines.NONE);
    }

    private static TrainingCurve curve(String name, int updates) {
        List<TrainingCurve.Point> points = new ArrayList<>();
        for (int i = 0; i < updates; i++) {
            double value =
                    i == 2 ? Double.NaN : name.length() * 100 * (2 - Math.exp(-i / 40.0)) + 20 * Math.sin(i * 1.7);
            points.add(new TrainingCurve.Point(i, value));
        }
        return new TrainingCurve(name, points);
    }

    private static JsonNode data(String page) throws Exception {
        Matcher matcher = Pattern.compile("(?s)<script type=\"application/json\" id=\"data\">(.*?)</script>")
                .matcher(page);
        assertThat(matcher.find()).isTrue();
        return MAPPER.readTree(matcher.group(1));
    }

    private static long count(String text, String pattern) {
        return Pattern.compile(pattern).matcher(text).results().count();
    }
}
