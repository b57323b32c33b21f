package org.trainyard.experiments.shadow;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.report.HtmlReport;

/** A {@link ShadowComparison} as files: {@code report.html}, {@code report.txt} and {@code report.json}. */
public final class ShadowFiles {
    private ShadowFiles() {}

    /** Writes the files; each is replaced as a whole. */
    public static void write(Path folder, String title, ShadowComparison shadow) {
        AtomicFiles.write(folder.resolve("report.txt"), "%s%n%s".formatted(title, shadow.text()));
        AtomicFiles.write(folder.resolve("report.json"), shadow.json());
        AtomicFiles.write(folder.resolve("report.html"), html(title, shadow));
    }

    private static String html(String title, ShadowComparison shadow) {
        ObjectNode data = JsonNodeFactory.instance.objectNode().put("title", title);
        ObjectNode answer = data.putObject("advice").put("trust", "");
        shadow.sentences().forEach(answer.putArray("sentences")::add);
        ArrayNode rows = answer.putArray("table");
        shadow.table().rows().forEach(row -> row.forEach(rows.addArray()::add));
        answer.putArray("footnotes")
                .add("Waits: time between submission and end without GPUs. Intervals: bootstrap over 20 blocks of"
                        + " successive jobs. GPU-hours: of waiting, each job's wait times its GPUs.");
        answer.putArray("wait_by_size");
        data.putObject("timelines").putArray("runs");
        return HtmlReport.page(data);
    }
}
