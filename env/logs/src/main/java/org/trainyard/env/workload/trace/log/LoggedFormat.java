package org.trainyard.env.workload.trace.log;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.FirstLines;
import org.trainyard.env.workload.log.LogFile;
import org.trainyard.env.workload.log.RowFormat;
import org.trainyard.env.workload.log.TableText;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceCollector;
import org.trainyard.env.workload.log.TraceColumns;
import org.trainyard.env.workload.log.TraceReader;

/** A format of rows that may also be told by its first line, without a header, or by an object of JSON. */
public abstract class LoggedFormat extends RowFormat {
    protected LoggedFormat(String label, List<String> required, List<String> optional) {
        super(label, required, optional);
    }

    @Override
    protected boolean isOfSingleRows() {
        return false;
    }

    /** Whether a text without a header begins as this format does. */
    protected boolean begins(FirstLines first) {
        return false;
    }

    /** Whether an object of JSON is a job of this format, and no row of a table. */
    public boolean isJob(JsonNode object) {
        return false;
    }

    /** The columns into which an object of JSON is read. */
    public List<String> objectColumns() {
        return required();
    }

    /** Reads a text without a header. */
    protected Trace lines(LogFile file, TraceReader.Options options, @Nullable Consumer<TraceJob> jobs)
            throws IOException {
        return TableText.headless(file, '\t', collector(file, options, required(), jobs));
    }

    /** The collector of rows with these columns. */
    protected final TraceCollector collector(
            LogFile file, TraceReader.Options options, List<String> columns, @Nullable Consumer<TraceJob> jobs) {
        return new TraceCollector(file.name(), options, this, new TraceColumns(columns), jobs);
    }

    @Override
    public boolean sniff(LogFile file) {
        return (file.isTable() && begins(file.first())) || super.sniff(file);
    }

    @Override
    public Trace read(LogFile file, TraceReader.Options options, @Nullable Consumer<TraceJob> jobs) throws IOException {
        return file.isTable() && (!hasHeader() || begins(file.first()))
                ? lines(file, options, jobs)
                : super.read(file, options, jobs);
    }
}
