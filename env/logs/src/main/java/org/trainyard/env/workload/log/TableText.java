package org.trainyard.env.workload.log;

import de.siegmar.fastcsv.reader.CommentStrategy;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.TraceJob;

/** Reads the text of a table, and hands its rows to a {@link TraceCollector}. */
public final class TableText {
    /** No text has it: what sacct prints has no quotes, only separators. */
    private static final char NO_QUOTE = '\uFFFF';

    private static final Pattern DECIMAL_COMMA = Pattern.compile("\\s*[+-]?\\d{1,15},\\d{1,15}\\s*");

    private TableText() {}

    static Trace read(LogFile file, RowFormat format, TraceReader.Options options, @Nullable Consumer<TraceJob> stream)
            throws IOException {
        TableHeader header = file.header();
        header.check();
        format.require(header);
        TraceCollector jobs = new TraceCollector(file.name(), options, format, header.columns(), stream);
        char separator = header.separator();
        try (CsvReader<CsvRecord> csv = csv(file.text(), separator, format.quotes(separator))) {
            Iterator<CsvRecord> records = csv.iterator();
            List<String> names = records.next().getFields();
            return rows(records, jobs, names, separator == ';');
        }
    }

    /** Reads a table without a header. */
    public static Trace headless(LogFile file, char separator, TraceCollector jobs) throws IOException {
        try (CsvReader<CsvRecord> csv = csv(file.text(), separator, true)) {
            return rows(csv.iterator(), jobs, List.of(), false);
        }
    }

    private static CsvReader<CsvRecord> csv(BufferedReader text, char separator, boolean quotes) {
        return CsvReader.builder()
                .fieldSeparator(separator)
                .quoteCharacter(quotes ? '"' : NO_QUOTE)
                .commentStrategy(CommentStrategy.SKIP)
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .ofCsvRecord(text);
    }

    /** @param commas whether numbers may have decimal commas, as where semicolons stand between columns */
    private static Trace rows(Iterator<CsvRecord> records, TraceCollector jobs, List<String> header, boolean commas) {
        BarredName barred = new BarredName(header);
        Deque<CsvRecord> ahead = new ArrayDeque<>();
        while (!ahead.isEmpty() || records.hasNext()) {
            CsvRecord row = ahead.isEmpty() ? records.next() : ahead.remove();
            List<String> fields = row.getFields();
            if (fields.size() < header.size() && barred.isSlurm()) {
                fields = barred.joined(fields, ahead, records);
            }
            if (!header.isEmpty() && fields.equals(header)) {
                jobs.repeatedHeader();
                continue;
            }
            if (fields.size() > header.size() && !header.isEmpty()) {
                fields = barred.mended(new ArrayList<>(fields));
            }
            if (commas) {
                fields = withPoints(fields, jobs);
            }
            jobs.add(fields, (int) Math.min(Integer.MAX_VALUE, row.getStartingLineNumber()));
        }
        return jobs.finish();
    }

    private static List<String> withPoints(List<String> fields, TraceCollector jobs) {
        if (fields.stream().noneMatch(field -> DECIMAL_COMMA.matcher(field).matches())) {
            return fields;
        }
        jobs.note("%,d rows have numbers with decimal commas; read as points.");
        return fields.stream()
                .map(field -> DECIMAL_COMMA.matcher(field).matches() ? field.replace(',', '.') : field)
                .toList();
    }
}
