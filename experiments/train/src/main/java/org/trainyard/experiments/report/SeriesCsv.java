package org.trainyard.experiments.report;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.timeline.RunTimeline;
import org.trainyard.experiments.timeline.Series;

/**
 * {@code series.csv}: a row for each scheduler, episode and interval of time with the means of {@link Series} over the
 * interval. A metric that a run does not have is empty.
 */
public final class SeriesCsv {
    private static final List<String> KEYS = List.of("scheduler", "episode", "from_s", "to_s");

    private SeriesCsv() {}

    /** Writes the file into a folder. */
    public static void write(Path folder, List<RunTimeline> timelines) {
        AtomicFiles.write(folder.resolve("series.csv"), out -> csv(out, timelines));
    }

    private static List<String> figures(List<RunTimeline> timelines) {
        Set<String> names = new LinkedHashSet<>();
        timelines.forEach(timeline -> names.addAll(timeline.series().names()));
        return List.copyOf(names);
    }

    static void csv(OutputStream out, List<RunTimeline> timelines) throws IOException {
        List<String> figures = figures(timelines);
        Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
        CsvWriter csv = CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(writer);
        try {
            List<String> header = new ArrayList<>(KEYS);
            header.addAll(figures);
            csv.writeRecord(header);
            for (RunTimeline timeline : timelines) {
                Series series = timeline.series();
                for (int i = 0; i < series.size(); i++) {
                    int interval = i;
                    List<String> row = new ArrayList<>(List.of(
                            timeline.scheduler(),
                            Integer.toString(timeline.episode()),
                            Durations.seconds(series.fromNanos(i)),
                            Durations.seconds(series.toNanos(i))));
                    figures.forEach(name -> row.add(text(series.mean(name, interval))));
                    csv.writeRecord(row);
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        // Flushed, not closed: the stream is the caller's.
        csv.flush();
        writer.flush();
    }

    private static String text(double mean) {
        return Double.isNaN(mean) ? "" : Durations.seconds(Math.round(mean * 1e9));
    }
}
