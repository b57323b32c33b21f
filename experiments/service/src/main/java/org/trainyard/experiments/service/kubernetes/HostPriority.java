package org.trainyard.experiments.service.kubernetes;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The score of a node, 0 to 10 ({@code HostPriority} of k8s.io/kube-scheduler/extender/v1). */
record HostPriority(
        @JsonProperty("Host") String host,
        @JsonProperty("Score") long score) {}
