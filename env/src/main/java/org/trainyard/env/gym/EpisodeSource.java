package org.trainyard.env.gym;

import org.trainyard.env.workload.Workload;

/** The workloads of numbered episodes: equal numbers give equal workloads. */
public interface EpisodeSource {
    Workload episode(long number);
}
