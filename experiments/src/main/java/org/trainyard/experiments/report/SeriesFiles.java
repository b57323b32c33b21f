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
import org.trainyard.experiments.io.ParquetTable;
import org.trainyard.experiments.timeline.RunTimeline;
import org.trainyard.experiments.timeline.Series;

/**
 * {@code series.csv} and {@code series.parquet}: a row for each scheduler, episode and interval of time with the
 * means of {@link Series} over the interval. A metric that a run does not have is empty in the one and NaN in the
 * other.
 */
public final class SeriesFiles {
    private static final List<String> KEYS = List.of("scheduler", "episode", "from_s", "to_s");

    private SeriesFiles() {}

    /** Writes both into a folder. */
    public static void write(Path folder, List<RunTimeline> timelines) {
        AtomicFiles.write(folder.resolve("series.csv"), out -> csv(out, timelines));
        AtomicFiles.write(
                folder.resolve("series.parquet"), out -> parquet(timelines).write(out));
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

    static ParquetTable parquet(List<RunTimeline> timelines) {
        int rows = timelines.stream().mapToInt(one -> one.series().size()).sum();
        List<String> figures = figures(timelines);
        String[] schedulers = new String[rows];
        int[] episodes = new int[rows];
        double[] from = new double[rows];
        double[] to = new double[rows];
        double[][] means = new double[figures.size()][rows];
        int row = 0;
        for (RunTimeline timeline : timelines) {
            Series series = timeline.series();
            for (int i = 0; i < series.size(); i++) {
                schedulers[row] = timeline.scheduler();
                episodes[row] = timeline.episode();
                from[row] = series.fromNanos(i) / 1e9;
                to[row] = series.toNanos(i) / 1e9;
                for (int figure = 0; figure < means.length; figure++) {
                    means[figure][row] = series.mean(figures.get(figure), i);
                }
                row++;
            }
        }
        ParquetTable table = new ParquetTable(rows)
                .add(KEYS.get(0), schedulers)
                .add(KEYS.get(1), episodes)
                .add(KEYS.get(2), from)
                .add(KEYS.get(3), to);
        for (int figure = 0; figure < means.length; figure++) {
            table.add(figures.get(figure), means[figure]);
        }
        return table;
    }
}
