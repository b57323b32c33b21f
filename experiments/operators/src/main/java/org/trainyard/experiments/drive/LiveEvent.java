package org.trainyard.experiments.drive;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;

/** An event of a live cluster, as the service reads it; what its type does not have is null. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record LiveEvent(
        String type,
        @Nullable String job,
        @JsonUnwrapped @Nullable Arrival arrival,
        @Nullable List<ServerGpus> placement,
        @Nullable Integer domain,
        @Nullable String server,
        @Nullable Integer gpu,
        long timeNanos) {
    /**
     * A job that is submitted.
     *
     * @param oneServer true when it must be on one server, else null
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Arrival(
            int gpus,
            String model,
            String user,
            String group,
            String virtualCluster,
            @Nullable Boolean oneServer) {}

    static LiveEvent of(String type, String job, long nanos) {
        return new LiveEvent(type, job, null, null, null, null, null, nanos);
    }

    static LiveEvent arrival(String job, Arrival arrival, long nanos) {
        return new LiveEvent("arrival", job, arrival, null, null, null, null, nanos);
    }

    static LiveEvent started(String job, List<ServerGpus> placement, long nanos) {
        return new LiveEvent("started", job, null, placement, null, null, null, nanos);
    }

    static LiveEvent forwarded(String job, @Nullable Integer domain, long nanos) {
        return new LiveEvent("forwarded", job, null, null, domain, null, null, nanos);
    }

    /** A GPU that comes or goes. */
    static LiveEvent node(String type, String server, int gpu, long nanos) {
        return new LiveEvent(type, null, null, null, null, server, gpu, nanos);
    }
}
