package org.trainyard.env.workload;

import java.util.List;

/**
 * The jobs of one episode in order of submission, and their true work, which only the simulator asks for.
 *
 * <p>Equal submission times keep the order given.
 */
public final class Workload {
    private final JobSpec[] jobs;
    private final double[] iterations;

    /**
     * @param jobs sorted by submission, {@code jobs.get(i).id() == i}
     * @param iterations true work of each, finite and above zero
     */
    public Workload(List<JobSpec> jobs, double[] iterations) {
        if (jobs.size() != iterations.length) {
            throw new IllegalArgumentException(
                    "%d jobs but %d amounts of work".formatted(jobs.size(), iterations.length));
        }
        this.jobs = jobs.toArray(JobSpec[]::new);
        this.iterations = iterations.clone();
        for (int i = 0; i < this.jobs.length; i++) {
            if (this.jobs[i].id() != i) {
                throw new IllegalArgumentException("job at (%d) has id (%d)".formatted(i, this.jobs[i].id()));
            }
            if (i > 0 && this.jobs[i].submitNanos() < this.jobs[i - 1].submitNanos()) {
                throw new IllegalArgumentException("job (%d) is submitted before the one ahead of it".formatted(i));
            }
            if (!(this.iterations[i] > 0) || Double.isInfinite(this.iterations[i])) {
                throw new IllegalArgumentException(
                        "work (%s iterations) of job (%d) must be finite and above zero".formatted(iterations[i], i));
            }
        }
    }

    public int size() {
        return jobs.length;
    }

    public JobSpec job(int job) {
        return jobs[job];
    }

    /** The job's true work. A secret: for the simulator and for those who check it. */
    public double trueIterations(int job) {
        return iterations[job];
    }

    /** The job's true run time alone on its best placement, seconds. As secret as {@link #trueIterations}. */
    public double trueIdealSeconds(int job) {
        return iterations[job] / jobs[job].idealIterationsPerSecond();
    }
}
