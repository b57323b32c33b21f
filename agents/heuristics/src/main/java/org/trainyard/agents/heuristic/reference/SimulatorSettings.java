package org.trainyard.agents.heuristic.reference;

import org.trainyard.env.gym.registry.ReferenceSettings;
import org.trainyard.env.simulation.RestartCost;

/** The settings under which the simulators of Tiresias, Helios and Muri are replayed. */
public final class SimulatorSettings {
    private static final long SECOND = 1_000_000_000L;

    /** Run times as in the trace; free restarts. */
    public static final ReferenceSettings AS_TRACED = new ReferenceSettings(
            (format, nanos) -> nanos,
            RestartCost.FREE,
            false,
            "run times as in the trace, restarts and moves are free",
            "");

    /**
     * Settings of the Helios simulator: run times as in the trace, free restarts, each virtual cluster simulated alone.
     */
    public static final ReferenceSettings HELIOS = new ReferenceSettings(
            AS_TRACED.runTimes(),
            RestartCost.FREE,
            true,
            "placer consolidate, run times as in the trace; each virtual cluster runs alone there",
            "");

    /**
     * Settings of the Helios simulator's {@code srtf}: a job holds its GPUs a second longer than its duration, and a
     * preempted job pays for its checkpoint in addition to unpaid earlier ones.
     */
    public static final ReferenceSettings HELIOS_SRTF = new ReferenceSettings(
            (format, nanos) -> nanos + SECOND,
            (job, unpaidNanos) -> unpaidNanos + HeliosSrtf.checkpointNanos(job.gpus()),
            true,
            "placer consolidate; jobs run a second longer, restarts cost 7, 30 or 60 s for 1, 2-8 or more GPUs; each virtual cluster runs alone there",
            "a second longer than in the trace, and restarts cost 7, 30 or 60 s for 1, 2-8 or more GPUs, as in the Helios simulator");

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

    private SimulatorSettings() {}

    private static long stretch(long nanos) {
        return Math.addExact(nanos, Math.round(nanos * 0.015));
    }
}
