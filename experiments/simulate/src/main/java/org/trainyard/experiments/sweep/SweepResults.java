package org.trainyard.experiments.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.trainyard.experiments.io.AnswerTable;

/**
 * The results of a sweep: a row for every run and scheduler, by number of the run.
 *
 * @param keys that were varied
 * @param rows in the order of the runs
 * @param trained whether runs trained a policy
 */
record SweepResults(List<String> keys, List<Row> rows, boolean trained) {
    private static final String SCORE = "mean_jct_s";

    /**
     * A scheduler in a run.
     *
     * @param run number of the run, from 1
     * @param point values of the keys
     * @param scheduler its metrics by column
     * @param validation geometric mean JCT of the trained policy on the validation episodes, seconds; null without
     *     training
     */
    record Row(int run, List<String> point, JsonNode scheduler, JsonNode validation) {
        /** Score, least for the best run: of trainings the JCT on validation episodes, otherwise the mean JCT. */
        double score() {
            return validation.isNumber() ? validation.asDouble() : test();
        }

        /** Mean JCT on the test episodes, seconds. */
        double test() {
            return scheduler.path(SCORE).asDouble(Double.NaN);
        }

        String name() {
            return scheduler.path("scheduler").asText();
        }

        private boolean isScored(boolean trained) {
            return !trained || name().equals("learned");
        }
    }

    /** @param answers of the runs, from the first on */
    static SweepResults of(SweepConfig sweep, List<List<String>> points, List<JsonNode> answers) {
        List<Row> rows = new ArrayList<>();
        for (int run = 0; run < points.size(); run++) {
            JsonNode answer = answers.get(run);
            for (JsonNode scheduler : answer.path("schedulers")) {
                rows.add(new Row(run + 1, points.get(run), scheduler, answer.path("validation_jct_s")));
            }
        }
        return new SweepResults(sweep.keys().stream().map(SweptKey::key).toList(), List.copyOf(rows), sweep.train());
    }

    /** The rows by which runs are compared, best first: of trainings that of the policy. */
    List<Row> ranked() {
        return rows.stream()
                .filter(row -> row.isScored(trained))
                .sorted(Comparator.comparingDouble(Row::score))
                .toList();
    }

    Optional<Row> best() {
        return ranked().stream().findFirst();
    }

    /** {@code results.csv}: the same bytes for the same results. */
    String csv() {
        AnswerTable<Row> table = AnswerTable.of(rows).text("run", row -> String.valueOf(row.run()));
        for (int i = 0; i < keys.size(); i++) {
            int key = i;
            table.text(keys.get(i), row -> row.point().get(key));
        }
        SweepColumn.NAMES.forEach(column -> table.text(
                column.name(), row -> row.scheduler().path(column.name()).asText()));
        return table.text(
                        "validation_jct_s",
                        row -> row.name().equals("learned") && row.validation().isNumber()
                                ? row.validation().asText()
                                : "")
                .csv();
    }
}
