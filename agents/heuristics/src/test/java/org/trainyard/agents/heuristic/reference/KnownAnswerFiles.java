package org.trainyard.agents.heuristic.reference;

import static org.assertj.core.api.Assumptions.assumeThat;

import de.siegmar.fastcsv.reader.CommentStrategy;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.trainyard.agents.heuristic.scenario.TimedJobs;

/**
 * Reads the inputs and outputs of published simulators where the data pack is at hand; elsewhere the test is skipped.
 */
final class KnownAnswerFiles {
    /** When a published simulator started and ended a job, seconds. */
    record Times(long start, long end) {}

    /** The same where seconds are not whole. */
    record ExactTimes(double start, double end) {}

    private record Row(String id, int gpus, long submitNanos, long nanos) {
        static Row ofSeconds(String id, int gpus, long submit, long seconds) {
            return new Row(id, gpus, submit * TimedJobs.SECOND, seconds * TimedJobs.SECOND);
        }
    }

    private KnownAnswerFiles() {}

    private static Path dataPack() {
        Path data = Path.of(System.getProperty("trainyard.root", ".")).resolve("../shared/data");
        assumeThat(data)
                .as("the data pack with the known answers is not beside this checkout")
                .isDirectory();
        return data;
    }

    private static <T> List<T> read(String file, Function<Stream<NamedCsvRecord>, Stream<T>> rows) {
        Path path = dataPack().resolve(file);
        try (InputStream raw = new BufferedInputStream(Files.newInputStream(path));
                InputStream plain = file.endsWith(".gz") ? new GZIPInputStream(raw) : raw;
                CsvReader<NamedCsvRecord> reader = CsvReader.builder()
                        .commentStrategy(CommentStrategy.SKIP)
                        .ofNamedCsvRecord(new InputStreamReader(plain, StandardCharsets.UTF_8))) {
            return rows.apply(reader.stream()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static TimedJobs jobs(List<Row> rows, double rate) {
        TimedJobs jobs = TimedJobs.atRate(rate);
        rows.stream()
                .sorted(Comparator.comparingLong(Row::submitNanos))
                .forEach(row -> jobs.jobOfNanos(row.id(), row.gpus(), row.submitNanos(), row.nanos()));
        return jobs;
    }

    static TimedJobs tiresias(String file, double rate) {
        return jobs(
                read(
                        file,
                        rows -> rows.map(row -> Row.ofSeconds(
                                row.getField("job_id"),
                                Integer.parseInt(row.getField("num_gpu")),
                                Long.parseLong(row.getField("submit_time")),
                                Long.parseLong(row.getField("duration"))))),
                rate);
    }

    static TimedJobs elasticFlow(String file) {
        return jobs(
                read(
                        file,
                        rows -> rows.map(row -> Row.ofSeconds(
                                row.getField("job_id"),
                                Integer.parseInt(row.getField("num_gpu")),
                                Long.parseLong(row.getField("submission_time")),
                                Long.parseLong(row.getField("duration"))))),
                1);
    }

    static TimedJobs helios(String file, String virtualCluster) {
        Predicate<NamedCsvRecord> wanted = row -> row.getField("tenant").equals(virtualCluster);
        return jobs(
                read(
                        file,
                        rows -> rows.filter(wanted)
                                .map(row -> Row.ofSeconds(
                                        row.getField("job_id"),
                                        Integer.parseInt(row.getField("num_chips")),
                                        Long.parseLong(row.getField("submit_time")) / 1_000_000,
                                        (long) Double.parseDouble(row.getField("duration_s"))))),
                1);
    }

    /** A trace of Muri's, times in milliseconds; durations as our reader takes them. */
    static TimedJobs muri(String file) {
        return jobs(
                read(
                        file,
                        rows -> rows.map(row -> new Row(
                                row.getField("job_id"),
                                Integer.parseInt(row.getField("num_gpu")),
                                Long.parseLong(row.getField("submit_time")) * 1_000_000,
                                Long.parseLong(row.getField("iterations"))
                                        * Math.round(Double.parseDouble(row.getField("iteration_time")) * 1e6)))),
                1);
    }

    /** One column of whole numbers by the job's id in its trace. */
    static Map<String, Integer> counts(String file, String idColumn, String column) {
        Map<String, Integer> counts = new TreeMap<>();
        read(file, rows -> rows.map(row -> Map.entry(row.getField(idColumn), Integer.valueOf(row.getField(column)))))
                .forEach(entry -> counts.put(entry.getKey(), entry.getValue()));
        return counts;
    }

    static Map<String, ExactTimes> exactTimes(String file) {
        Map<String, ExactTimes> times = new TreeMap<>();
        read(
                        file,
                        rows -> rows.map(row -> Map.entry(
                                row.getField("job_id"),
                                new ExactTimes(
                                        Double.parseDouble(row.getField("start_time")),
                                        Double.parseDouble(row.getField("end_time"))))))
                .forEach(entry -> times.put(entry.getKey(), entry.getValue()));
        return times;
    }

    /** Start and end by the job's id in its trace. */
    static Map<String, Times> times(String file, String idColumn) {
        Map<String, Times> times = new TreeMap<>();
        read(
                        file,
                        rows -> rows.map(row -> Map.entry(
                                row.getField(idColumn),
                                new Times(
                                        Long.parseLong(row.getField("start_time")),
                                        Long.parseLong(row.getField("end_time"))))))
                .forEach(entry -> times.put(entry.getKey(), entry.getValue()));
        return times;
    }
}
