package org.trainyard.env.workload.trace.batch;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.FirstLines;
import org.trainyard.env.workload.log.LogFile;
import org.trainyard.env.workload.log.LogRows;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceCollector;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.log.TraceRow;
import org.trainyard.env.workload.trace.log.JobRows;
import org.trainyard.env.workload.trace.log.LoggedFormat;

/** The Standard Workload Format of the Parallel Workloads Archive. */
public final class SwfFormat extends LoggedFormat {
    private static final Pattern NUMBERS = Pattern.compile("\\s*-?\\d+(\\s+-?\\d+(\\.\\d+)?){17}\\s*");

    public SwfFormat() {
        super("swf", SwfRows.COLUMNS, List.of());
    }

    @Override
    protected boolean hasHeader() {
        return false;
    }

    @Override
    protected boolean begins(FirstLines first) {
        return first.text()
                .lines()
                .filter(line -> !line.isBlank()
                        && !line.startsWith("#")
                        && !line.stripLeading().startsWith(";"))
                .findFirst()
                .filter(line -> NUMBERS.matcher(line).matches())
                .isPresent();
    }

    @Override
    public Trace read(LogFile file, TraceReader.Options options, @Nullable Consumer<TraceJob> jobs) throws IOException {
        // No JSON is of this format, even where its first line begins as JSON does.
        return file.isParquet() ? super.read(file, options, jobs) : lines(file, options, jobs);
    }

    @Override
    protected Trace lines(LogFile file, TraceReader.Options options, @Nullable Consumer<TraceJob> jobs)
            throws IOException {
        TraceCollector collector = collector(file, options, SwfRows.COLUMNS, jobs);
        BufferedReader text = file.text();
        int number = 0;
        String line = text.readLine();
        while (line != null) {
            number++;
            String row = line.strip();
            if (!row.isEmpty() && !row.startsWith(";") && !row.startsWith("#")) {
                collector.add(List.of(row.split("\\s+", SwfRows.COLUMNS.size() + 1)), number);
            }
            line = text.readLine();
        }
        return collector.finish();
    }

    @Override
    protected LogRows rows(LogRows.Source source) {
        return new JobRows(source) {
            private final SwfRows rows = new SwfRows(log);

            @Override
            public @Nullable TraceJob add(TraceRow row) {
                rows.add(row);
                return null;
            }
        };
    }
}
