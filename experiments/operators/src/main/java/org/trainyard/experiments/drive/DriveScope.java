package org.trainyard.experiments.drive;

import org.jspecify.annotations.Nullable;

/**
 * Which pending jobs a driver may touch.
 *
 * @param partition outside which it touches none, or null
 * @param qos outside which it touches none, or null
 * @param takesHeld whether it takes jobs over that are submitted held
 * @param gpus of the cluster
 */
record DriveScope(@Nullable String partition, @Nullable String qos, boolean takesHeld, int gpus) {
    /** Whether a job is in the partition and the QOS. */
    boolean covers(LiveJob job) {
        return (partition == null || partition.equals(job.partition())) && (qos == null || qos.equals(job.qos()));
    }

    /**
     * Why a pending job that it covers is left to the manager, or an empty text.
     *
     * @param log of what was done to jobs before
     * @param nowSeconds since 1970
     */
    String leaves(LiveJob job, DriveLog log, long nowSeconds) {
        if (!job.special().isEmpty()) {
            return job.special();
        }
        if (job.gpus() == 0) {
            return "asks for no GPUs";
        }
        if (job.gpus() > gpus) {
            return "asks for more GPUs than there are";
        }
        if (job.isHeld()) {
            return takesHeld && (!log.knows(job.id()) || log.isTaken(job.id())) ? "" : "is held";
        }
        if (job.eligible() > Math.max(nowSeconds, job.submit()) + 1) {
            if (!log.knows(job.id())) {
                return "has a begin time of its own";
            }
            // Its nodes may not have ended it yet, and Slurm holds what it cannot launch beside its first copy.
            if (log.isRequeuedByOthers(job)) {
                return "was requeued and waits until its nodes are clean";
            }
        }
        if (!job.requiredNodes().isEmpty() && !log.placed(job.id())) {
            return "asks for certain nodes";
        }
        if (job.reason().startsWith("Assoc")
                || job.reason().startsWith("QOS")
                || job.reason().contains("Limit")) {
            return "is at a limit (%s)".formatted(job.reason());
        }
        return "";
    }
}
