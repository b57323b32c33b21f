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
 * @param remark how run times may differ from the trace's, as the end of a sentence that begins "run times are";
 *     empty when they never do
 */
public record ReferenceSettings(
        RunTimes runTimes, RestartCost restart, boolean oneVirtualCluster, String terms, String remark) {
    /** Maps a duration in a trace of the format with some name to a run time, nanoseconds. */
    @FunctionalInterface
    public interface RunTimes {
        long nanos(String format, long durationNanos);
    }

    private static final long SECOND = 1_000_000_000L;

    /** Run times as in the trace; free restarts. */
    public static final ReferenceSettings AS_TRACED = new ReferenceSettings(
            (format, nanos) -> nanos,
            RestartCost.FREE,
            false,
            "run times as in the trace, restarts and moves are free",
            "");

    /**
     * Settings of the Helios simulator: run times as in the trace, free restarts, each virtual cluster simulated
     * alone.
     */
    public static final ReferenceSettings HELIOS = new ReferenceSettings(
            AS_TRACED.runTimes(),
            RestartCost.FREE,
            true,
            "placer consolidate, run times as in the trace; each virtual cluster runs alone there",
            "");

    /**
     * Settings of Muri: in traces of Muri's format, where a duration is iterations x iteration time, an iteration takes
     * 1.5 % longer; other traces have no iteration times, and their durations are kept. Free restarts.
     */
    public static final ReferenceSettings MURI = new ReferenceSettings(
            (format, nanos) -> format.equals("muri") ? stretch(nanos) : nanos,
            RestartCost.FREE,
            false,
            "its overhead of starts and restarts set to 0; an iteration of a Muri trace takes 1.015 times its time",
            "1.015 times those of a Muri trace, as in Muri's simulator");

    /**
     * Settings of the Helios simulator's {@code srtf}: a job holds its GPUs a second longer than its duration, and a
     * preempted job pays for its checkpoint in addition to unpaid earlier ones.
     */
    public static final ReferenceSettings HELIOS_SRTF = new ReferenceSettings(
            (format, nanos) -> nanos + SECOND,
            (job, unpaidNanos) -> unpaidNanos + heliosCheckpointNanos(job.gpus()),
            true,
            "placer consolidate; jobs run a second longer, restarts cost 7, 30 or 60 s for 1, 2-8 or more GPUs; each virtual cluster runs alone there",
            "a second longer than in the trace, and restarts cost 7, 30 or 60 s for 1, 2-8 or more GPUs, as in the Helios simulator");

    /** Start-up time that the Shockwave simulator charges a job that starts or resumes. */
    public static final double SHOCKWAVE_START_SECONDS = 20;

    /**
     * Settings of Shockwave: a job that did not run in the round before spends 20 s on start-up, at first as after a
     * preemption. Our deviation: (1) so does the very first job, and one that ends in that round.
     */
    public static final ReferenceSettings SHOCKWAVE = new ReferenceSettings(
            (format, nanos) -> nanos + Math.round(SHOCKWAVE_START_SECONDS * SECOND),
            RestartCost.ofNanos(Math.round(SHOCKWAVE_START_SECONDS * SECOND)),
            false,
            "a job that did not run in the round before starts up for 20 s; rounds of 120 s",
            "20 s longer than in the trace, and restarts cost 20 s, as in Shockwave's simulator");

    /** The checkpoint that the Helios simulator adds to the work of a preempted job of so many GPUs. */
    public static long heliosCheckpointNanos(int gpus) {
        if (gpus == 1) {
            return 7 * SECOND;
        }
        return (gpus <= 8 ? 30 : 60) * SECOND;
    }

    private static long stretch(long nanos) {
        return Math.addExact(nanos, Math.round(nanos * 0.015));
    }

    /** The job of a trace of the format with some name, under these assumptions. */
    public TraceJob adjusted(String format, TraceJob job) {
        return job.lasting(runTimes.nanos(format, job.durationNanos()));
    }
}
