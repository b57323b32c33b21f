package org.trainyard.agents.heuristic.slurm.configuration;

import org.trainyard.env.InputException;

/**
 * The most of each resource that jobs may hold at once; -1 for no limit.
 *
 * @param jobs running jobs
 */
public record TresLimits(int gpus, int cpus, int nodes, int jobs) {
    public static final TresLimits NONE = new TresLimits(-1, -1, -1, -1);

    static TresLimits parse(String place, String tres, int jobs) {
        int gpus = -1;
        int cpus = -1;
        int nodes = -1;
        for (String part : tres.split(",", -1)) {
            if (part.isBlank()) {
                continue;
            }
            String[] pair = part.split("=", 2);
            if (pair.length < 2 || !pair[1].matches("\\d{1,9}[KMGT]?")) {
                throw InputException.at(place, part, "TRES=number, such as gres/gpu=8");
            }
            String digits = pair[1].replaceAll("\\D", "");
            switch (pair[0]) {
                case "gres/gpu" -> gpus = Integer.parseInt(digits);
                case "cpu" -> cpus = Integer.parseInt(digits);
                case "node" -> nodes = Integer.parseInt(digits);
                default -> {
                    // memory and typed GPUs are not modelled
                }
            }
        }
        return gpus < 0 && cpus < 0 && nodes < 0 && jobs < 0 ? NONE : new TresLimits(gpus, cpus, nodes, jobs);
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
