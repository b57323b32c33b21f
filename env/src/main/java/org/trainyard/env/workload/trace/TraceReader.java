package org.trainyard.env.workload.trace;

import de.siegmar.fastcsv.reader.CommentStrategy;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.trace.log.TraceColumns;

/**
 * Reads a trace file, plain or gzipped, of any {@link TraceFormat}; its first line or character says what separates its fields, or that it is JSON.
 *
 * <p>Lines starting with {@code #} and empty lines are skipped. A bad line is left out and counted; a file without one good line, with
 * an unknown header, or that cannot be read to its end is refused. {@link InputException} is all that is ever thrown.
 */
public final class TraceReader {
    private static final int GZIP_MAGIC = 0x1f8b;
    /** Length of the byte-order mark of UTF-8. */
    private static final int UTF_8_MARK = 3;
    /** Characters, comments included, in which the first field must end. */
    private static final int LOOK_AHEAD = 1 << 14;

    /**
     * How to read.
     *
     * @param format what the file is, or null to tell by its header
     * @param virtualCluster keep the jobs of this one only, or null to keep all
     * @param strict refuse the file at its first bad line
     * @param mostBytes of text, unpacked; a longer file is refused
     * @param progress takes the number of bytes of the file that were read so far
     */
    public record Options(
            @Nullable TraceFormat format,
            @Nullable String virtualCluster,
            boolean strict,
            long mostBytes,
            LongConsumer progress) {
        /** Five million jobs or so. A gzipped file of five megabytes can hold three times as much. */
        public static final long MOST_BYTES = 1L << 30;

        /** Tell the format by the header, keep every job, count bad lines. */
        public static final Options DEFAULT = new Options(null, null, false);

        /** The same without a line for whoever waits, of files of the usual length. */
        public Options(@Nullable TraceFormat format, @Nullable String virtualCluster, boolean strict) {
            this(format, virtualCluster, strict, MOST_BYTES, bytes -> {});
        }
    }

    /** Stands for the separator of a file that is JSON. */
    private static final char JSON = '{';
    /** No text has it: what sacct prints has no quotes, only bars. */
    private static final char NO_QUOTE = '\uFFFF';

    private static final Pattern SACCT_WITHOUT_P = Pattern.compile("job ?id(raw)?[\\s;,]");
    private static final Pattern KUBECTL_WITHOUT_JSON = Pattern.compile("(namespace\\s+)?name\\s+ready\\s|apiversion:");

    private final String file;
    private final Options options;

    private TraceReader(Path path, Options options) {
        file = path.toString();
        this.options = options;
    }

    /** Reads the file in one pass. O(jobs log jobs). */
    public static Trace read(Path path, Options options) {
        TraceReader reader = new TraceReader(path, options);
        if (Files.isDirectory(path)) {
            throw InputException.at(path.toString(), "directory", "a trace file");
        }
        try (InputStream raw = new CountedStream(Files.newInputStream(path), options.progress());
                InputStream in = new CountedStream(unzipped(raw), reader::requireFew);
                BufferedReader text = decoded(in)) {
            char separator = reader.separator(text);
            if (separator == JSON) {
                return reader.readPods(text);
            }
            boolean headless = separator == '\t';
            try (CsvReader<CsvRecord> csv = CsvReader.builder()
                    .fieldSeparator(separator)
                    .quoteCharacter(separator == '|' ? NO_QUOTE : '"')
                    .commentStrategy(CommentStrategy.SKIP)
                    .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                    .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                    .ofCsvRecord(text)) {
                return headless ? reader.readHeadless(csv.iterator()) : reader.read(csv.iterator());
            }
        } catch (NoSuchFileException e) {
            throw InputException.at(path.toString(), "no such file", "a trace file");
        } catch (IOException | UncheckedIOException | CsvParseException e) {
            throw reader.unreadable(e);
        }
    }

    private void requireFew(long bytes) {
        if (bytes > options.mostBytes()) {
            throw new InputException("%s: holds more than %,d MB of text: expected at most that, or a higher --most-mb"
                    .formatted(file, options.mostBytes() >> 20));
        }
    }

    private static InputStream unzipped(InputStream raw) throws IOException {
        BufferedInputStream in = new BufferedInputStream(raw, 1 << 16);
        in.mark(2);
        int magic = in.read() << 8 | in.read();
        in.reset();
        return magic == GZIP_MAGIC ? new GZIPInputStream(in, 1 << 16) : in;
    }

