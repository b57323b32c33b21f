package org.trainyard.env.workload.trace.slurm;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.LogRows;
import org.trainyard.env.workload.log.TraceColumns;
import org.trainyard.env.workload.log.TraceRow;
import org.trainyard.env.workload.trace.log.JobRows;
import org.trainyard.env.workload.trace.log.LoggedFormat;

/** A format of Slurm. */
public class SlurmFormat extends LoggedFormat {
    /** Which program writes it. */
    public enum Writer {
        SACCT,
        SQUEUE,
        OTHER
    }

    private final Writer writer;

    public SlurmFormat(String label, List<String> required, List<String> optional, Writer writer) {
        super(label, required, optional);
        this.writer = writer;
    }

    @Override
    protected boolean wallClock() {
        return true;
    }

    /** Demands of jobs stand in columns of totals. */
    @Override
    protected boolean restricts(String column) {
        return false;
    }

    @Override
    protected boolean reads(String column, TraceColumns columns) {
        return super.reads(column, columns) && SlurmColumns.reads(column);
    }

    @Override
    protected boolean quotes(char separator) {
        return separator == ',' || (writer == Writer.OTHER && super.quotes(separator));
    }

    @Override
    public boolean isJob(JsonNode object) {
        return writer != Writer.OTHER && SacctJson.isJob(object) && object.has("tres") == (writer == Writer.SACCT);
    }

    @Override
    public List<String> objectColumns() {
        return SacctJson.COLUMNS;
    }

    @Override
    protected LogRows rows(LogRows.Source source) {
        return new JobRows(source) {
            private final SlurmRows rows = new SlurmRows(
                    source.columns(),
                    log,
                    source.options().shards(),
                    source.options().loads());

            @Override
            public @Nullable TraceJob add(TraceRow row) {
                rows.add(row);
                return null;
            }

            @Override
            public void finish(Consumer<TraceJob> to) {
                rows.finish();
                super.finish(to);
            }

            @Override
            public void add(JsonNode object, JsonNode beside, int line) {
                rows.add(new TraceRow(source.columns(), SacctJson.row(object), line));
            }
        };
    }

    @Override
    public String tenant() {
        return "partition";
    }
}
