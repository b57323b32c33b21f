package org.trainyard.env.workload.trace.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.LogRows;
import org.trainyard.env.workload.log.TraceRow;
import org.trainyard.env.workload.trace.log.JobRows;
import org.trainyard.env.workload.trace.log.LoggedFormat;

/**
 * Pods of Kubernetes: what {@code kubectl get pods -o json} prints, or a table with these columns. See {@link PodRows}.
 */
public final class PodFormat extends LoggedFormat {
    public PodFormat() {
        super("kubernetes", List.of("pod", "gpus", "created", "scheduled", "finished"), PodRows.COLUMNS);
    }

    @Override
    protected boolean wallClock() {
        return true;
    }

    @Override
    public boolean isJob(JsonNode object) {
        return PodRows.isPod(object);
    }

    @Override
    public List<String> objectColumns() {
        return PodRows.COLUMNS;
    }

    @Override
    protected LogRows rows(LogRows.Source source) {
        return new JobRows(source) {
            private final PodRows rows = new PodRows(
                    log, source.options().gpuReplicas(), source.options().loads());

            @Override
            public @Nullable TraceJob add(TraceRow row) {
                rows.add(row);
                return null;
            }

            @Override
            public void add(JsonNode object, JsonNode beside, int line) {
                rows.add(object, line);
            }
        };
    }
}
