package org.trainyard.experiments.evaluation;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.io.RunDirectory;

/**
 * The logs that runs write while they run: events to a file of the user's choice, and events, decisions and the cluster
 * to the folder of the run, from which {@code watch} replays it.
 *
 * @param eventFile null for none
 * @param recorded the folder, or null when the runs are not to be replayed
 */
public record RunLogs(@Nullable Path eventFile, @Nullable RunDirectory recorded) {
    /** No logs. */
    public static final RunLogs NONE = new RunLogs(null, null);
}
