package org.trainyard.env.gym;

import org.trainyard.env.workload.Workload;

/** Episodes by number: equal numbers give equal workloads. */
public interface EpisodeSource {
    Workload episode(long number);
}
