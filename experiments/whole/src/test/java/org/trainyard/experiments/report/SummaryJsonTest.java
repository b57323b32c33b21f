package org.trainyard.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.Runs;
import org.trainyard.experiments.io.JsonText;

class SummaryJsonTest {
    private static final JsonNode CONFIG = JsonNodeFactory.instance.objectNode().put("name", "tiny");

    @TempDir
    Path folder;

    @Test
    void the_schema_is_as_documented() throws IOException {
        Evaluation evaluation = Evaluation.of(
                List.of(Runs.heuristic("fifo", Runs.episode(1, 2, 3)), Runs.learned("policy", Runs.episode(1, 1, 1))),
                9);

        Files.writeString(folder.resolve("summary.json"), text(9, evaluation));

        assertThat(folder.resolve("summary.json")).hasContent("""
                        {
                          "config" : {
                            "name" : "tiny"
                          },
                          "seed" : 9,
                          "schedulers" : [
                            {
                              "name" : "fifo",
                              "kind" : "textbook",
                              "jobs" : 3,
                        %s,
                              "makespan_s" : 5,
                              "slowdown_mean" : 1,
                              "gpu_utilisation" : 0.3,
                              "preemptions" : 0,
                              "decisions" : 3,
                              "event_log_sha256" : "%s",
                        %s
                            },
                            {
                              "name" : "policy",
                              "kind" : null,
                              "jobs" : 3,
                        %s,
                              "makespan_s" : 3,
                              "slowdown_mean" : 1,
                              "gpu_utilisation" : 0.25,
                              "preemptions" : 0,
                              "decisions" : 3,
                              "event_log_sha256" : "%s",
                        %s
                            }
                          ],
                          "comparison" : {
                            "reference" : "fifo",
                            "episodes" : 1,
                            "level" : 0.95,
                            "method" : "bootstrap of the mean over episodes, 10000 resamples, expanded percentiles",
                            "correction" : "Holm, over the duels of a policy and over the other comparisons; intervals are not corrected",
                            "windows_overlap" : false,
                            "schedulers" : [
                              {
                                "name" : "policy",
                                "jct_difference_percent" : -50,
                                "interval" : null,
                                "p" : null,
                                "p_corrected" : null,
                                "verdict" : "too few episodes"
                              }
                            ]
                          },
                          "duels" : [
                            {
                              "name" : "policy",
                              "against" : "fifo",
                              "jct_difference_percent" : -50,
                              "interval" : null,
                              "p" : null,
                              "p_corrected" : null,
                              "verdict" : "too few episodes"
                            }
                          ],
                          "training_gain" : [ ],
                          "coincidences" : [ ]
                        }
                        """.formatted(
                        distribution("jct_s", "2", "2", "2.9", "2.98").indent(6).stripTrailing(),
                        evaluation.scores().get(0).eventLogSha256(),
                        figures("2", "2", "2.9", "2.98"),
                        distribution("jct_s", "1", "1", "1", "1").indent(6).stripTrailing(),
                        evaluation.scores().get(1).eventLogSha256(),
                        figures("1", "1", "1", "1")));
    }

    /** The figures of three jobs that never waited, with these JCTs. */
    private static String figures(String... jct) {
        String seconds = distribution("wait_s", "0", "0", "0", "0");
        String one = distribution("jct_slowdown", "1", "1", "1", "1");
        return """
                %s,
                %s,
                "jct_parts_s" : {
                  "queueing" : 0,
                  "restart" : 0,
                  "interference" : 0,
                  "placement" : 0,
                  "undisturbed" : %s
                },
                "fairness" : {
                  "jain_users" : null,
                  "jain_virtual_clusters" : null,
                %s,
                  "unfair_share" : 0
                },
                "by" : {
                  "gpus" : [
                    {
                      "name" : "1",
                      "jobs" : 3,
                      "gpu_hours" : %s,
                %s,
                %s,
                %s
                    }
                  ]
                }""".formatted(
                        seconds,
                        one,
                        jct[0],
                        distribution("finish_time", "1", "1", "1", "1")
                                .indent(2)
                                .stripTrailing(),
                        jct[0].equals("2") ? "0.001666667" : "0.000833333",
                        seconds.indent(6).stripTrailing(),
                        distribution("jct_s", jct).indent(6).stripTrailing(),
                        one.indent(6).stripTrailing())
                .indent(6)
                .stripTrailing();
    }

    private static String distribution(String name, String... figures) {
        return """
                "%s" : {
                  "mean" : %s,
                  "median" : %s,
                  "p95" : %s,
                  "p99" : %s
                }""".formatted(name, figures[0], figures[1], figures[2], figures[3]);
    }

    private static String text(long seed, Evaluation evaluation) {
        return JsonText.pretty(SummaryJson.of(CONFIG, seed, evaluation, null).tree());
    }

    @Test
    void the_parts_of_the_jct_add_up_to_it() throws Exception {
        JsonNode scheduler = new JsonMapper()
                .readTree(text(1, Runs.example(2, 50)))
                .path("schedulers")
                .get(0);
        double sum = 0;
        for (JsonNode part : scheduler.path("jct_parts_s")) {
            sum += part.asDouble();
        }
        assertThat(sum).isCloseTo(scheduler.at("/jct_s/mean").asDouble(), within(1e-6));
    }

    @Test
    void the_same_results_give_the_same_bytes() throws Exception {
        String one = text(1, Runs.example(6, 50));

        assertThat(text(1, Runs.example(6, 50))).isEqualTo(one);
        assertThat(new JsonMapper().readTree(one).path("comparison").path("schedulers"))
                .hasSize(5);
    }

    @Test
    void p_values_and_coincidences_are_told() throws Exception {
        Evaluation evaluation = Evaluation.of(
                List.of(
                        Runs.heuristic("fifo", episodes(10, 11, 12, 13, 14)),
                        Runs.heuristic("las", episodes(10, 11, 12, 13, 14)),
                        Runs.learned("policy", episodes(9, 10, 11, 12, 15))),
                9);

        JsonNode summary = new JsonMapper().readTree(text(9, evaluation));

        JsonNode same = summary.path("comparison").path("schedulers").get(0);
        assertThat(same.path("name").asText()).isEqualTo("las");
        assertThat(same.path("p").asDouble()).isEqualTo(1);
        JsonNode policy = summary.path("comparison").path("schedulers").get(1);
        assertThat(policy.path("p").asDouble()).isBetween(0.05, 0.5);
        assertThat(policy.path("p_corrected").asDouble())
                .isCloseTo(2 * policy.path("p").asDouble(), within(1e-8));
        assertThat(summary.path("coincidences").get(0).toString())
                .isEqualTo("{\"schedulers\":[\"fifo\",\"las\"],\"same\":\"decisions\"}");
    }

    private static RunResult[] episodes(double... jctSeconds) {
        return Arrays.stream(jctSeconds).mapToObj(Runs::episode).toArray(RunResult[]::new);
    }

    @Test
    void numbers_are_plain_decimals_of_at_most_nine_places() {
        String text = text(1, Runs.example(6, 50));

        assertThat(text.replaceAll("\"[^\"]*\"", ""))
                .doesNotContainPattern("[0-9][eE]")
                .doesNotContainPattern("\\.\\d{10}");
    }

    @Test
    void without_a_heuristic_the_comparison_is_null() {
        Evaluation evaluation = Evaluation.of(List.of(Runs.learned("policy", Runs.episode(1))), 1);

        assertThat(SummaryJson.of(CONFIG, 1, evaluation, null)
                        .tree()
                        .get("comparison")
                        .isNull())
                .isTrue();
    }
}
