package org.trainyard.experiments.report;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.Headroom;
import org.trainyard.experiments.evaluation.PairedComparison;
import org.trainyard.experiments.evaluation.SchedulerScore;
import org.trainyard.experiments.evaluation.SeedPool;
import org.trainyard.experiments.io.Durations;

/** The tables of the report, best scheduler first, each with how to read it. */
final class HtmlTables {
    private static final String END = "</tbody></table></div>\n";

    private HtmlTables() {}

    /** Completion times and verdicts. */
    static String comparison(Evaluation evaluation) {
        StringBuilder html = new StringBuilder();
        html.append("<p class=\"lead\">%d episode%s, %d jobs in all, the same for every scheduler.</p>\n"
                .formatted(evaluation.episodes(), evaluation.episodes() == 1 ? "" : "s", evaluation.jobs()));
        header(html, "scheduler", "mean JCT", "against the reference", "", "median", "p95", "p99");
        for (SchedulerScore score : evaluation.ranking()) {
            name(html, evaluation, score);
            duration(html, score.jct().mean());
            verdict(html, evaluation, score);
            duration(html, score.jct().median());
            duration(html, score.jct().p95());
            duration(html, score.jct().p99());
            html.append("</tr>\n");
        }
        html.append(END);
        html.append(
                "<p class=\"note\">JCT: completion less submission, over all jobs of all episodes; percentiles by linear"
                        + " interpolation between closest ranks. Point at a time for its seconds. ");
        reference(html, evaluation);
        return html.append("</p>\n").toString();
    }

    private static void verdict(StringBuilder html, Evaluation evaluation, SchedulerScore score) {
        PairedComparison comparison = evaluation.comparison(score.name());
        if (comparison == null) {
            cell(html, "");
            cell(html, score.name().equals(evaluation.reference()) ? "reference" : "");
            return;
        }
        difference(html, comparison);
    }

    private static String interval(PairedComparison.@Nullable Interval interval) {
        return interval == null ? "[undefined]" : number("[%+.1f, %+.1f]", interval.low(), interval.high());
    }

    private static void reference(StringBuilder html, Evaluation evaluation) {
        if (evaluation.reference() == null) {
            html.append("No heuristic took part, so nothing is compared.");
            return;
        }
        html.append("Reference: ")
                .append(HtmlReport.escape(evaluation.reference()))
                .append(
                        ", the heuristic of least mean JCT here; being chosen on these episodes favours it. Brackets: 95 %"
                                + " interval (")
                .append(PairedComparison.METHOD)
                .append("); %d episodes or more earn a verdict".formatted(PairedComparison.ENOUGH_EPISODES))
                .append(evaluation.episodes() == 1 ? ", and a single one has no interval." : ".");
    }

    /** How each trained policy fares against each other scheduler. */
    static String duels(Evaluation evaluation) {
        StringBuilder html = new StringBuilder("<h2>The trained policy against each</h2>\n");
        header(html, "policy", "against", "mean JCT, paired", "");
        for (PairedComparison duel : evaluation.duels()) {
            html.append("<tr>");
            cell(html, HtmlReport.escape(duel.name()));
            cell(html, HtmlReport.escape(duel.reference()));
            difference(html, duel);
            html.append("</tr>\n");
        }
        html.append(END);
        if (evaluation.pool() != null) {
            html.append("<p class=\"note\">Several seeds of one policy, taken as one: ")
                    .append(PairedComparison.POOLED_METHOD)
                    .append(".</p>\n");
        }
        return html.toString();
    }

