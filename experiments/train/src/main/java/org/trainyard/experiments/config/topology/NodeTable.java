package org.trainyard.experiments.config.topology;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.Topologies;
import org.trainyard.experiments.io.InputFiles;

/** A CSV file, plain or gzipped, with a line for each machine; incomplete lines are refused. */
public final class NodeTable {
    private static final int GZIP_MAGIC = 0x1f8b;
    private static final int LONGEST_VALUE = 100;

    /** A line of the file and its fields in the order of the header. */
    public record Row(long line, List<String> fields) {}

    private final Path file;
    private final List<String> header;
    private final List<Row> rows = new ArrayList<>();

    private NodeTable(Path file, List<String> header) {
        this.file = file;
        this.header = header;
    }

    /** Reads the whole table. */
    public static NodeTable read(Path file) {
        return read(file, Topologies.MAX_SERVERS);
    }

    /** The columns of the file; empty when it is not a table. */
    public static List<String> header(Path file) {
        try {
            return read(file, 0).header;
        } catch (InputException e) {
            return List.of();
        }
    }

    private static NodeTable read(Path file, int most) {
        InputFiles.readable(file);
        try (InputStream raw = Files.newInputStream(file);
                InputStream in = unzipped(raw);
                CsvReader<CsvRecord> csv = CsvReader.builder()
                        .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                        .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                        .ofCsvRecord(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            NodeTable table = null;
            for (CsvRecord line : csv) {
                if (table == null) {
                    table = new NodeTable(
                            file, line.getFields().stream().map(String::strip).toList());
                    table.checkHeader();
                } else if (table.rows.size() == most) {
                    break;
                } else {
                    table.add(line);
                }
            }
            if (table == null) {
                throw new InputException("%s: the file is empty: expected a header".formatted(file));
            }
            return table;
        } catch (IOException | UncheckedIOException | CsvParseException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new InputException("%s: cannot be read (%s): expected CSV, plain or gzipped"
                    .formatted(file, printable(String.valueOf(cause.getMessage()))));
        }
    }

    private static InputStream unzipped(InputStream raw) throws IOException {
        BufferedInputStream in = new BufferedInputStream(raw);
        in.mark(2);
        int magic = in.read() << 8 | in.read();
        in.reset();
        return magic == GZIP_MAGIC ? new GZIPInputStream(in) : in;
    }

    private void checkHeader() {
        Set<String> seen = new HashSet<>();
        for (String column : header) {
            if (!seen.add(column)) {
                throw InputException.at(file + ":1", printable(column), "every column once");
            }
        }
    }

    private void add(CsvRecord line) {
        Row row = new Row(
                line.getStartingLineNumber(),
                line.getFields().stream().map(String::strip).toList());
        if (row.fields().size() != header.size()) {
            throw InputException.at(
                    "%s:%d".formatted(file, row.line()),
                    printable(String.join(",", row.fields())),
                    "the %d fields %s".formatted(header.size(), printable(String.join(",", header))));
        }
        rows.add(row);
        if (rows.size() == Topologies.MAX_SERVERS) {
            throw new InputException(
                    "%s: has %d machines or more: expected fewer".formatted(file, Topologies.MAX_SERVERS));
        }
    }

    /** The text on one line: control characters become {@code ?}, long text is cut. */
    static String printable(String text) {
        return oneLine(text.length() <= LONGEST_VALUE ? text : text.substring(0, LONGEST_VALUE) + "...");
    }

    /** The text with {@code ?} for control characters. */
    public static String oneLine(String text) {
        return text.replaceAll("[\\p{Cntrl}\\u0080-\\u009f\\u2028\\u2029\\ud800-\\udfff]", "?");
    }

    List<String> header() {
        return header;
    }

    public List<Row> rows() {
        return rows;
    }

    private int column(String name) {
        int column = header.indexOf(name);
        if (column < 0) {
            throw InputException.at(
                    file + ":1", printable(String.join(",", header)), "also the column %s".formatted(name));
        }
        return column;
    }

    /** The unchanged text of a field. */
    String raw(Row row, String column) {
        return row.fields().get(column(column));
    }

    /** A field that is a valid name. */
    public String text(Row row, String column) {
        String value = raw(row, column);
        if (value.isEmpty() || !printable(value).equals(value)) {
            throw bad(row, column, "printable text of 1 to %d characters".formatted(LONGEST_VALUE));
        }
        return value;
    }

    /** A whole number in a field. */
    long number(Row row, String column, long most) {
        String value = raw(row, column);
        String expected = "a whole number in 0..%d".formatted(most);
        try {
            long number = Long.parseLong(value);
            if (number < 0 || number > most) {
                throw bad(row, column, expected);
            }
            return number;
        } catch (NumberFormatException e) {
            throw bad(row, column, expected);
        }
    }

    InputException bad(Row row, String column, String expected) {
        return InputException.at(
                "%s:%d, %s".formatted(file, row.line(), column), printable(raw(row, column)), expected);
    }

    /** Refuses a table without rows, or with duplicate values in the column. */
    void checkUnique(String column) {
        if (rows.isEmpty()) {
            throw new InputException("%s: has only a header: expected at least one machine".formatted(file));
        }
        Map<String, Long> lines = new HashMap<>();
        for (Row row : rows) {
            Long before = lines.putIfAbsent(text(row, column), row.line());
            if (before != null) {
                throw bad(row, column, "every machine once; line %d names it already".formatted(before));
            }
        }
    }
}
