package org.trainyard.experiments.drive;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a driver: its scope and its permissions.
 *
 * @param folder of its write-ahead files
 * @param cluster by name or file, or null for the topology that the manager shows
 * @param partition outside which it touches no job, or null
 * @param qos outside which it touches no job, or null
 * @param takesHeld whether it takes over jobs that are submitted held
 * @param leaseSeconds of the lease for which a job is held back; when the driver does not renew it, the manager decides
 * @param startWithinSeconds within which a start has to come; then it is taken back, and its nodes are avoided
 * @param startsPerMinute at most, 0 for no limit
 * @param leftPartitions whose jobs it does not touch
 * @param leftUsers whose jobs it does not touch
 * @param isDry whether it only prints its changes
 */
public record DriveSettings(
        Path folder,
        @Nullable String cluster,
        DriveLevel level,
        @Nullable String partition,
        @Nullable String qos,
        boolean takesHeld,
        int leaseSeconds,
        int startWithinSeconds,
        int startsPerMinute,
        List<String> leftPartitions,
        List<String> leftUsers,
        boolean isDry) {}