    /** The seeds of one policy, one by one, in their own order. */
    static String seeds(Evaluation evaluation, SeedPool pool) {
        StringBuilder html = new StringBuilder("<h2>Seed by seed</h2>\n");
        header(html, "policy", "mean JCT", "against the reference", "", "median", "p99", "queueing", "preemptions");
        for (SchedulerScore score : evaluation.scores()) {
            if (pool.holds(score.name()) || pool.name().equals(score.name())) {
                name(html, evaluation, score);
                duration(html, score.jct().mean());
                verdict(html, evaluation, score);
                duration(html, score.jct().median());
                duration(html, score.jct().p99());
                duration(html, score.queueingDelayMean());
                cell(html, Long.toString(score.preemptions()));
                html.append("</tr>\n");
            }
        }
        return html.append(END)
                .append(
                        "<p class=\"note\">The first row is their mean, with an interval over seeds and episodes; a single seed's is over"
                                + " episodes.</p>\n")
                .toString();
    }

    /** How much less the mean JCT could be. */
    static String headroom(Headroom headroom) {
        StringBuilder html = new StringBuilder("<h2>The room that is left</h2>\n");
        header(html, "line", "mean JCT", "of " + HtmlReport.escape(headroom.against()), "what it is");
        for (Headroom.Line line : headroom.lines()) {
            html.append("<tr>");
            cell(html, HtmlReport.escape(line.name()));
            duration(html, line.meanSeconds());
            cell(html, number("%.1f %%", line.percent()));
            cell(html, HtmlReport.escape(line.meaning()));
            html.append("</tr>\n");
        }
        return html.append(END)
                .append("<p class=\"note\">Means over episodes of the mean JCT, and of its ratio.</p>\n")
                .toString();
    }

    private static void difference(StringBuilder html, PairedComparison comparison) {
        String word = comparison.verdict().word();
        cell(html, number("%+.1f %% ", comparison.mean()) + interval(comparison.interval()));
        cell(html, "<span class=\"%s\">%s</span>".formatted(word.replace(' ', '-'), word));
    }

    /** What the completion times do not say. */
    static String operations(Evaluation evaluation) {
        StringBuilder html = new StringBuilder();
        header(html, "scheduler", "makespan", "queueing", "slowdown", "GPUs held", "preemptions", "decisions");
        for (SchedulerScore score : evaluation.ranking()) {
            name(html, evaluation, score);
            duration(html, score.makespan());
            duration(html, score.queueingDelayMean());
            cell(html, number("%.3f", score.slowdownMean()));
            cell(html, number("%.1f %%", 100 * score.gpuUtilisation()));
            cell(html, Long.toString(score.preemptions()));
            cell(html, Long.toString(score.decisions()));
            html.append("</tr>\n");
        }
        return html.append(END)
                .append(
                        "<p class=\"note\">Makespan: mean over episodes. Queueing: mean time not on GPUs. Slowdown: mean factor by"
                                + " neighbours while running. GPUs held: share of the GPU time there was.</p>\n")
                .toString();
    }

    /** What each scheduler did, as hashes to compare with another machine's. */
    static String hashes(Evaluation evaluation) {
        StringBuilder html = new StringBuilder(
                "<h2>Event logs</h2>\n<p class=\"note\">The same configuration gives the same hashes anywhere.</p>\n");
        header(html, "scheduler", "SHA-256 over the episodes&#39; hashes");
        for (SchedulerScore score : evaluation.ranking()) {
            name(html, evaluation, score);
            html.append("<td class=\"hash\">")
                    .append(HtmlReport.escape(score.eventLogSha256()))
                    .append("</td></tr>\n");
        }
        return html.append(END).toString();
    }

    private static void header(StringBuilder html, String... titles) {
        html.append("<div class=\"scroll\"><table>\n<thead><tr>");
        for (String title : titles) {
            html.append("<th>").append(title).append("</th>");
        }
        html.append("</tr></thead>\n<tbody>\n");
    }

    /** Starts a row. */
    private static void name(StringBuilder html, Evaluation evaluation, SchedulerScore score) {
        html.append(score.name().equals(evaluation.reference()) ? "<tr class=\"reference\">" : "<tr>");
        cell(html, HtmlReport.escape(score.name()));
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
