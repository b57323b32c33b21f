package org.trainyard.experiments.metrics;

import java.util.List;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;

/** Outcomes made by hand: jobs that wait, run undisturbed and end. */
final class Jobs {
    private static final long SECOND = 1_000_000_000L;
    private static final Pressure NONE = new Pressure(0, 0, 0);
    private static final ModelProfile MODEL = new ModelProfile("resnet50", 0.1, 1e8, 1L << 30, NONE, NONE);

    private Jobs() {}

    static JobOutcome job(String user, int gpus, long submitSeconds, long waitSeconds, long runSeconds) {
        JobSpec spec = new JobSpec(0, user + "-" + submitSeconds, submitSeconds * SECOND, gpus, MODEL, 10)
                .by(user, null, null);
        long start = (submitSeconds + waitSeconds) * SECOND;
        long run = runSeconds * SECOND;
        return new JobOutcome(
                spec, start, start + run, new JobOutcome.TimeOnGpus(run, run, 0, 0), 0, 0, 1, 1, 1, 0, 0, 0, false);
    }

    static RunResult run(int gpus, JobOutcome... jobs) {
        return new RunResult(List.of(jobs), List.of(), gpus, 0, 0, 0, "hash");
    }
}
