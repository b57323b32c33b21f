package org.trainyard.env.workload.trace.batch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.trainyard.env.workload.log.LogRows;
import org.trainyard.env.workload.trace.log.JobRows;
import org.trainyard.env.workload.trace.log.LoggedFormat;

/** Workloads of Batsim, JSON. */
public final class BatsimFormat extends LoggedFormat {
    public BatsimFormat() {
        super("batsim", List.of("id", "subtime", "res", "profile"), List.of());
    }

    @Override
    protected boolean hasHeader() {
        return false;
    }

    @Override
    public boolean isJob(JsonNode object) {
        return BatsimJson.isJob(object);
    }

    @Override
    protected LogRows rows(LogRows.Source source) {
        return new JobRows(source) {
            private final BatsimJson jobs = new BatsimJson(log);

            @Override
            public void add(JsonNode object, JsonNode beside, int line) {
                jobs.add(object, beside.path("profiles"));
            }
        };
    }
}
