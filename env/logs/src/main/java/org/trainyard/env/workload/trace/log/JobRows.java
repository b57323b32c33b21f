package org.trainyard.env.workload.trace.log;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.SortedSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.LogEnd;
import org.trainyard.env.workload.log.LogRows;
import org.trainyard.env.workload.log.TraceRow;

/** Rows of a log that tell of runs, which are put together into jobs. */
public abstract class JobRows implements LogRows {
    /** The runs read so far. */
    protected final LogJobs log;

    protected JobRows(LogRows.Source source) {
        Consumer<TraceJob> stream = source.stream();
        log = new LogJobs(
                source.notes(),
                stream == null ? null : job -> stream.accept(job.traced()),
                source.options().keepsOpen());
    }

    @Override
    public @Nullable TraceJob add(TraceRow row) {
        throw new IllegalStateException("rows of this format are objects");
    }

    /**
     * Reads an object of JSON.
     *
     * @param beside what stands beside the list that it is from
     */
    public void add(JsonNode object, JsonNode beside, int line) {
        throw new IllegalStateException("objects of this format are rows");
    }

    @Override
    public void finish(Consumer<TraceJob> jobs) {
        log.finish(job -> jobs.accept(job.traced()));
    }

    @Override
    public final List<LeftOut> leftOut() {
        return log.leftOut();
    }

    @Override
    public final LogEnd end() {
        return log.end();
    }

    @Override
    public final List<String> remarks(long jobs) {
        return log.remarks(jobs);
    }

    @Override
    public final SortedSet<String> ranOn() {
        return log.ranOn();
    }
}
