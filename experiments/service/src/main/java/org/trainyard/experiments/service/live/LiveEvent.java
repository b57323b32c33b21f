package org.trainyard.experiments.service.live;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;

/** An event of a live cluster as its senders write it, without its number. Times are nanoseconds since 1970. */
public sealed interface LiveEvent {
    /** A job ended, was cancelled, preempted or requeued. */
    record OfJob(String type, String job, long timeNanos) implements LiveEvent {}

    /**
     * @param oneServer true when the job must be on one server, else null
     * @param gpuTypes that it can run on, or null for any
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Arrival(
            String type,
            String job,
            int gpus,
            String model,
            @Nullable String user,
            @Nullable String group,
            @Nullable String virtualCluster,
            @Nullable Boolean oneServer,
            @Nullable List<String> gpuTypes,
            long timeNanos)
            implements LiveEvent {}

    record Started(String type, String job, List<ServerGpus> placement, long timeNanos) implements LiveEvent {}

    record Forwarded(String type, String job, @Nullable Integer domain, long timeNanos) implements LiveEvent {}

    /** A GPU came or went. */
    record OfNode(String type, String server, int gpu, long timeNanos) implements LiveEvent {}
}
