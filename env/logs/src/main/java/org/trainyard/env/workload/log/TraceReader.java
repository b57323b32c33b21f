package org.trainyard.env.workload.log;

import com.fasterxml.jackson.core.JsonProcessingException;
import de.siegmar.fastcsv.reader.CsvParseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.BadLine;
import org.trainyard.env.workload.TraceJob;

/**
 * Reads a trace file, plain, gzipped or Parquet, of any {@link LogFormat}, which is told by its first lines.
 *
 * <p>Lines starting with {@code #} and empty lines are skipped. A bad line is left out and counted; a file without one
 * good line, of an unknown format, or that cannot be read to its end is refused. {@link InputException} is all that is
 * ever thrown.
 */
public final class TraceReader {
    /**
     * How to read.
     *
     * @param format format of the file, or null to tell it by the first lines
     * @param virtualCluster keep the jobs of this one only, or null to keep all
     * @param strict refuse the file at its first bad line
     * @param mostBytes of text, unpacked; a longer file is refused
     * @param progress takes the number of bytes of the file that were read so far
     * @param separator between the columns, or null to find it
     * @param zone of times without an offset, or null when unknown
     * @param shards of Slurm that are a whole GPU; 0 when unknown
     * @param gpuReplicas that time slicing in Kubernetes makes of a GPU; 0 when unknown
     * @param loads keep the jobs that held CPUs and memory alone, where the log says how much
     * @param keepsOpen whether jobs without an end are kept, in the {@link LogEnd}
     */
    public record Options(
            @Nullable LogFormat format,
            @Nullable String virtualCluster,
            boolean strict,
            long mostBytes,
            LongConsumer progress,
            @Nullable String separator,
            @Nullable ZoneId zone,
            int shards,
            int gpuReplicas,
            boolean loads,
            boolean keepsOpen) {
        /** Five million jobs or so. A gzipped file of five megabytes can hold three times as much. */
        public static final long MOST_BYTES = 1L << 30;

        /** Tell the format by the file, keep every job, count bad lines. */
        public static final Options DEFAULT = new Options(null, null, false);

        /** Options without reports of progress, for files of at most {@link #MOST_BYTES}. */
        public Options(@Nullable LogFormat format, @Nullable String virtualCluster, boolean strict) {
            this(format, virtualCluster, strict, MOST_BYTES, bytes -> {}, null, null, 0, 0, false, false);
        }

        /** Returns these options with a zone for times without an offset. */
        public Options in(ZoneId clocks) {
            return new Options(
                    format,
                    virtualCluster,
                    strict,
                    mostBytes,
                    progress,
                    separator,
                    clocks,
                    shards,
                    gpuReplicas,
                    loads,
                    keepsOpen);
        }

        /** Returns these options for a file of this format. */
        Options as(LogFormat other) {
            return new Options(
                    other,
                    virtualCluster,
                    strict,
                    mostBytes,
                    progress,
                    separator,
                    zone,
                    shards,
                    gpuReplicas,
                    loads,
                    keepsOpen);
        }
    }

    private TraceReader() {}

    /** Reads the file in one pass. O(jobs log jobs). */
    public static Trace read(Path path, Options options) {
        return read(path, options, null);
    }

    /**
     * Hands out the jobs of a file while it is read, in memory that does not grow with it. Runs of a job are put
     * together over a hundred thousand rows; parts of gangs, and runs after which their job goes on, are kept until the
     * end. Submissions are not sorted, and dates count from 1970.
     *
     * @return the trace, without jobs
     */
    public static Trace stream(Path path, Options options, Consumer<TraceJob> jobs) {
        return read(path, options, jobs);
    }

    /** The table to read of a folder with the tables of a trace, or null for any other path. */
    public static @Nullable Path tableIn(Path folder) {
        return Files.isDirectory(folder) ? LogFormats.tableIn(folder) : null;
    }

    private static Trace read(Path path, Options options, @Nullable Consumer<TraceJob> stream) {
        String file = path.toString();
        if (Files.isDirectory(path)) {
            Path table = tableIn(path);
            if (table != null) {
                return read(table, options, stream);
            }
            throw InputException.at(file, "directory", "a trace file");
        }
        try (LogFile log = LogFile.open(path, options)) {
            if (!log.isParquet() && log.first().isEmpty()) {
                throw InputException.at(file, "empty", "a header and at least one job");
            }
            return LogFormats.read(log, options, stream);
        } catch (NoSuchFileException e) {
            throw InputException.at(file, "no such file", "a trace file");
        } catch (IOException | UncheckedIOException | CsvParseException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof InputException refused) {
                throw refused;
            }
            throw InputException.at(
                    file, BadLine.printable(said(cause)), "a CSV, JSON or Parquet file that can be read to its end");
        }
    }

    /**
     * Message of a parser without the names of its classes; that of any other failure follows the name of its class.
     */
    private static String said(Throwable cause) {
        if (cause instanceof JsonProcessingException json) {
            return json.getOriginalMessage().replaceAll(",? from `[^`]*`", "").replaceAll(" \\(start marker at .*", "");
        }
        String name = cause instanceof CsvParseException ? "" : cause.getClass().getSimpleName() + ": ";
        return name + cause.getMessage();
    }
}
