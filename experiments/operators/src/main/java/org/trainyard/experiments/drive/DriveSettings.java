package org.trainyard.experiments.drive;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a driver may do.
 *
 * @param folder of its write-ahead files
 * @param cluster by name or file, or null for what the manager says
 * @param level of what it may do
 * @param partition outside which it touches no job, or null
 * @param qos outside which it touches no job, or null
 * @param takesHeld whether it takes jobs over that are submitted held
 * @param leaseSeconds for which a job is told to wait at a time; when nobody tells it anew, the manager goes on by itself
 * @param isDry whether it only says what it would do
 */
public record DriveSettings(
        Path folder,
        @Nullable String cluster,
        DriveLevel level,
        @Nullable String partition,
        @Nullable String qos,
        boolean takesHeld,
        int leaseSeconds,
        boolean isDry) {}
