package org.trainyard.experiments.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.trainyard.experiments.io.JsonText;

/**
 * A report as one HTML file: a static page, in the resources beside this class, with its data as JSON inside. The
 * page's JavaScript makes the tables, and Vega-Lite, which is inlined, draws the charts.
 *
 * <p>The page loads nothing: its content security policy forbids every request. Only JSON is inserted, and the script
 * puts text into the page as text nodes, so that no name of a scheduler or an experiment is read as markup.
 */
public final class HtmlReport {
    private static final String SOURCE_MAP = "//# sourceMappingURL=";

    private HtmlReport() {}

    /**
     * The page of this data; the same bytes for the same data.
     *
     * @param data a record or a tree, whose keys {@code report.js} names
     */
    public static String page(Object data) {
        String template = resource("report.html");
        StringBuilder page = new StringBuilder(1 << 20);
        // What is inserted is never searched for placeholders.
        int from = 0;
        for (int open = template.indexOf("{{"); open >= 0; open = template.indexOf("{{", from)) {
            int close = template.indexOf("}}", open);
            String name = template.substring(open + 2, close);
            page.append(template, from, open)
                    .append(
                            name.equals("data")
                                    ? JsonText.compact(data).replace("<", "\\u003c")
                                    : insertable(resource(name)));
            from = close + 2;
        }
        return page.append(template, from, template.length()).toString();
    }

    /**
     * A script or a style sheet as the content of its element, which nothing in it may end. By searches that find
     * nothing in most of them: regular expressions over a megabyte take a fifth of a second in a fresh process.
     */
    private static String insertable(String text) {
        String script = text;
        for (int map = script.indexOf(SOURCE_MAP); map >= 0; map = script.indexOf(SOURCE_MAP)) {
            int end = script.indexOf('\n', map);
            script = script.substring(0, map) + (end < 0 ? "" : script.substring(end));
        }
        return script.replace("</script", "<\\/script").replace("<!--", "<\\!--");
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
