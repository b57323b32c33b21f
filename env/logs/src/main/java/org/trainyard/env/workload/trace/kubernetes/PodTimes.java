package org.trainyard.env.workload.trace.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * When a pod was scheduled and when it ended, as texts; empty when its status does not say.
 *
 * @param scheduled when it got its GPUs
 * @param finished the end of its last container; of a pod that failed without any, such as an evicted one, its last
 *     change of condition
 */
record PodTimes(String scheduled, String finished) {
    static PodTimes of(JsonNode status) {
        return new PodTimes(scheduled(status), finished(status));
    }

    private static String scheduled(JsonNode status) {
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("type").asText().equals("PodScheduled")
                    && condition.path("status").asText().equals("True")) {
                return condition.path("lastTransitionTime").asText();
            }
        }
        return status.path("startTime").asText();
    }

    private static String finished(JsonNode status) {
        String last = "";
        boolean over = hasEnded(status);
        for (JsonNode container : status.path("containerStatuses")) {
            JsonNode state = container.path("state").path("terminated");
            String end = state.path("finishedAt").asText("");
            if (end.isEmpty() || end.equals("null")) {
                if (!over) {
                    return "";
                }
                end = container
                        .path("lastState")
                        .path("terminated")
                        .path("finishedAt")
                        .asText("");
            }
            last = later(last, end);
        }
        return last.isEmpty() && over ? lastChange(status) : last;
    }

    /** Whether the pod will not run again. */
    static boolean hasEnded(JsonNode status) {
        String phase = status.path("phase").asText();
        return phase.equals("Failed") || phase.equals("Succeeded");
    }

    private static String lastChange(JsonNode status) {
        String last = "";
        for (JsonNode condition : status.path("conditions")) {
            if (!condition.path("type").asText().equals("PodScheduled")) {
                last = later(last, condition.path("lastTransitionTime").asText(""));
            }
        }
        return last;
    }

    /** The later of two times of one shape, as Kubernetes writes all of its own. */
    private static String later(String one, String other) {
        return other.compareTo(one) > 0 && !other.equals("null") ? other : one;
    }
}
