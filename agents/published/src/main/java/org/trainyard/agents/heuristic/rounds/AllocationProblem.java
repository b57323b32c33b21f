package org.trainyard.agents.heuristic.rounds;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.adaptive.AdaptiveTrainingRun;

/**
 * An allocation problem: the jobs that share the cluster at one instant, in order of submission, with the inputs of
 * {@link AllocationPolicy}.
 *
 * <p>A job with a known {@link AdaptiveTrainingRun} is modelled by that run, other jobs by predictions.
 */
final class AllocationProblem {
    private final SimView view;
    private final int[] jobs;
    private final double[] stepsPerSecond;
    private final double[] stepsLeft;

    private AllocationProblem(SimView view, int[] jobs) {
        this.view = view;
        this.jobs = jobs;
        stepsPerSecond = new double[jobs.length];
        stepsLeft = new double[jobs.length];
    }

    static AllocationProblem of(SimView view, IntArrayList live, AdaptiveTrainingRuns runs) {
        AllocationProblem problem = new AllocationProblem(view, live.toIntArray());
        for (int i = 0; i < problem.size(); i++) {
            int job = problem.job(i);
            AdaptiveTrainingRun run = runs.of(view, job);
            double rate = view.job(job).idealIterationsPerSecond();
            double after = runs.seconds(view, job);
            problem.stepsPerSecond[i] = run == null ? rate : run.stepsPerSecond(after);
            problem.stepsLeft[i] = run == null ? rate * view.predictedRemainingSeconds(job) : run.stepsLeft(after);
        }
        return problem;
    }

    int size() {
        return jobs.length;
    }

    /** The id of the i-th job. */
    int job(int i) {
        return jobs[i];
    }

    int gpus(int i) {
        return view.job(jobs[i]).gpus();
    }

    int clusterGpus() {
        return view.topology().gpus();
    }

    /** Throughput of the i-th job at its present batch size, while it runs. */
    double stepsPerSecond(int i) {
        return stepsPerSecond[i];
    }

    /** Remaining steps at the present batch size, above zero. */
    double stepsLeft(int i) {
        return stepsLeft[i];
    }

    /** Remaining run time at the present batch size, seconds. */
    double secondsLeft(int i) {
        return stepsLeft[i] / stepsPerSecond[i];
    }

    /** Time since submission, seconds. */
    double ageSeconds(int i) {
        return (view.nowNanos() - view.job(jobs[i]).submitNanos()) / 1e9;
    }
}
