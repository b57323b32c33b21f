package org.trainyard.experiments.papers.fgd;

import java.util.List;

/**
 * How one placement policy filled a cluster; curves are by GPU demand arrived, at 0, 1, 2 ... per cent of the cluster's GPUs.
 *
 * @param policy its name
 * @param jobs that arrived
 * @param rejected of them, those that did not fit when they came
 * @param allocatedPercent GPUs held, per cent of all
 * @param fragmentedPercent free GPUs that typical jobs could not use, per cent of all
 * @param fragmentedOfFreePercent the same, per cent of those free; 0 when none is
 * @param events events in the log
 * @param eventLogSha256 hash of the log
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
