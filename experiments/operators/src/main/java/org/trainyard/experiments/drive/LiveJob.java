package org.trainyard.experiments.drive;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A job of a live manager at one moment; times are seconds since 1970, 0 when there is none.
 *
 * @param reason why it waits, as the manager calls it
 * @param gpus that it holds, or asks for
 * @param mostNodes that it asks for, 0 when it does not say
 * @param allocated GPUs by node, of one that runs
 * @param eligible when it may start at the earliest
 * @param limit for which it may run, seconds
 * @param restarts how often it was requeued
 * @param needs beside the number of its GPUs
 * @param special why it is not an ordinary batch of GPUs, or an empty text
 */
public record LiveJob(
        String id,
        Stage stage,
        String reason,
        String user,
        String account,
        String partition,
        String qos,
        int gpus,
        int leastNodes,
        int mostNodes,
        Map<String, Integer> allocated,
        long priority,
        long submit,
        long eligible,
        long start,
        long end,
        long limit,
        int restarts,
        String requiredNodes,
        Needs needs,
        String special) {
    /** Reasons for which a job waits that may start when there is room. */
    private static final Set<String> QUEUED = Set.of("", "None", "Priority", "Resources");

    /** How far a job is. */
    public enum Stage {
        PENDING,
        RUNNING,
        /** Processes of the job are being cleaned up; then it waits again or has ended. */
        LEAVING,
        ENDED
    }

    /**
     * Needs of a job beside the number of its GPUs.
     *
     * @param gpuType of its GPUs, as the manager calls it; empty for any
     * @param cpus of the whole job, divided evenly among its GPUs
     * @param memoryMib of the whole job, divided likewise
     * @param nodeMemoryMib on each of its nodes, however many GPUs it has there; 0 when it does not say
     * @param parts GPUs of each of its parts that must be on one node, the most first; none where any division will do
     */
    public record Needs(String gpuType, long cpus, long memoryMib, long nodeMemoryMib, List<Integer> parts) {
        /** Needs of nothing beside the GPUs. */
        public static final Needs NONE = new Needs("", 0, 0, 0);

        /** Needs of a job that may be divided anyhow. */
        public Needs(String gpuType, long cpus, long memoryMib, long nodeMemoryMib) {
            this(gpuType, cpus, memoryMib, nodeMemoryMib, List.of());
        }

        /** The need that each part is on one node. */
        public static Needs parts(List<Integer> parts) {
            return new Needs("", 0, 0, 0, parts);
        }
    }

    /** Whether a user or an administrator holds it. */
    public boolean isHeld() {
        return priority == 0;
    }

    /** Whether it waits for room or its turn alone, as far as the manager says. */
    boolean isInQueue() {
        return stage == Stage.PENDING && !isHeld() && QUEUED.contains(reason);
    }

    /** Whether all its GPUs must be on one node. */
    public boolean isOnOneNode() {
        return leastNodes == 1 && mostNodes == 1;
    }
}
