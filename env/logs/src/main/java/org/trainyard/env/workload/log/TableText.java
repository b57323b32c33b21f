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

    /**
     * Mends rows of Slurm in which a text that anybody may write, such as the name of a job, has the separator in it: the columns right of it count from the end of the row. Where several
     * columns may be such texts, the one is taken with which the times of the row are times. A line break in such a text cuts the row, and its lines are put together.
     */
    private static final class BarredName {
        private static final List<String> FREE = List.of(
                "jobname",
                "name",
                "job_name",
                "submitline",
                "comment",
                "admincomment",
                "systemcomment",
                "workdir",
                "constraints");
        private static final List<String> TIMES = List.of("submit", "start", "end", "eligible");
        private static final Pattern TIME = Pattern.compile("(\\d{4}-\\d\\d-\\d\\d[T ].*|\\d{9,19}|Unknown|None|N/A|)");

        /** Lines over which a row goes at most. */
        private static final int MOST_LINES = 100;

        private final int width;
        private final List<Integer> free = new ArrayList<>();
        private final List<Integer> times = new ArrayList<>();
        private final char separator;
        private final boolean isSlurm;

        BarredName(List<String> header) {
            TraceColumns columns = new TraceColumns(header);
            width = header.size();
            separator = '|';
            isSlurm = columns.has("jobid") || columns.has("jobidraw") || columns.has("id_job");
            if (isSlurm) {
                FREE.stream().map(columns::indexOf).filter(at -> at >= 0).forEach(free::add);
                TIMES.stream().map(columns::indexOf).filter(at -> at >= 0).forEach(times::add);
            }
        }

        boolean isSlurm() {
            return isSlurm;
        }

        /**
         * A row that is cut, because a text in it has line breaks, with the lines that follow it; or as it is when these are rows of their own or do not make it whole.
         *
         * @param ahead lines that were read and are none of the row; those that it takes go out of it
         */
        List<String> joined(List<String> cut, Deque<CsvRecord> ahead, Iterator<CsvRecord> rest) {
            List<CsvRecord> taken = new ArrayList<>();
            List<String> whole = new ArrayList<>(cut);
            while (whole.size() < width && taken.size() < MOST_LINES && (!ahead.isEmpty() || rest.hasNext())) {
                CsvRecord line = ahead.isEmpty() ? rest.next() : ahead.remove();
                taken.add(line);
                List<String> fields = line.getFields();
                if (fields.size() >= width) {
                    break;
                }
                int last = whole.size() - 1;
                whole.set(last, whole.get(last) + " " + fields.get(0));
                whole.addAll(fields.subList(1, fields.size()));
            }
            if (whole.size() == width && areTimes(whole)) {
                return whole;
            }
            for (int i = taken.size() - 1; i >= 0; i--) {
                ahead.addFirst(taken.get(i));
            }
            return cut;
        }

        private boolean areTimes(List<String> fields) {
            return times.stream()
                    .allMatch(time -> TIME.matcher(fields.get(time).strip()).matches());
        }

        /** The row with one field for each column, or as it is when it cannot be mended. */
        List<String> mended(List<String> fields) {
            int extra = fields.size() - width;
            for (int at : free) {
                List<String> mended = new ArrayList<>(fields.subList(0, at));
                mended.add(String.join(String.valueOf(separator), fields.subList(at, at + extra + 1)));
                mended.addAll(fields.subList(at + extra + 1, fields.size()));
                if (areTimes(mended)) {
                    return mended;
                }
            }
            return fields;
        }
    }
}
