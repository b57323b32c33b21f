package org.trainyard.experiments.report;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.PairedComparison;
import org.trainyard.experiments.evaluation.SchedulerScore;
import org.trainyard.experiments.run.Durations;

/** The tables of the report. */
final class HtmlTables {
    private HtmlTables() {}

    /** Every scheduler with its figures and its verdict, best first, and how to read them. */
    static String comparison(Evaluation evaluation) {
        StringBuilder html =
                new StringBuilder("<p class=\"lead\">%d episode%s, %d jobs in all, the same for every scheduler.</p>\n"
                        .formatted(
                                evaluation.episodes(),
                                evaluation.episodes() == 1 ? "" : "s",
                                evaluation.scores().get(0).jobs()));
        html.append("<div class=\"scroll\"><table>\n<thead><tr>");
        for (String title : new String[] {
            "scheduler",
            "mean JCT",
            "median",
            "p95",
            "p99",
            "makespan",
            "queueing",
            "slowdown",
            "GPUs held",
            "preempted",
            "mean JCT against<br>the reference",
            ""
        }) {
            html.append("<th>").append(title).append("</th>");
        }
        html.append("</tr></thead>\n<tbody>\n");
        for (SchedulerScore score : evaluation.ranking()) {
            row(html, evaluation, score);
        }
        return html.append("</tbody></table></div>\n").append(notes(evaluation)).toString();
    }

    private static void row(StringBuilder html, Evaluation evaluation, SchedulerScore score) {
        boolean reference = score.name().equals(evaluation.reference());
        html.append(reference ? "<tr class=\"reference\">" : "<tr>");
        cell(html, HtmlReport.escape(score.name()));
        duration(html, score.jct().mean());
        duration(html, score.jct().median());
        duration(html, score.jct().p95());
        duration(html, score.jct().p99());
        duration(html, score.makespan());
        duration(html, score.queueingDelayMean());
        cell(html, number("%.3f", score.slowdownMean()));
        cell(html, number("%.1f %%", 100 * score.gpuUtilisation()));
        cell(html, Long.toString(score.preemptions()));
        PairedComparison comparison = evaluation.comparison(score.name());
        if (comparison == null) {
            cell(html, "");
            cell(html, reference ? "reference" : "");
        } else {
            cell(html, number("%+.1f %% ", comparison.mean()) + interval(comparison.interval()));
            PairedComparison.Verdict verdict = comparison.verdict();
            cell(html, "<span class=\"%s\">%s</span>".formatted(verdict.word().replace(' ', '-'), verdict.word()));
        }
        html.append("</tr>\n");
    }

    private static String interval(PairedComparison.@Nullable Interval interval) {
        return interval == null ? "[undefined]" : number("[%+.1f, %+.1f]", interval.low(), interval.high());
    }

    private static String notes(Evaluation evaluation) {
        StringBuilder html = new StringBuilder(
                "<p class=\"note\">JCT: completion less submission, over all jobs of all episodes;"
                        + " percentiles by linear interpolation between closest ranks. Makespan: mean over episodes. Queueing: mean time"
                        + " not on GPUs. Slowdown: mean factor by neighbours while running. Point at a time for its seconds. ");
        if (evaluation.reference() == null) {
            return html.append("No heuristic took part, so nothing is compared.</p>\n")
                    .toString();
        }
        html.append("Reference: ")
                .append(HtmlReport.escape(evaluation.reference()))
                .append(
                        ", the heuristic of least mean JCT here; being chosen on these episodes favours it. Brackets: 95 % interval (")
                .append(PairedComparison.METHOD)
                .append("); %d episodes or more earn a verdict".formatted(PairedComparison.ENOUGH_EPISODES));
        if (evaluation.episodes() == 1) {
            html.append(", and a single one has no interval");
        }
        return html.append(".</p>\n").toString();
    }

    /** What each scheduler did, as hashes to compare with another machine's. */
    static String hashes(Evaluation evaluation) {
        StringBuilder html =
                new StringBuilder("<h2>Event logs</h2>\n<p class=\"note\">The same configuration gives the same"
                        + " hashes anywhere.</p>\n<div class=\"scroll\"><table>\n<thead><tr><th>scheduler</th><th>decisions</th>"
                        + "<th>SHA-256 over the episodes&#39; hashes</th></tr></thead>\n<tbody>\n");
        for (SchedulerScore score : evaluation.ranking()) {
            html.append("<tr>");
            cell(html, HtmlReport.escape(score.name()));
            cell(html, Long.toString(score.decisions()));
            html.append("<td class=\"hash\">")
                    .append(HtmlReport.escape(score.eventLogSha256()))
                    .append("</td></tr>\n");
        }
        return html.append("</tbody></table></div>\n").toString();
    }

    private static void duration(StringBuilder html, double seconds) {
        html.append(number("<td title=\"%.3f s\">", seconds))
                .append(Durations.human(seconds))
                .append("</td>");
    }

    private static void cell(StringBuilder html, String content) {
        html.append("<td>").append(content).append("</td>");
    }

    private static String number(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
