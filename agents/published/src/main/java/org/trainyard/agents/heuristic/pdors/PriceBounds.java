package org.trainyard.agents.heuristic.pdors;

/**
 * The least and the largest price of a unit of any resource, from the jobs that were submitted so far.
 *
 * <p>Source: PD-ORS (2108.02917): the largest utility for a unit, of a job that runs as fast as it can; the least,
 * of one that completes last, over twice what it uses, all resources together.
 */
final class PriceBounds {
    /** Below it a price is as good as none, and above zero. */
    private static final double LEAST = 1e-9;

    private double least = Double.POSITIVE_INFINITY;
    private double most;

    /** Counts a job. */
    void add(ServerJob job, int lastSlot) {
        double fastest = Math.ceil(job.samples() / (job.samplesInside() * Math.max(1, job.mostWorkers())));
        double smallest = Double.POSITIVE_INFINITY;
        double all = 0;
        double workerSlots = Math.ceil(job.samples() / job.samplesAcross());
        for (int r = 0; r < job.workerDemand().length; r++) {
            double worker = job.workerDemand()[r];
            double server = job.serverDemand()[r];
            smallest = worker > 0 ? Math.min(smallest, worker) : smallest;
            smallest = server > 0 ? Math.min(smallest, server) : smallest;
            all += workerSlots * (worker + server);
        }
        most = Math.max(most, job.utility().applyAsDouble(Math.max(0, fastest - 1)) / smallest);
        least = Math.min(least, job.utility().applyAsDouble(lastSlot) / (2 * all));
    }

    ExponentialPrice price() {
        double low = Math.max(LEAST, least);
        return new ExponentialPrice(low, Math.max(low, most));
    }
}
