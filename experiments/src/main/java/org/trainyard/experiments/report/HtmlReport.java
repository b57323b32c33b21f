package org.trainyard.experiments.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.Headroom;
import org.trainyard.experiments.io.AtomicFiles;

/**
 * The report of a run: one HTML file that loads nothing from anywhere, its charts drawn in the browser by Vega-Lite.
 *
 * <p>Its content security policy forbids every request, so that a mistake here shows as a missing chart and not as a leak.
 */
public final class HtmlReport {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{([a-z-]+)}}");

    private HtmlReport() {}

    /**
     * What to report.
     *
     * @param title a line
     * @param config the resolved configuration, as text
     * @param evaluation schedulers compared, or null when none were
     * @param remarks what the reader should know, a sentence each
     * @param headroom how much less the mean JCT could be, or null when nobody asked
     * @param curves of training, or empty
     * @param seedCurves of the training of several seeds, or empty
     */
    public record Content(
            String title,
            String config,
            @Nullable Evaluation evaluation,
            List<String> remarks,
            @Nullable Headroom headroom,
            List<TrainingCurve> curves,
            List<SeedCurves> seedCurves) {
        public Content {
            remarks = List.copyOf(remarks);
            curves = List.copyOf(curves);
            seedCurves = List.copyOf(seedCurves);
        }

        /** Of one training at most, without the room that is left. */
        public Content(
                String title,
                String config,
                @Nullable Evaluation evaluation,
                List<String> remarks,
                List<TrainingCurve> curves) {
            this(title, config, evaluation, remarks, null, curves, List.of());
        }
    }

    public static void write(Path file, Content content) {
        AtomicFiles.write(file, render(content));
    }

    /** The whole page; the same bytes for the same content. */
    public static String render(Content content) {
        ObjectNode charts = JsonNodeFactory.instance.objectNode();
        StringBuilder body = new StringBuilder();
        remarks(body, content.remarks());
        if (content.evaluation() != null) {
            evaluation(body, charts, content.evaluation());
        }
        if (content.headroom() != null) {
            body.append(HtmlTables.headroom(content.headroom()));
        }
        if (!content.seedCurves().isEmpty()) {
            seedCurves(body, charts, content.seedCurves());
        }
        if (!content.curves().isEmpty()) {
            curves(body, charts, content.curves());
        }
        body.append("<h2>Configuration</h2>\n<pre>")
                .append(escape(content.config()))
                .append("</pre>\n");
        if (content.evaluation() != null) {
            body.append(HtmlTables.hashes(content.evaluation()));
        }
        return page(content.title(), body.toString(), charts);
    }

    /** The page around a body whose charts, by the id of their place, are Vega-Lite specifications. */
    static String page(String title, String body, ObjectNode charts) {
        return fill(Map.of(
                "title", escape(title),
                "body", body,
                "charts", charts.toString().replace("<", "\\u003c"),
                "vega", script("vega/vega.min.js"),
                "vega-lite", script("vega/vega-lite.min.js")));
    }

    private static void remarks(StringBuilder body, List<String> remarks) {
        if (remarks.isEmpty()) {
            return;
        }
        body.append("<ul class=\"remarks\">\n");
        for (String remark : remarks) {
            body.append("<li>").append(escape(remark)).append("</li>\n");
        }
        body.append("</ul>\n");
    }

    private static void evaluation(StringBuilder body, ObjectNode charts, Evaluation evaluation) {
        body.append(HtmlTables.comparison(evaluation));
        body.append(
                "<h2>Job completion times</h2>\n<p class=\"note\">Share of jobs done within a time; further left and up is"
                        + " better. The time axis is logarithmic.</p>\n");
        chart(body, charts, "jct-cdf", Charts.jctCdf(evaluation));
        if (!evaluation.comparisons().isEmpty()) {
            body.append("<h2>Against ")
                    .append(escape(String.valueOf(evaluation.reference())))
                    .append(
                            ", episode by episode</h2>\n<p class=\"note\">Every dot is an episode, the diamond their mean, the bar"
                                    + " its 95 % interval. Left of the dashed line is better. Floors, such as random, are in the table alone.</p>\n");
            chart(body, charts, "differences", Charts.differences(evaluation));
        }
        if (!evaluation.duels().isEmpty()) {
            body.append(HtmlTables.duels(evaluation));
        }
        if (evaluation.pool() != null) {
            body.append(HtmlTables.seeds(evaluation, evaluation.pool()));
        }
        body.append("<h2>Waiting and crowding</h2>\n").append(HtmlTables.operations(evaluation));
        body.append("<div class=\"pair\">\n");
        chart(body, charts, "queueing", Charts.queueing(evaluation));
        chart(body, charts, "slowdown", Charts.slowdown(evaluation));
        body.append("</div>\n");
    }

    private static void curves(StringBuilder body, ObjectNode charts, List<TrainingCurve> curves) {
        body.append("<h2>Training</h2>\n<div class=\"pair\">\n");
        for (int i = 0; i < curves.size(); i++) {
            body.append("<div><h3>").append(escape(curves.get(i).name())).append("</h3>\n");
            chart(body, charts, "curve-" + i, Charts.curve(curves.get(i)));
            body.append("</div>\n");
        }
        body.append("</div>\n");
    }

    private static void seedCurves(StringBuilder body, ObjectNode charts, List<SeedCurves> figures) {
        body.append("<h2>Training, seed by seed</h2>\n<div class=\"pair\">\n");
        for (int i = 0; i < figures.size(); i++) {
            body.append("<div><h3>").append(escape(figures.get(i).name())).append("</h3>\n");
            chart(body, charts, "seeds-" + i, Charts.seedCurves(figures.get(i)));
            body.append("</div>\n");
        }
        body.append("</div>\n");
    }

    private static void chart(StringBuilder body, ObjectNode charts, String id, ObjectNode spec) {
        charts.set(id, spec);
        body.append("<figure><div id=\"").append(id).append("\"></div></figure>\n");
    }

    /** A library as the content of a script element, which nothing in it may end. */
    private static String script(String name) {
        return ReportResources.text(name)
                .replaceAll("(?m)^//# sourceMappingURL=.*$", "")
                .replace("</script", "<\\/script")
                .replace("<!--", "<\\!--");
    }

    /** Fills the page in one pass: what is filled in is never searched again. */
    private static String fill(Map<String, String> values) {
        Matcher matcher = PLACEHOLDER.matcher(ReportResources.text("report.html"));
        return matcher.replaceAll(found -> {
            String value = values.get(found.group(1));
            if (value == null) {
                throw new IllegalStateException("nothing to fill in for (%s)".formatted(found.group(1)));
            }
            return Matcher.quoteReplacement(value);
        });
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
