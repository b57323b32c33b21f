package org.trainyard.experiments.timeline;

import org.trainyard.env.topology.Topology;

/**
 * What was recorded of one run.
 *
 * @param scheduler as in tables and files
 * @param episode from 0
 * @param jobs what happened to the first jobs
 */
public record RunTimeline(String scheduler, int episode, Topology topology, Series series, JobHistories jobs) {}
