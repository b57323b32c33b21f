package org.trainyard.env.workload;

/**
 * A job of a {@link Workload#streamed streamed} workload with its true work. It has no utility, allows no frozen layers
 * and does not train on a graph, for what is kept about such jobs is not forgotten.
 *
 * @param iterations finite and above zero
 */
public record StreamedJob(JobSpec job, double iterations) {
    public StreamedJob {
        if (!(iterations > 0) || Double.isInfinite(iterations)) {
            throw new IllegalArgumentException(
                    "work (%s iterations) of job (%d) must be finite and above zero".formatted(iterations, job.id()));
        }
        if (job.of(JobValue.class) != null
                || job.model().of(FreezableModel.class) != null
                || !job.plan().isForgettable()) {
            throw new IllegalArgumentException(
                    "streamed job (%d) must have neither a utility nor frozen layers nor a graph to train on"
                            .formatted(job.id()));
        }
    }
}
