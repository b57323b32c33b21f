package org.trainyard.env.workload.trace;

import de.siegmar.fastcsv.reader.CommentStrategy;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.trace.batch.SwfRows;
import org.trainyard.env.workload.trace.log.BarredName;
import org.trainyard.env.workload.trace.log.TraceColumns;
import org.trainyard.env.workload.trace.slurm.ScontrolText;

/** Reads the text of one file: finds out by its first lines what it is, and hands its rows to a {@link TraceCollector}. */
final class LogText {
    /** No text has it: what sacct prints has no quotes, only separators. */
    private static final char NO_QUOTE = '\uFFFF';

    private static final Pattern DECIMAL_COMMA = Pattern.compile("\\s*[+-]?\\d{1,15},\\d{1,15}\\s*");

    private final String file;
    private final TraceReader.Options options;
    private final @Nullable Consumer<TraceJob> stream;

    LogText(String file, TraceReader.Options options, @Nullable Consumer<TraceJob> stream) {
        this.file = file;
        this.options = options;
        this.stream = stream;
    }

    Trace read(BufferedReader text) throws IOException {
        FirstLines first = FirstLines.of(text);
        if (first.isEmpty()) {
            throw InputException.at(file, "empty", "a header and at least one job");
        }
        TraceFormat forced = options.columns() != null ? TraceFormat.NAMED : options.format();
        if (first.isJson() && forced != TraceFormat.SWF) {
            return new JsonLog(file, options, stream).read(text);
        }
        TraceFormat lines = first.format(forced);
        if (lines == null) {
            return table(text, first, forced);
        }
        return switch (lines) {
            case SCONTROL -> records(text, collector(lines, ScontrolText.COLUMNS), lines);
            case CONDOR -> records(text, collector(lines, List.of("ad")), lines);
            case PBS, LSF -> records(text, collector(lines, List.of("record")), lines);
            case SWF -> numbers(text, collector(lines, SwfRows.COLUMNS));
            default -> headless(text, lines, first);
        };
    }

    private TraceCollector collector(TraceFormat format, List<String> columns) {
        return collector(format, new TraceColumns(columns));
    }

    private TraceCollector collector(TraceFormat format, TraceColumns columns) {
        return new TraceCollector(file, options, format, columns, stream);
    }

    /** Records of one line each; of several where the format has lines that continue the one above, or an empty line between records. */
    private static Trace records(BufferedReader text, TraceCollector jobs, TraceFormat format) throws IOException {
        StringBuilder record = new StringBuilder();
        int begin = 1;
        int number = 0;
        String line = text.readLine();
        while (line != null) {
            number++;
            boolean blank = line.isBlank();
            boolean goesOn = format == TraceFormat.CONDOR
                    ? !blank
                    : format == TraceFormat.SCONTROL && !blank && Character.isWhitespace(line.charAt(0));
            if (!goesOn && !record.isEmpty()) {
                jobs.add(fields(record.toString(), format), begin);
                record.setLength(0);
            }
            if (!blank && !line.startsWith("#") && !line.startsWith("***") && record.length() < 1 << 20) {
                begin = record.isEmpty() ? number : begin;
                record.append(record.isEmpty() ? "" : format == TraceFormat.CONDOR ? "\n" : " ")
                        .append(line.strip());
            }
            line = text.readLine();
        }
        if (!record.isEmpty()) {
            jobs.add(fields(record.toString(), format), begin);
        }
        return jobs.finish();
    }

    private static List<String> fields(String record, TraceFormat format) {
        return format == TraceFormat.SCONTROL ? ScontrolText.row(record) : List.of(record);
    }

    private static Trace numbers(BufferedReader text, TraceCollector jobs) throws IOException {
        int number = 0;
        String line = text.readLine();
        while (line != null) {
            number++;
            String row = line.strip();
            if (!row.isEmpty() && !row.startsWith(";") && !row.startsWith("#")) {
                jobs.add(List.of(row.split("\\s+", SwfRows.COLUMNS.size() + 1)), number);
            }
            line = text.readLine();
        }
        return jobs.finish();
    }

    private Trace headless(BufferedReader text, TraceFormat format, FirstLines first) throws IOException {
        List<String> columns = first.columns(format);
        try (CsvReader<CsvRecord> csv = csv(text, format == TraceFormat.PAI_TASKS ? ',' : '\t', format)) {
            return rows(csv.iterator(), collector(format, columns), List.of(), false);
        }
    }

    private Trace table(BufferedReader text, FirstLines first, @Nullable TraceFormat forced) throws IOException {
        TableHeader header = new TableHeader(file, first, options);
        TraceFormat format = header.format(forced);
        char separator = header.separator();
        try (CsvReader<CsvRecord> csv = csv(text, separator, format)) {
            Iterator<CsvRecord> records = csv.iterator();
            List<String> names = records.next().getFields();
            return rows(records, collector(format, header.columns()), names, separator == ';');
        }
    }

    private static CsvReader<CsvRecord> csv(BufferedReader text, char separator, TraceFormat format) {
        boolean quotes =
                separator == ',' || !(format == TraceFormat.SACCT || format == TraceFormat.SQUEUE || separator == '|');
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
        while (records.hasNext()) {
            CsvRecord row = records.next();
            List<String> fields = row.getFields();
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
