package org.trainyard.env.workload.trace.log;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.trainyard.env.workload.log.LogFile;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceCollector;

/** Reads a text of records: of one line each, or of several where the format has lines that continue the one above. */
public final class TextRecords {
    private static final int LONGEST = 1 << 20;

    private TextRecords() {}

    public static Trace lines(LogFile file, TraceCollector jobs) throws IOException {
        return read(file, jobs, line -> false, " ", List::of);
    }

    /**
     * Records of several lines.
     *
     * @param goesOn whether a line continues the one above
     * @param joint between the lines of a record
     */
    public static Trace read(
            LogFile file,
            TraceCollector jobs,
            Predicate<String> goesOn,
            String joint,
            Function<String, List<String>> fields)
            throws IOException {
        BufferedReader text = file.text();
        StringBuilder record = new StringBuilder();
        int begin = 1;
        int number = 0;
        String line = text.readLine();
        while (line != null) {
            number++;
            boolean blank = line.isBlank();
            if ((blank || !goesOn.test(line)) && !record.isEmpty()) {
                jobs.add(fields.apply(record.toString()), begin);
                record.setLength(0);
            }
            if (!blank && !line.startsWith("#") && !line.startsWith("***") && record.length() < LONGEST) {
                begin = record.isEmpty() ? number : begin;
                record.append(record.isEmpty() ? "" : joint).append(line.strip());
            }
            line = text.readLine();
        }
        if (!record.isEmpty()) {
            jobs.add(fields.apply(record.toString()), begin);
        }
        return jobs.finish();
    }
}
