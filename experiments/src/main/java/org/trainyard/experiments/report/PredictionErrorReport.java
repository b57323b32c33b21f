package org.trainyard.experiments.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import org.trainyard.experiments.evaluation.PredictionErrorCurve;
import org.trainyard.experiments.io.Durations;

/** The report of what prediction errors cost: a chart and a table in one HTML file, and the same as CSV. */
public final class PredictionErrorReport {
    private PredictionErrorReport() {}

    /** The whole page; the same bytes for the same content. */
    public static String html(String title, String config, PredictionErrorCurve curve) {
        ObjectNode charts = JsonNodeFactory.instance.objectNode();
        charts.set("prediction-error", chart(curve));
        StringBuilder body =
                new StringBuilder("<h2>What prediction errors cost</h2>\n<p class=\"note\">Schedulers are told"
                        + " true run times times a log-normal error; lines are mean job completion times by the error's size. Dashed"
                        + " lines are the same schedulers with guesses that learn from finished jobs.</p>\n"
                        + "<figure><div id=\"prediction-error\"></div></figure>\n<table>\n<tr><th>guesses</th>");
        curve.schedulers()
                .forEach(name ->
                        body.append("<th>").append(HtmlReport.escape(name)).append("</th>"));
        body.append("</tr>\n");
        for (PredictionErrorCurve.Source source : curve.sources()) {
            body.append("<tr><td>").append(HtmlReport.escape(source.name())).append("</td>");
            source.meanJctSeconds()
                    .forEach(seconds ->
                            body.append("<td>").append(Durations.human(seconds)).append("</td>"));
            body.append("</tr>\n");
        }
        body.append("</table>\n<h2>Configuration</h2>\n<pre>")
                .append(HtmlReport.escape(config))
                .append("</pre>\n");
        return HtmlReport.page(title, body.toString(), charts);
    }

    private static ObjectNode chart(PredictionErrorCurve curve) {
        ObjectNode spec = ReportResources.json("charts/prediction-error.json");
        ArrayNode values = spec.putObject("data").putArray("values");
        for (PredictionErrorCurve.Source source : curve.sources()) {
            for (int i = 0; i < curve.schedulers().size(); i++) {
                double seconds = source.meanJctSeconds().get(i);
                ObjectNode value = values.addObject()
                        .put("scheduler", curve.schedulers().get(i))
                        .put("guesses", source.name())
                        .put("noise", source.isNoise())
                        .put("hours", seconds / 3600)
                        .put("label", Durations.human(seconds));
                if (source.isNoise()) {
                    value.put("sigma", source.sigma());
                }
            }
        }
        return spec;
    }

    /** A row for each source and scheduler. */
    public static String csv(PredictionErrorCurve curve) {
        StringBuilder csv = new StringBuilder("guesses,sigma,scheduler,mean_jct_s\n");
        for (PredictionErrorCurve.Source source : curve.sources()) {
            for (int i = 0; i < curve.schedulers().size(); i++) {
                csv.append(String.format(
                        Locale.ROOT,
                        "%s,%s,%s,%.3f\n",
                        source.name(),
                        source.isNoise() ? Double.toString(source.sigma()) : "",
                        curve.schedulers().get(i),
                        source.meanJctSeconds().get(i)));
            }
        }
        return csv.toString();
    }
}