    /** The text, by its byte-order mark, which is skipped: UTF-16, as PowerShell redirects output, or UTF-8, which also needs none. */
    private static BufferedReader decoded(InputStream raw) throws IOException {
        PushbackInputStream in = new PushbackInputStream(raw, UTF_8_MARK);
        byte[] mark = in.readNBytes(UTF_8_MARK);
        boolean isUtf16 = mark.length >= 2
                && ((mark[0] == (byte) 0xFE && mark[1] == (byte) 0xFF)
                        || (mark[0] == (byte) 0xFF && mark[1] == (byte) 0xFE));
        boolean isMarkedUtf8 =
                mark.length == UTF_8_MARK && mark[0] == (byte) 0xEF && mark[1] == (byte) 0xBB && mark[2] == (byte) 0xBF;
        if (!isMarkedUtf8) {
            in.unread(mark);
        }
        return new BufferedReader(
                new InputStreamReader(in, isUtf16 ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8), 1 << 16);
    }

    /** What separates the fields: as in the format asked for or, when none was, what ends the first field of the file; {@link #JSON} for JSON. */
    private char separator(BufferedReader text) throws IOException {
        text.mark(LOOK_AHEAD);
        boolean comment = false;
        boolean lineBegins = true;
        int begin = ' ';
        int c = text.read();
        for (int i = 1; i < LOOK_AHEAD && c >= 0 && (comment || (c != '\t' && c != ',' && c != '|')); i++) {
            boolean lineEnds = c == '\n' || c == '\r';
            begin = begin == ' ' && !Character.isWhitespace(c) ? c : begin;
            comment = !lineEnds && (comment || (lineBegins && c == '#'));
            lineBegins = lineEnds;
            c = text.read();
        }
        text.reset();
        TraceFormat forced = options.format();
        boolean mayBePods = forced == null || forced == TraceFormat.KUBERNETES;
        if (mayBePods && (begin == '{' || begin == '[')) {
            return JSON;
        }
        return forced != null ? forced.separator() : c == '\t' || c == '|' ? (char) c : ',';
    }

    private Trace readPods(BufferedReader text) throws IOException {
        TraceCollector jobs =
                new TraceCollector(file, options, TraceFormat.KUBERNETES, new TraceColumns(PodsJson.COLUMNS));
        PodsJson.read(file, text, jobs);
        return jobs.finish();
    }

    private Trace readHeadless(Iterator<CsvRecord> records) {
        TraceFormat format = options.format() == null ? TraceFormat.SHOCKWAVE : options.format();
        return read(records, format, new TraceColumns(format.required()));
    }

    private InputException unreadable(Exception e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        if (cause instanceof InputException refused) {
            return refused;
        }
        String shown = BadLine.printable(cause.getClass().getSimpleName() + ": " + cause.getMessage());
        return InputException.at(file, shown, "a CSV or JSON file, plain or gzipped, that can be read to its end");
    }

    private Trace read(Iterator<CsvRecord> records) {
        if (!records.hasNext()) {
            throw InputException.at(file, "empty", "a header and at least one job");
        }
        CsvRecord header = records.next();
        TraceColumns columns = new TraceColumns(header.getFields());
        return read(records, format(columns, header.getStartingLineNumber()), columns);
    }

    private Trace read(Iterator<CsvRecord> records, TraceFormat format, TraceColumns columns) {
        TraceCollector jobs = new TraceCollector(file, options, format, columns);
        while (records.hasNext()) {
            CsvRecord row = records.next();
            jobs.add(row.getFields(), (int) Math.min(Integer.MAX_VALUE, row.getStartingLineNumber()));
        }
        return jobs.finish();
    }

    private TraceFormat format(TraceColumns columns, long line) {
        String place = file + ":" + line + ", header";
        String shown = BadLine.printable(columns.toString());
        if (columns.repeated() != null) {
            throw InputException.at(place, BadLine.printable(columns.repeated()), "every column once");
        }
        TraceFormat forced = options.format();
        if (forced != null) {
            if (!forced.missingFrom(columns).isEmpty()) {
                throw InputException.at(
                        place,
                        shown,
                        "also %s, as %s has them"
                                .formatted(String.join(",", forced.missingFrom(columns)), forced.label()));
            }
            return forced;
        }
        TraceFormat known = TraceFormat.of(columns);
        if (known != null) {
            return known;
        }
        TraceFormat nearest = TraceFormat.nearest(columns);
        if (nearest != null) {
            throw InputException.at(
                    place,
                    shown,
                    "also %s: it is nearest to %s; `trainyard list traces` shows all formats"
                            .formatted(String.join(",", nearest.missingFrom(columns)), nearest.label()));
        }
        throw InputException.at(place, shown, expectedInsteadOf(columns.toString()));
    }

    /** What to write instead of a file with this header: the right options of the command that most likely wrote it, or else a known format. */
    private static String expectedInsteadOf(String header) {
        if (SACCT_WITHOUT_P.matcher(header).lookingAt()) {
            return "what sacct -P prints, with bars between the columns (%s)"
                    .formatted(String.join(",", TraceFormat.SACCT.required()));
        }
        if (KUBECTL_WITHOUT_JSON.matcher(header).lookingAt()) {
            return "what kubectl get pods -o json prints";
        }
        return "the columns of one of: " + TraceFormat.known();
    }
}
