package org.trainyard.experiments.service.live;

import java.util.List;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;

/**
 * The state of a cluster.
 *
 * @param sequence number of the last event
 * @param downGpus GPUs that are out of order
 * @param arrived number of jobs ever submitted
 * @param waiting names of waiting jobs, in order of entry into the queue
 * @param running running jobs, in order of their last start
 * @param eventLog hash of the events, as a simulation that had them would print it
 */
public record ClusterView(
        String cluster,
        long sequence,
        long nowNanos,
        int servers,
        int gpus,
        int freeGpus,
        int downGpus,
        int arrived,
        List<String> waiting,
        List<RunningJob> running,
        String eventLog) {
    /** A running job: its GPUs, and the work it has done in seconds at its ideal rate. */
    public record RunningJob(String job, List<ServerGpus> placement, double progressSeconds) {}
}
