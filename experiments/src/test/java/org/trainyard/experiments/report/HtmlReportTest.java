package org.trainyard.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.Runs;

class HtmlReportTest {
    /** Left in the build folder for people to look at. */
    private static final Path FILE = Path.of("target", "example-report.html");

    @Test
    void nothing_is_loaded_from_anywhere() {
        String page = HtmlReport.render(example());

        String markup = page.replaceAll("(?s)(<script[^>]*>).*?</script>", "$1");
        assertThat(markup)
                .doesNotContain("http:")
                .doesNotContain("https:")
                .doesNotContain("src=")
                .doesNotContain("<link");
        assertThat(markup).doesNotContain("@import").doesNotContain("url(");
        assertThat(page).contains("default-src 'none'");
    }

    @Test
    void every_script_ends_where_it_should() {
        String page = HtmlReport.render(example());

        assertThat(count(page, "<script[ >]")).isEqualTo(4);
        assertThat(count(page, "</script")).isEqualTo(4);
        assertThat(page).doesNotContain("sourceMappingURL").doesNotContain("{{");
    }

    @Test
    void what_users_write_is_text_and_never_markup() {
        String evil = "</script><script>alert(1)</script> & '\"{{vega}}";
        Evaluation evaluation = Evaluation.of(
                List.of(Runs.heuristic(evil, Runs.episode(1, 2)), Runs.learned("<b>policy", Runs.episode(1, 2))), 1);

        String page = HtmlReport.render(
                new HtmlReport.Content(evil, evil, evaluation, List.of(evil), List.of(curve(evil, 3))));

        assertThat(count(page, "<script[ >]")).isEqualTo(4);
        assertThat(count(page, "</script")).isEqualTo(4);
        assertThat(page).contains("&lt;/script&gt;&lt;script&gt;alert(1)").doesNotContain("<b>policy");
        assertThat(page).contains("<pre>&lt;/script&gt;");
    }

    @Test
    void every_chart_has_its_place_and_its_data() throws Exception {
        String page = HtmlReport.render(example());

        JsonNode charts = charts(page);
        List<String> ids = new ArrayList<>();
        charts.fieldNames().forEachRemaining(ids::add);
        assertThat(ids)
                .containsExactly(
                        "jct-cdf",
                        "differences",
                        "queueing",
                        "slowdown",
                        "curve-0",
                        "curve-1",
                        "curve-2",
                        "curve-3",
                        "curve-4");
        for (String id : ids) {
            assertThat(page).contains("<div id=\"" + id + "\">");
            assertThat(charts.path(id).path("data").path("values")).isNotEmpty();
        }
    }

    @Test
    void a_cdf_goes_from_zero_to_one_and_is_thinned_without_inventing_points() throws Exception {
        JsonNode values = charts(HtmlReport.render(example()))
                .path("jct-cdf")
                .path("data")
                .path("values");

        double last = 0;
        int points = 0;
        for (JsonNode row : values) {
            if (row.path("scheduler").asText().equals("srtf")) {
                last = row.path("share").asDouble();
                points++;
            }
        }
        assertThat(last).isEqualTo(1);
        assertThat(points).isEqualTo(1 + 400);
    }

    @Test
    void a_run_without_evaluation_or_training_still_has_a_page() {
        String page = HtmlReport.render(new HtmlReport.Content("empty", "a: 1", null, List.of(), List.of()));

        assertThat(page).contains("<h1>empty</h1>").contains("<pre>a: 1</pre>");
        assertThat(HtmlReport.render(
                        new HtmlReport.Content("training", "a: 1", null, List.of(), List.of(curve("reward", 5)))))
                .contains("curve-0");
    }

    @Test
    void the_same_content_gives_the_same_page() {
        HtmlReport.write(FILE, example());

        assertThat(FILE).hasContent(HtmlReport.render(example()));
    }

    private static HtmlReport.Content example() {
        return new HtmlReport.Content(
                "Philly, two racks: learned against heuristics",
                "seed: 7\ntrace: philly\ncluster: two-racks\nepisodes:\n  jobs: 200\n  test: 12\n",
                Runs.example(12, 200),
                List.of("the 12 test episodes of 200 jobs overlap"),
                List.of(
                        curve("reward", 200),
                        curve("validation JCT, seconds", 200),
                        curve("decisions/s", 200),
                        curve("entropy", 200),
                        curve("KL divergence", 200)));
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

    private static JsonNode charts(String page) throws Exception {
        Matcher matcher = Pattern.compile("(?s)<script type=\"application/json\" id=\"charts\">(.*?)</script>")
                .matcher(page);
        assertThat(matcher.find()).isTrue();
        return new JsonMapper().readTree(matcher.group(1));
    }

    private static long count(String text, String pattern) {
        return Pattern.compile(pattern).matcher(text).results().count();
    }
}
