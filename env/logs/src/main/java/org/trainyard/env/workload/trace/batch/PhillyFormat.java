package org.trainyard.env.workload.trace.batch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.LogRows;
import org.trainyard.env.workload.log.TraceRow;
import org.trainyard.env.workload.trace.log.JobRows;
import org.trainyard.env.workload.trace.log.LoggedFormat;

/** The job log of Microsoft's Philly as published, JSON with the attempts of every job. */
public final class PhillyFormat extends LoggedFormat {
    public PhillyFormat() {
        super("philly-log", List.of("jobid", "attempts", "submitted_time"), List.of());
    }

    @Override
    protected boolean hasHeader() {
        return false;
    }

    @Override
    protected boolean wallClock() {
        return true;
    }

    @Override
    public boolean isJob(JsonNode object) {
        return PhillyJson.isJob(object);
    }

    @Override
    protected LogRows rows(LogRows.Source source) {
        return new JobRows(source) {
            private final PhillyJson jobs = new PhillyJson(log);

            @Override
            public @Nullable TraceJob add(TraceRow row) {
                return null;
            }

            @Override
            public void add(JsonNode object, JsonNode beside, int line) {
                jobs.add(object);
            }
        };
    }
}
