package org.trainyard.experiments.papers.sjfbco;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.metrics.Statistics;

/** Tables of SJF-BCO's experiments, with the paper's results and ours side by side. */
public final class SjfBcoReport {
    private SjfBcoReport() {}

    /** The headings of {@link #table}. */
    public static List<String> header() {
        return List.of(
                "fig.",
                "setting",
                "policy",
                "paper makespan",
                "ours, mean",
                "ours, least..most",
                "paper vs first",
                "ours vs first",
                "paper mean compl.",
                "ours, mean compl.",
                "paper first compl.",
                "ours, first compl.");
    }

    /**
     * The cells of all rows; differences are to the first row of the same figure and, where policies are compared,
     * of the same setting.
     */
    public static List<List<String>> table(List<SjfBcoRow> rows) {
        List<List<String>> table = new ArrayList<>();
        SjfBcoRow first = null;
        for (SjfBcoRow row : rows) {
            boolean isFirst = first == null || !isComparable(first, row);
            first = isFirst ? row : first;
            table.add(cells(row, isFirst ? null : first));
        }
        return table;
    }

    private static boolean isComparable(SjfBcoRow first, SjfBcoRow row) {
        return first.figure().equals(row.figure())
                && (first.setting().equals(row.setting()) || (first.policy().equals(row.policy()) && isSweep(row)));
    }

    private static boolean isSweep(SjfBcoRow row) {
        return row.figure().equals("5") || row.figure().equals("7");
    }

    private static List<String> cells(SjfBcoRow row, @Nullable SjfBcoRow first) {
        SjfBcoRow.Published paper = row.paper();
        double least = row.outcomes().stream()
                .mapToDouble(SjfBcoRow.Outcome::makespan)
                .min()
                .orElse(Double.NaN);
        double most = row.outcomes().stream()
                .mapToDouble(SjfBcoRow.Outcome::makespan)
                .max()
                .orElse(Double.NaN);
        return List.of(
                row.figure(),
                row.setting(),
                row.policy(),
                paper == null ? "" : shown(paper.makespan()),
                number("%.0f", row.meanMakespan()),
                number("%.0f..%.0f", least, most),
                paper == null || first == null || first.paper() == null ? "" : percent(paper, first.paper()),
                first == null ? "" : number("%+.1f %%", Statistics.mean(row.percentOver(first))),
                paper == null ? "" : shown(paper.meanCompletion()),
                number("%.0f", row.meanCompletion()),
                paper == null ? "" : shown(paper.firstCompletion()),
                number("%.1f", row.firstCompletion()));
    }

    private static String percent(SjfBcoRow.Published paper, SjfBcoRow.Published first) {
        return number("%+.1f %%", 100 * (paper.makespan() / first.makespan() - 1));
    }

    private static String shown(double slots) {
        return slots == 0 ? "" : number("%.0f", slots);
    }

    /** The table in Markdown. */
    public static String markdown(List<SjfBcoRow> rows) {
        StringBuilder text = new StringBuilder();
        line(text, header());
        line(text, header().stream().map(heading -> "---").toList());
        table(rows).forEach(cells -> line(text, cells));
        return text.toString();
    }

    private static void line(StringBuilder text, List<String> cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    /** Our results, a line for each run. */
    public static String csv(List<SjfBcoRow> rows) {
        StringBuilder csv =
                new StringBuilder("figure,setting,policy,batch,makespan_s,mean_completion_s,first_completion_s\n");
        for (SjfBcoRow row : rows) {
            for (int batch = 0; batch < row.outcomes().size(); batch++) {
                SjfBcoRow.Outcome outcome = row.outcomes().get(batch);
                csv.append(number(
                        "%s,%s,%s,%d,%.3f,%.3f,%.3f\n",
                        row.figure(),
                        row.setting(),
                        row.policy(),
                        batch,
                        outcome.makespan(),
                        outcome.meanCompletion(),
                        outcome.firstCompletion()));
            }
        }
        return csv.toString();
    }

    private static String number(String format, @Nullable Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
