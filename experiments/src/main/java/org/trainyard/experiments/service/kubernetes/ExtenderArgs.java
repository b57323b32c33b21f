package org.trainyard.experiments.service.kubernetes;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.fabric8.kubernetes.api.model.NodeList;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What kube-scheduler asks an extender ({@code ExtenderArgs} of k8s.io/kube-scheduler/extender/v1, whose keys are capitalised).
 *
 * @param pod to place
 * @param nodes candidates, from an extender with {@code nodeCacheCapable: false}; else null
 * @param nodeNames names of candidates, from one with {@code nodeCacheCapable: true}; else null
 */
record ExtenderArgs(
        @JsonProperty("Pod") @Nullable Pod pod,
        @JsonProperty("Nodes") @Nullable NodeList nodes,
        @JsonProperty("NodeNames") @Nullable List<String> nodeNames) {}
