package org.trainyard.agents.heuristic.slurm.configuration;

import java.util.List;
import java.util.Set;
import org.trainyard.env.workload.trace.slurm.DelimitedTable;
import org.trainyard.env.workload.trace.slurm.Tres;

/**
 * The most of each resource that jobs may hold at once; -1 for no limit.
 *
 * @param jobs running jobs
 */
public record TresLimits(int gpus, int cpus, int nodes, int jobs) {
    private static final Set<String> COUNTED = Set.of(Tres.GPU, "cpu", "node");

    public static final TresLimits NONE = new TresLimits(-1, -1, -1, -1);

    /** The limits in a row, by the columns of resources and of jobs; memory and types of GPUs are not modelled. */
    static TresLimits of(DelimitedTable table, int row, String resources, String jobs) {
        Tres tres = Tres.of(table.place(row, resources), table.text(row, resources));
        return new TresLimits(
                tres.count(Tres.GPU), tres.count("cpu"), tres.count("node"), (int) table.number(row, jobs, -1));
    }

    /** The names of a cell that are not counted: memory, types of GPUs, licences. */
    static List<String> uncounted(DelimitedTable table, int row, String resources) {
        return Tres.of(table.place(row, resources), table.text(row, resources)).counts().keySet().stream()
                .filter(name -> !COUNTED.contains(name))
                .toList();
    }

    /** Whether so much, held together with a job's, stays within the limits. */
    public boolean allow(Held held, int jobGpus, int jobCpus, int jobNodes) {
        return within(gpus, held.gpus + jobGpus)
                && within(cpus, held.cpus + jobCpus)
                && within(nodes, held.nodes + jobNodes)
                && within(jobs, held.jobs + 1);
    }

    /** Whether jobs that hold so much may be one more. */
    boolean allowsAnother(Held held) {
        return within(jobs, held.jobs + 1);
    }

    /** Returns these limits, and those of another one where these set none. */
    public TresLimits or(TresLimits other) {
        return new TresLimits(
                gpus < 0 ? other.gpus : gpus,
                cpus < 0 ? other.cpus : cpus,
                nodes < 0 ? other.nodes : nodes,
                jobs < 0 ? other.jobs : jobs);
    }

    /** The limits that another one leaves to these: those that it does not set itself. */
    public TresLimits unless(TresLimits first) {
        return first.equals(NONE)
                ? this
                : new TresLimits(
                        first.gpus < 0 ? gpus : -1,
                        first.cpus < 0 ? cpus : -1,
                        first.nodes < 0 ? nodes : -1,
                        first.jobs < 0 ? jobs : -1);
    }

    /** Resources that running jobs hold. */
    public static final class Held {
        /** The resources of no job. */
        public static final Held NOTHING = new Held();

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
