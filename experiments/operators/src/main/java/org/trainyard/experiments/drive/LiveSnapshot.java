package org.trainyard.experiments.drive;

import java.util.Map;

/**
 * The jobs and nodes of a live cluster at one moment.
 *
 * @param jobs by id, in the manager's order; ended ones for as long as it keeps them
 * @param nodes by name
 */
public record LiveSnapshot(Map<String, LiveJob> jobs, Map<String, Node> nodes) {
    /**
     * A node.
     *
     * @param type of its GPUs, empty when the manager does not say
     * @param isOut whether it takes no jobs
     */
    public record Node(String name, int gpus, String type, boolean isOut) {}
}
