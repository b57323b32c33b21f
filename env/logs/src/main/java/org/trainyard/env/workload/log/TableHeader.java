package org.trainyard.env.workload.log;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.BadLine;

/**
 * The header of a table.
 *
 * @param file as the user named it
 * @param first the lines that it is among
 * @param separator between its columns
 */
public record TableHeader(String file, FirstLines first, char separator, TraceColumns columns) {
    private static final List<Character> SEPARATORS = List.of(',', '|', ';', '\t');
    private static final Pattern ROW = Pattern.compile("\\d+(_\\d+)?(\\.\\w+)?[|;,\t].*");

    /**
     * The header in the first lines of a text, by a separator or, when that is null, by the one that seems to be it.
     */
    static TableHeader of(String file, FirstLines first, @Nullable String separator) {
        char one = separator == null ? found(first.line()) : separator.charAt(0);
        return new TableHeader(file, first, one, columns(first.line(), one));
    }

    /** The header of a file that names its columns otherwise than in a line. */
    public static TableHeader of(String file, TraceColumns columns) {
        String line = String.join(",", columns.names());
        return new TableHeader(file, new FirstLines(line, line, 1), ',', columns);
    }

    /** The separator by which some format has the columns, or else the one that makes most of them. */
    private static char found(String line) {
        return SEPARATORS.stream()
                .filter(one -> LogFormats.of(columns(line, one)) != null)
                .findFirst()
                .orElseGet(() -> SEPARATORS.stream()
                        .max(Comparator.comparingInt(
                                        (Character one) -> columns(line, one).count())
                                .thenComparing(one -> -SEPARATORS.indexOf(one)))
                        .orElse(','));
    }

    private static TraceColumns columns(String line, char separator) {
        boolean quotes = separator != '|';
        try (Stream<CsvRecord> records = CsvReader.builder()
                .fieldSeparator(separator)
                .quoteCharacter(quotes ? '"' : '\uFFFF')
                .ofCsvRecord(line)
                .stream()) {
            return new TraceColumns(
                    records.findFirst().map(CsvRecord::getFields).orElse(List.of()));
        } catch (CsvParseException e) {
            // Quotes that are none with this separator.
            return new TraceColumns(List.of());
        }
    }

    /** Whether the line is a row of a job, as in a file without a header. */
    public boolean isRow() {
        return ROW.matcher(first.line()).matches();
    }

    /**
     * Checks that no column is there twice.
     *
     * @throws InputException when one is
     */
    public void check() {
        String repeated = columns.repeated();
        if (repeated != null && !isRow()) {
            throw InputException.at(place(), BadLine.printable(repeated), "every column once");
        }
    }

    /** The exception for a header in place of which something else is expected. */
    public InputException refused(String expected) {
        return InputException.at(place(), BadLine.printable(String.join(",", columns.names())), expected);
    }

    private String place() {
        return file + ":" + first.number() + ", header";
    }
}
