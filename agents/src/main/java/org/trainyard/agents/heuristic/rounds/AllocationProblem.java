package org.trainyard.agents.heuristic.rounds;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.adaptive.AdaptiveTrainingRun;

/**
 * The jobs among which a cluster's time is to be shared at one instant, in order of submission, and what their shares may depend on.
 *
 * <p>A job is followed by its {@link AdaptiveTrainingRun} where one is known, and else by predictions.
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
        AllocationProblem contest = new AllocationProblem(view, live.toIntArray());
        for (int i = 0; i < contest.size(); i++) {
            int job = contest.job(i);
            AdaptiveTrainingRun run = runs.of(view, job);
            double rate = view.job(job).idealIterationsPerSecond();
            double after = runs.seconds(view, job);
            contest.stepsPerSecond[i] = run == null ? rate : run.stepsPerSecond(after);
            contest.stepsLeft[i] = run == null ? rate * view.predictedRemainingSeconds(job) : run.stepsLeft(after);
        }
        return contest;
    }

    int size() {
        return jobs.length;
    }

    /** The id of the i-th. */
    int job(int i) {
        return jobs[i];
    }

    int gpus(int i) {
        return view.job(jobs[i]).gpus();
    }

    /** GPUs of the cluster. */
    int clusterGpus() {
        return view.topology().gpus();
    }

    /** How fast it is at the batch size of now, whenever it runs. */
    double stepsPerSecond(int i) {
        return stepsPerSecond[i];
    }

    /** Steps left at the batch size of now, above zero. */
    double stepsLeft(int i) {
        return stepsLeft[i];
    }

    /** Run time left, seconds, if the batch size stays. */
    double secondsLeft(int i) {
        return stepsLeft[i] / stepsPerSecond[i];
    }

    /** Time since submission, seconds. */
    double ageSeconds(int i) {
        return (view.nowNanos() - view.job(jobs[i]).submitNanos()) / 1e9;
    }
}
