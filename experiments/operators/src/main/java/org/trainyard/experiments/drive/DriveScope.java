package org.trainyard.experiments.drive;

import java.util.List;
import java.util.Map;

/** Jobs that a driver may touch, and why it leaves the others to the manager. */
final class DriveScope {
    private static final long SECOND = 1_000_000_000L;
    /** Multiple of the time of a start after which a job that has not started is left, or avoids its nodes. */
    private static final int TIMES = 10;

    private final DriveSettings settings;
    private final DriveLog log;
    private final Mirror mirror;

    DriveScope(DriveSettings settings, DriveLog log, Mirror mirror) {
        this.settings = settings;
        this.log = log;
        this.mirror = mirror;
    }

    /** How long a job is left, or avoids nodes, seconds. */
    long pauseSeconds() {
        return (long) TIMES * settings.startWithinSeconds();
    }

    /** Leaves a job for a while. */
    void leave(LiveJob job, String why, long nowNanos) {
        DrivenJob known = log.of(job);
        known.pause = why;
        known.pausedUntilNanos = nowNanos + pauseSeconds() * SECOND;
    }

    /** Lets a job avoid nodes for a while. */
    void avoid(LiveJob job, List<String> nodes, long nowNanos) {
        nodes.forEach(node -> log.of(job).avoided.put(node, nowNanos + pauseSeconds() * SECOND));
    }

    boolean avoids(String job, String node, long nowNanos) {
        return log.of(job).avoided.getOrDefault(node, nowNanos) > nowNanos;
    }

    /**
     * Whether a job has found no room for as long as a start may take, or on a cluster where nothing will make room.
     *
     * @param job its name in the mirror
     */
    boolean isRoomlessFor(String job, long nowNanos, boolean isIdle) {
        long since = roomless(job).computeIfAbsent(job, name -> nowNanos);
        return isIdle || nowNanos - since >= settings.startWithinSeconds() * SECOND;
    }

    void hasRoom(String job) {
        roomless(job).remove(job);
    }

    private Map<String, Long> roomless(String job) {
        return log.of(Mirror.number(job)).roomless;
    }

    /** Whether a job is in the partition and the QOS, and of nobody who is left alone. */
    boolean covers(LiveJob job) {
        return isInPartition(job)
                && (settings.qos() == null || settings.qos().equals(job.qos()))
                && partitions(job).stream().noneMatch(settings.leftPartitions()::contains)
                && !settings.leftUsers().contains(job.user());
    }

    boolean isInPartition(LiveJob job) {
        return settings.partition() == null || partitions(job).contains(settings.partition());
    }

    private static List<String> partitions(LiveJob job) {
        return List.of(job.partition().split(","));
    }

    /** Whether it is held and was submitted so, or is held again because the manager forgot that it was released. */
    boolean takes(LiveJob job) {
        DrivenJob known = log.of(job);
        return job.isHeld() && settings.takesHeld() && (!known.isKnown() || known.isTaken);
    }

    /**
     * Why a pending job that it covers is left to the manager, or an empty text.
     *
     * @param wallSeconds since 1970
     * @param nowNanos by the driver's clock
     */
    String leaves(LiveJob job, long wallSeconds, long nowNanos) {
        if (!job.special().isEmpty()) {
            return job.special();
        }
        if (job.partition().contains(",")) {
            return "asks for several partitions";
        }
        if (job.gpus() == 0) {
            return "asks for no GPUs";
        }
        if (job.gpus() > mirror.topology().gpus()) {
            return "asks for more GPUs than there are";
        }
        if (job.isHeld() && !takes(job)) {
            return "is held";
        }
        if (!job.needs().gpuType().isEmpty()
                && mirror.types(job.needs().gpuType()).isEmpty()) {
            return "asks for GPUs of a type that the scheduler or the cluster does not know";
        }
        DrivenJob known = log.of(job);
        if (job.eligible() > Math.max(wallSeconds, job.submit()) + 1) {
            // Its nodes may not have ended it yet, and Slurm holds what it cannot launch beside its first copy.
            if (known.isRequeuedByOthers(job)) {
                return "was requeued and waits until its nodes are clean";
            }
            if (!known.isKnown() || known.isGivenBack()) {
                return "has a begin time of its own";
            }
        }
        if (!job.requiredNodes().isEmpty() && !known.isPlaced) {
            return "asks for certain nodes";
        }
        if (job.reason().startsWith("Assoc")
                || job.reason().startsWith("QOS")
                || job.reason().contains("Limit")) {
            return "is at a limit (%s)".formatted(job.reason());
        }
        return known.pausedUntilNanos <= nowNanos ? "" : known.pause;
    }
}
