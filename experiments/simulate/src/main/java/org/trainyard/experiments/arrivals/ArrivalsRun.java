package org.trainyard.experiments.arrivals;

import java.util.List;

/**
 * How one placement policy filled a cluster; curves are over the GPU demand that has arrived, at 0, 1, 2 ... per cent
 * of the cluster's GPUs.
 *
 * @param jobs jobs that arrived
 * @param rejected jobs that did not fit at their arrival
 * @param allocatedPercent allocated GPUs in per cent of all GPUs
 * @param fragmentedPercent free GPUs that typical jobs cannot use, in per cent of all GPUs
 * @param fragmentedOfFreePercent the same in per cent of the free GPUs; 0 when none is free
 * @param events number of events in the log
 */
public record ArrivalsRun(
        String policy,
        int jobs,
        int rejected,
        List<Double> allocatedPercent,
        List<Double> fragmentedPercent,
        List<Double> fragmentedOfFreePercent,
        long events,
        String eventLogSha256) {
    public ArrivalsRun {
        allocatedPercent = List.copyOf(allocatedPercent);
        fragmentedPercent = List.copyOf(fragmentedPercent);
        fragmentedOfFreePercent = List.copyOf(fragmentedOfFreePercent);
    }
}
