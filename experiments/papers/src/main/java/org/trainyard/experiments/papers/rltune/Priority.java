package org.trainyard.experiments.papers.rltune;

import org.trainyard.env.simulation.SimView;

/** An order of waiting jobs that may depend on everything that the view shows at that instant. */
@FunctionalInterface
interface Priority {
    /** The cost of a waiting job; the job with the least goes first, of equals the first that arrived. */
    double of(SimView view, int job);

    double AGE_SECONDS = 12 * 3600;
    double NANOS = 1e9;

    private static double waited(SimView view, int job) {
        return (view.nowNanos() - view.job(job).submitNanos()) / NANOS;
    }

    /** First come, first served. */
    static Priority fcfs() {
        return (view, job) -> job;
    }

    /** The shortest first. */
    static Priority sjf() {
        return (view, job) -> view.predictedSeconds(job);
    }

    /** F1 of D. Carastan-Santos and R. Y. de Camargo (SC 2017); submission counts from the start of the trace. */
    static Priority f1() {
        return (view, job) -> {
            double submitted = Math.max(1, view.job(job).submitNanos() / NANOS);
            return Math.log10(Math.max(1, view.predictedSeconds(job)))
                            * view.job(job).gpus()
                    + 870 * Math.log10(submitted);
        };
    }

    /** Slurm's by age and size, with equal weights. */
    static Priority multifactor() {
        return (view, job) ->
                view.job(job).gpus() / (double) FewestNodes.GPUS - Math.min(1, waited(view, job) / AGE_SECONDS);
    }
}
