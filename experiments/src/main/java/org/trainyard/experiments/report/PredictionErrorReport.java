package org.trainyard.experiments.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Locale;
import org.trainyard.experiments.evaluation.PredictionErrorCurve;

/** What prediction errors cost schedulers, as an HTML page with a chart and a table, and as CSV. */
public final class PredictionErrorReport {
    private PredictionErrorReport() {}

    /** The whole page; the same bytes for the same content. */
    public static String html(String title, String config, PredictionErrorCurve curve) {
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        data.put("title", title);
        data.put("configuration", config);
        ObjectNode node = data.putObject("prediction_error");
        curve.schedulers().forEach(node.putArray("schedulers")::add);
        ArrayNode sources = node.putArray("sources");
        for (PredictionErrorCurve.Source source : curve.sources()) {
            ObjectNode one = sources.addObject().put("name", source.name());
            one.put("sigma", source.isNoise() ? source.sigma() : null);
            source.meanJctSeconds().forEach(one.putArray("mean_jct_seconds")::add);
        }
        return HtmlReport.page(data);
    }

    /** A row for each source and scheduler. */
    public static String csv(PredictionErrorCurve curve) {
        StringWriter text = new StringWriter();
        try (CsvWriter csv = CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(text)) {
            rows(csv, curve);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void rows(CsvWriter csv, PredictionErrorCurve curve) {
        csv.writeRecord("guesses", "sigma", "scheduler", "mean_jct_s");
        for (PredictionErrorCurve.Source source : curve.sources()) {
            for (int i = 0; i < curve.schedulers().size(); i++) {
                csv.writeRecord(
                        source.name(),
                        source.isNoise() ? Double.toString(source.sigma()) : "",
                        curve.schedulers().get(i),
                        String.format(
                                Locale.ROOT, "%.3f", source.meanJctSeconds().get(i)));
            }
        }
    }
}
