package org.trainyard.experiments.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trainyard.experiments.io.JsonText;

/**
 * A report as one HTML file: a static page, in the resources beside this class, with its data as JSON inside. The
 * page's JavaScript makes the tables, and Vega-Lite, which is inlined, draws the charts.
 *
 * <p>The page loads nothing: its content security policy forbids every request. Only JSON is inserted, and the
 * script puts text into the page as text nodes, so that no name of a scheduler or an experiment is read as markup.
 */
public final class HtmlReport {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{([a-z./-]+)}}");

    private HtmlReport() {}

    /** The page of this data, whose keys {@code report.js} names; the same bytes for the same data. */
    public static String page(ObjectNode data) {
        // In one pass: what is inserted is never searched for placeholders.
        return PLACEHOLDER
                .matcher(resource("report.html"))
                .replaceAll(found -> Matcher.quoteReplacement(
                        found.group(1).equals("data")
                                ? JsonText.compact(data).replace("<", "\\u003c")
                                : insertable(resource(found.group(1)))));
    }

    /** A script or a style sheet as the content of its element, which nothing in it may end. */
    private static String insertable(String text) {
        return text.replaceAll("(?m)^//# sourceMappingURL=.*$", "")
                .replace("</script", "<\\/script")
                .replace("<!--", "<\\!--");
    }

    private static String resource(String name) {
        try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource (%s) is missing from the build".formatted(name));
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read resource %s".formatted(name), e);
        }
    }
}
