package org.trainyard.experiments.service.kubernetes;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.fabric8.kubernetes.api.model.NodeList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The nodes on which a pod may run ({@code ExtenderFilterResult} of k8s.io/kube-scheduler/extender/v1).
 *
 * @param nodes when whole nodes were asked about, else null
 * @param nodeNames when names were asked about, else null
 * @param failedNodes the reason of every other node
 * @param failedAndUnresolvableNodes the reason of every node where no preemption would help
 * @param error empty for none
 */
record ExtenderFilterResult(
        @JsonProperty("Nodes") @Nullable NodeList nodes,
        @JsonProperty("NodeNames") @Nullable List<String> nodeNames,
        @JsonProperty("FailedNodes") Map<String, String> failedNodes,
        @JsonProperty("FailedAndUnresolvableNodes") Map<String, String> failedAndUnresolvableNodes,
        @JsonProperty("Error") String error) {}
