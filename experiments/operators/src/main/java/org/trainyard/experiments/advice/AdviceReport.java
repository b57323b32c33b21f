package org.trainyard.experiments.advice;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.report.HtmlReport;
import org.trainyard.experiments.timeline.SeriesCsv;
import org.trainyard.experiments.timeline.TimelineJson;

/** An {@link Advice} with its log over time: {@code report.html} and {@code series.csv}. */
public final class AdviceReport {
    private AdviceReport() {}

    /**
     * Writes the files.
     *
     * @param title names the log and the cluster
     */
    public static void write(Path folder, String title, Advice advice, LogTimelines timelines) {
        SeriesCsv.write(folder, timelines.runs());
        AtomicFiles.write(folder.resolve("report.html"), html(title, advice, timelines));
    }

    static String html(String title, Advice advice, LogTimelines timelines) {
        List<SizeBar> sizes = timelines.waits().stream().map(SizeBar::of).toList();
        return HtmlReport.page(new AnswerPage(
                title,
                Stream.concat(advice.notes().stream(), timelines.notes().stream())
                        .toList(),
                AdviceText.of(advice).section(advice.trustWord(), sizes),
                TimelineJson.of(timelines.runs())));
    }

    /** The bars of a {@link SizeWaits}. */
    private record SizeBar(String gpus, int jobs, List<Scheduler> schedulers) {
        record Scheduler(String name, double mean, double p95) {}

        static SizeBar of(SizeWaits size) {
            return new SizeBar(
                    size.gpus(),
                    size.jobs(),
                    size.waits().entrySet().stream()
                            .map(one -> new Scheduler(
                                    one.getKey(),
                                    one.getValue().mean(),
                                    one.getValue().p95()))
                            .toList());
        }
    }
}
