package org.trainyard.experiments.sweep;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.experiments.io.AnswerTable;

/**
 * The results of a sweep that has the seed among its keys: the means over seeds, for each combination of the other
 * keys. Seeds have different episodes, so that the best run of all would be the seed with the easiest ones.
 *
 * @param keys the others
 * @param rows the least mean first
 */
public record SeedMeans(List<String> keys, List<Row> rows) {
    private static final String SEED = "seed";
    private static final String VALIDATION = "mean_validation_jct_s";
    private static final String TEST = "mean_jct_s";

    /**
     * A combination and a scheduler.
     *
     * @param values of the other keys
     * @param seeds how many there are
     * @param validation mean over seeds of the JCT on validation episodes, seconds; not a number without training
     * @param test mean over seeds of the mean JCT on test episodes, seconds
     */
    public record Row(List<String> values, String scheduler, int seeds, double validation, double test) {
        /** Score to rank by, less is better: of trainings the JCT on validation episodes, otherwise the mean JCT. */
        double score() {
            return Double.isNaN(validation) ? test : validation;
        }
    }

    /** Whether a sweep over these keys has means over seeds. */
    static boolean isOver(List<String> keys) {
        return keys.contains(SEED);
    }

    /** The means of runs, which are those by which runs are compared. */
    static SeedMeans of(List<String> keys, List<SweepResults.Row> runs) {
        int seed = keys.indexOf(SEED);
        Map<List<String>, List<SweepResults.Row>> groups = new LinkedHashMap<>();
        for (SweepResults.Row run : runs) {
            List<String> group = without(seed, run.point());
            group.add(run.name());
            groups.computeIfAbsent(group, unseen -> new ArrayList<>()).add(run);
        }
        List<Row> rows = new ArrayList<>();
        groups.forEach((group, members) -> rows.add(new Row(
                List.copyOf(group.subList(0, group.size() - 1)),
                group.get(group.size() - 1),
                members.size(),
                members.stream()
                        .mapToDouble(run -> run.validation().asDouble(Double.NaN))
                        .average()
                        .orElse(Double.NaN),
                members.stream().mapToDouble(SweepResults.Row::test).average().orElse(Double.NaN))));
        rows.sort(Comparator.comparingDouble(Row::score));
        return new SeedMeans(List.copyOf(without(seed, keys)), List.copyOf(rows));
    }

    private static List<String> without(int place, List<String> all) {
        List<String> others = new ArrayList<>(all);
        others.remove(place);
        return others;
    }

    /** The first so many rows; without training no validation. */
    public AnswerTable<Row> table(int most) {
        AnswerTable<Row> table = AnswerTable.of(rows.stream().limit(most).toList());
        for (int i = 0; i < keys.size(); i++) {
            int key = i;
            table.text(keys.get(i), row -> row.values().get(key));
        }
        table.text("scheduler", Row::scheduler).number("seeds", "%.0f", Row::seeds);
        if (rows.stream().anyMatch(row -> !Double.isNaN(row.validation()))) {
            table.number(VALIDATION, "%.1f", Row::validation);
        }
        return table.number(TEST, "%.1f", Row::test);
    }

    /** The table as a file. */
    String csv() {
        return table(rows.size()).csv();
    }
}
