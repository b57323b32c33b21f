package org.trainyard.experiments.timeline;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Topology;

/**
 * What was recorded of one run.
 *
 * @param scheduler as in tables and files
 * @param episode from 0
 * @param jobs what happened to the first jobs; null when nobody knows where they ran
 */
public record RunTimeline(
        String scheduler,
        int episode,
        Topology topology,
        Series series,
        @Nullable JobHistories jobs) {}
