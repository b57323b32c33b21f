package org.trainyard.experiments.timeline;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Topology;

/**
 * Recorded timeline of one run.
 *
 * @param scheduler as in tables and files
 * @param episode from 0
 * @param jobs histories of the first jobs; null when their servers are not known
 */
public record RunTimeline(
        String scheduler,
        int episode,
        Topology topology,
        Series series,
        @Nullable JobHistories jobs) {}
