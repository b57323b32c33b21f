package org.trainyard.env.gym.domain;

/**
 * Summary of a domain that its agent tells the others.
 *
 * @param gpus all GPUs of the domain
 * @param empty servers without a job, over all servers
 * @param hole greatest share of a server's GPUs that is free
 * @param widest GPUs of a gang that certainly fits: all of the empty servers, or the most that are free on one
 * @param speed relative speed of the fastest GPUs that are free, 1 for the fastest of the data centre; 0 when none is
 *     free
 * @param fastest relative speed of the fastest GPUs, free or not
 * @param waitingGpus GPUs that they demand
 */
public record DomainSummary(
        int gpus,
        int free,
        double empty,
        double hole,
        int widest,
        double speed,
        double fastest,
        int waiting,
        int waitingGpus,
        int running) {
    /** GPUs that waiting jobs demand, over all GPUs. */
    public double load() {
        return (double) waitingGpus / gpus;
    }
}
