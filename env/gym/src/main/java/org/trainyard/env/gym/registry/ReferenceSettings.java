package org.trainyard.env.gym.registry;

import org.trainyard.env.simulation.RestartCost;
import org.trainyard.env.workload.TraceJob;

/**
 * The assumptions of a published simulator besides ideal rates: run times, and the cost of a preemption.
 *
 * @param runTimes run times of that simulator for the durations in a trace
 * @param restart its cost of a resumed job
 * @param oneVirtualCluster whether that simulator runs each virtual cluster of a trace alone
 * @param terms the settings of that simulator under which it is replayed, in words
 * @param remark how run times may differ from the trace's, as the end of a sentence that begins "run times are"; empty
 *     when they never do
 */
public record ReferenceSettings(
        RunTimes runTimes, RestartCost restart, boolean oneVirtualCluster, String terms, String remark) {
    /** Maps a duration in a trace of the format with some name to a run time, nanoseconds. */
    @FunctionalInterface
    public interface RunTimes {
        long nanos(String format, long durationNanos);
    }

    /** The job of a trace of the format with some name, under these assumptions. */
    public TraceJob adjusted(String format, TraceJob job) {
        return job.lasting(runTimes.nanos(format, job.durationNanos()));
    }
}
