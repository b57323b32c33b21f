package org.trainyard.experiments.timeline;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.Durations;

/**
 * {@code series.csv}: a row for each scheduler, episode and interval of time with the means of {@link Series} over the
 * interval. A metric that a run does not have is empty.
 */
public final class SeriesCsv {
    private record Row(RunTimeline run, int interval) {
        Series series() {
            return run.series();
        }
    }

    private SeriesCsv() {}

    /** Writes the file into a folder. */
    public static void write(Path folder, List<RunTimeline> timelines) {
        AtomicFiles.write(folder.resolve("series.csv"), out -> csv(out, timelines));
    }

    static void csv(OutputStream out, List<RunTimeline> timelines) throws IOException {
        AnswerTable<Row> table = AnswerTable.<Row>of(
                        () -> timelines.stream().flatMap(SeriesCsv::rows).iterator())
                .text("scheduler", row -> row.run.scheduler())
                .text("episode", row -> Integer.toString(row.run.episode()))
                .text("from_s", row -> Durations.seconds(row.series().fromNanos(row.interval)))
                .text("to_s", row -> Durations.seconds(row.series().toNanos(row.interval)));
        timelines.stream()
                .flatMap(timeline -> timeline.series().names().stream())
                .distinct()
                .forEach(name -> table.text(name, row -> text(row.series().mean(name, row.interval))));
        table.csv(out);
    }

    private static Stream<Row> rows(RunTimeline run) {
        return IntStream.range(0, run.series().size()).mapToObj(i -> new Row(run, i));
    }

    private static String text(double mean) {
        return Double.isNaN(mean) ? "" : Durations.seconds(Math.round(mean * 1e9));
    }
}
