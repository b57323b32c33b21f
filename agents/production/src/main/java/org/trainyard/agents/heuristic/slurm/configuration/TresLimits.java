package org.trainyard.agents.heuristic.slurm.configuration;

import org.trainyard.env.workload.trace.slurm.DelimitedTable;
import org.trainyard.env.workload.trace.slurm.Tres;

/**
 * The most of each resource that jobs may hold at once; -1 for no limit.
 *
 * @param jobs running jobs
 */
public record TresLimits(int gpus, int cpus, int nodes, int jobs) {
    public static final TresLimits NONE = new TresLimits(-1, -1, -1, -1);

    /** Those of a row of a table, by the columns of resources and of jobs; memory and types of GPUs are not modelled. */
    static TresLimits of(DelimitedTable table, int row, String resources, String jobs) {
        Tres tres = Tres.of(table.place(row, resources), table.text(row, resources));
        return new TresLimits(
                tres.count(Tres.GPU), tres.count("cpu"), tres.count("node"), (int) table.number(row, jobs, -1));
    }

    /** Whether so much, held together with a job's, stays within the limits. */
    public boolean allow(Held held, int jobGpus, int jobCpus, int jobNodes) {
        return equals(NONE)
                || (within(gpus, held.gpus + jobGpus)
                        && within(cpus, held.cpus + jobCpus)
                        && within(nodes, held.nodes + jobNodes)
                        && within(jobs, held.jobs + 1));
    }

    /** What running jobs hold. */
    public static final class Held {
        private int gpus;
        private int cpus;
        private int nodes;
        private int jobs;

        /** Counts a job that starts (+1) or ends (-1). */
        public void add(int sign, int jobGpus, int jobCpus, int jobNodes) {
            gpus += sign * jobGpus;
            cpus += sign * jobCpus;
            nodes += sign * jobNodes;
            jobs += sign;
        }
    }

    private static boolean within(int limit, int wanted) {
        return limit < 0 || wanted <= limit;
    }
}
