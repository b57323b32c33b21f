package org.trainyard.experiments.evaluation;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;

/** Results made by hand. */
public final class Runs {
    private static final long SECOND = 1_000_000_000L;
    private static final ModelProfile MODEL =
            new ModelProfile("resnet50", 0.1, 1e8, 1L << 30, new Pressure(0.1, 0.1, 0.1), new Pressure(0.1, 0.1, 0.1));

    private Runs() {}

    /** A job that ran all the time from its start to its end, on one GPU. */
    public static JobOutcome job(int id, long submitNanos, long startNanos, long endNanos) {
        return job(id, "job-" + id, submitNanos, startNanos, endNanos);
    }

    /** The same under a name. */
    public static JobOutcome job(int id, String name, long submitNanos, long startNanos, long endNanos) {
        JobSpec spec = new JobSpec(id, name, submitNanos, 1, MODEL, 10);
        return new JobOutcome(spec, startNanos, endNanos, ran(endNanos - startNanos, 0), 0, 0, 1, 1, 1, 0, 0, 0, false);
    }

    private static JobOutcome.TimeOnGpus ran(long nanos, long interferenceNanos) {
        return new JobOutcome.TimeOnGpus(nanos, nanos - interferenceNanos, 0, interferenceNanos);
    }

    /** An episode in which job i is submitted at i seconds, starts at once and takes as long as given. */
    public static RunResult episode(double... jctSeconds) {
        List<JobOutcome> jobs = new ArrayList<>();
        double busy = 0;
        for (int i = 0; i < jctSeconds.length; i++) {
            jobs.add(job(i, i * SECOND, i * SECOND, i * SECOND + Math.round(jctSeconds[i] * SECOND)));
            busy += jctSeconds[i];
        }
        return new RunResult(jobs, List.of(), 4, busy, jobs.size(), 3L * jobs.size(), "hash-of-%s".formatted(busy));
    }

    public static SchedulerRuns heuristic(String name, RunResult... episodes) {
        return new SchedulerRuns(name, SchedulerRuns.Role.HEURISTIC, List.of(episodes));
    }

    public static SchedulerRuns learned(String name, RunResult... episodes) {
        return new SchedulerRuns(name, SchedulerRuns.Role.LEARNED, List.of(episodes));
    }

    /**
     * Something that looks like a real comparison: heavy-tailed JCTs, some schedulers better, some worse, one as good.
     */
    public static Evaluation example(int episodes, int jobs) {
        String[] names = {"fifo-backfill", "srtf", "tiresias", "gnn-ppo", "las", "random"};
        double[] factor = {1.35, 1.0, 1.08, 0.91, 1.004, 2.4};
        List<SchedulerRuns> runs = new ArrayList<>();
        for (int s = 0; s < names.length; s++) {
            List<RunResult> results = new ArrayList<>();
            for (int e = 0; e < episodes; e++) {
                results.add(
                        drawn(RandomStreams.stream(e, names[s]), RandomStreams.stream(e, "sizes"), jobs, factor[s]));
            }
            runs.add(new SchedulerRuns(names[s], role(names[s]), results));
        }
        return Evaluation.of(runs, 7);
    }

    private static SchedulerRuns.Role role(String name) {
        return switch (name) {
            case "gnn-ppo" -> SchedulerRuns.Role.LEARNED;
            case "random" -> SchedulerRuns.Role.FLOOR;
            default -> SchedulerRuns.Role.HEURISTIC;
        };
    }

    private static RunResult drawn(RandomGenerator own, RandomGenerator shared, int jobs, double factor) {
        List<JobOutcome> outcomes = new ArrayList<>();
        double busy = 0;
        double wobble = factor * (1 + 0.04 * own.nextGaussian());
        for (int i = 0; i < jobs; i++) {
            long submit = i * 40L * SECOND;
            double run = 1_500 * Math.exp(1.4 * shared.nextGaussian());
            double wait = 1_200 * wobble * shared.nextExponential();
            double slowdown = 1 + 0.1 * factor * shared.nextDouble();
            long start = submit + (long) (wait * SECOND);
            long end = start + (long) (run * slowdown * factor * SECOND);
            JobSpec spec = job(i, submit, start, end).job();
            long slowed = (long) ((end - start) * (1 - 1 / slowdown));
            outcomes.add(new JobOutcome(
                    spec, start, end, ran(end - start, slowed), own.nextInt(8) / 7, 0, slowdown, 1, 1, 0, 0, 0, false));
            busy += (end - start) / 1e9;
        }
        return new RunResult(outcomes, List.of(), 64, busy, jobs * 2L, jobs * 3L, Long.toHexString(own.nextLong()));
    }
}
