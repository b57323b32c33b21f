package org.trainyard.experiments.papers.rltune;

import org.trainyard.env.simulation.SimView;

/** An order of waiting jobs that may depend on everything that the view shows at that instant. */
@FunctionalInterface
interface Priority {
    /**
     * The cost of a waiting job; the job with the least goes first, of equals the first that arrived.
     *
     * @param nodes as read at this instant
     * @param wanted GPUs that all visible jobs want
     */
    double of(SimView view, int job, FewestNodes nodes, int wanted);

    double AGE_SECONDS = 12 * 3600;
    double NANOS = 1e9;

    private static double waited(SimView view, int job) {
        return (view.nowNanos() - view.job(job).submitNanos()) / NANOS;
    }

    /** First come, first served. */
    static Priority fcfs() {
        return (view, job, nodes, wanted) -> job;
    }

    /** The shortest first. */
    static Priority sjf() {
        return (view, job, nodes, wanted) -> view.predictedSeconds(job);
    }

    /** F1 of D. Carastan-Santos and R. Y. de Camargo (SC 2017); submission counts from the start of the trace. */
    static Priority f1() {
        return (view, job, nodes, wanted) -> {
            double submitted = Math.max(1, view.job(job).submitNanos() / NANOS);
            return Math.log10(Math.max(1, view.predictedSeconds(job)))
                            * view.job(job).gpus()
                    + 870 * Math.log10(submitted);
        };
    }

    /** Slurm's by age and size, with equal weights. */
    static Priority multifactor() {
        return (view, job, nodes, wanted) ->
                view.job(job).gpus() / (double) FewestNodes.GPUS - Math.min(1, waited(view, job) / AGE_SECONDS);
    }

    /** A learned one; {@link #columns} with or without the run time that is told. */
    static Priority learned(double[] weights, boolean readsTime) {
        PriorityNetwork network =
                new PriorityNetwork(weights, readsTime ? PriorityNetwork.COLUMNS : PriorityNetwork.COLUMNS - 1);
        double[] columns = new double[PriorityNetwork.COLUMNS];
        return (view, job, nodes, wanted) -> {
            columns(view, job, nodes, wanted, columns);
            return network.cost(columns);
        };
    }

    /** RLTune's seven columns, and the run time that is told as an eighth. */
    private static void columns(SimView view, int job, FewestNodes nodes, int wanted, double[] columns) {
        int gpus = view.job(job).gpus();
        int free = view.cluster().free();
        int ways = nodes.ways(gpus);
        columns[0] = Math.min(1, waited(view, job) / AGE_SECONDS);
        columns[1] = Math.min(1, gpus / 8.0);
        columns[2] = Math.min(1, (double) gpus / Math.max(1, free) / FewestNodes.GPUS);
        columns[3] = Math.max(0, Math.min(1, (free - wanted + FewestNodes.GPUS) / (2.0 * FewestNodes.GPUS)));
        columns[4] = (double) nodes.partial() / FewestNodes.SERVERS;
        columns[5] = ways / 2.0;
        columns[6] = ways == 2 ? 1.5 : ways;
        columns[7] = Math.log10(Math.max(1, view.predictedSeconds(job))) / 6;
    }
}
