package org.trainyard.experiments.drive;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

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
     * @param usedGpus that the manager counts as held
     * @param freeCpus that no job holds, {@link #UNKNOWN} when the manager does not say
     * @param freeMemoryMib likewise
     * @param partitions to which it belongs; none when the manager has no partitions
     */
    public record Node(
            String name,
            int gpus,
            String type,
            boolean isOut,
            int usedGpus,
            long freeCpus,
            long freeMemoryMib,
            Set<String> partitions) {
        /** An amount above what any job asks for. */
        public static final long UNKNOWN = Long.MAX_VALUE;

        /** A node of which nothing else is known. */
        public Node(String name, int gpus, String type, boolean isOut) {
            this(name, gpus, type, isOut, 0, UNKNOWN, UNKNOWN, Set.of());
        }
    }

    /** Returns the snapshot of a manager that lends nodes' memory to everybody, whatever jobs ask for. */
    public LiveSnapshot sharingMemory() {
        Map<String, Node> shared = new LinkedHashMap<>();
        nodes.forEach((name, node) -> shared.put(
                name,
                new Node(
                        name,
                        node.gpus,
                        node.type,
                        node.isOut,
                        node.usedGpus,
                        node.freeCpus,
                        Node.UNKNOWN,
                        node.partitions)));
        return new LiveSnapshot(jobs, shared);
    }

    /**
     * GPUs that its manager counts as held on a node and no job has, for it has lost count; a node has none when it is
     * out.
     */
    Map<String, Integer> lostGpus() {
        Map<String, Integer> lost = new TreeMap<>();
        nodes.values().forEach(node -> lost.put(node.name(), node.isOut() ? 0 : node.usedGpus()));
        jobs.values().stream()
                .filter(job -> job.stage() != LiveJob.Stage.PENDING && job.stage() != LiveJob.Stage.ENDED)
                .forEach(job -> job.allocated().forEach((node, gpus) -> lost.merge(node, -gpus, Integer::sum)));
        lost.values().removeIf(gpus -> gpus <= 0);
        return lost;
    }
}
