package org.trainyard.agents.heuristic.rounds;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Gavel's max-min fairness over GPU types: the parts of time on each type that maximise the least effective throughput
 * of a job, relative to that on an equal share of every type.
 *
 * <p>The linear programme: with {@code X} the parts of time by job and type, {@code T} the throughput matrix and
 * {@code s} the GPUs of a job, maximise the least {@code s sum(T X) / sum(T equal)}, where parts of a job add up to at
 * most one, and {@code s X} of a type to at most its GPUs. An equal share is the GPUs of the type over the number of
 * jobs, all scaled down when they add up to more than one. So of two jobs at the same level, one on twice the GPUs gets
 * half the time.
 *
 * <p>Source: D. Narayanan, K. Santhanam, F. Kazhamiaka, A. Phanishayee, M. Zaharia: Heterogeneity-aware cluster
 * scheduling policies for deep learning workloads, OSDI 2020, section 4.1, and its implementation. Our deviations: (1)
 * all weights are one; (2) of equally fair parts those with the largest sum of throughputs, there the ones in which an
 * interior-point solver ends; (3) equal jobs get equal parts, so that the programme has a row for each kind of job
 * only.
 */
final class EffectiveThroughput {
    /** Weight of the sum of throughputs against the least of them. */
    private static final double SUM_WEIGHT = 1e-6;

    /**
     * A job of the programme.
     *
     * @param gpus its GPUs, at least 1
     * @param rates iterations per second on each type; zero where it cannot run, above zero on at least one
     */
    record Row(int gpus, List<Double> rates) {
        Row {
            if (gpus < 1 || rates.stream().noneMatch(rate -> rate > 0)) {
                throw new IllegalArgumentException(
                        "GPUs (%d) and a rate of %s must be above zero".formatted(gpus, rates));
            }
            rates = List.copyOf(rates);
        }
    }

    private EffectiveThroughput() {}

    /** The parts of time by job and type. */
    static double[][] maxMin(List<Row> jobs, double[] gpusOfType) {
        Map<Row, Integer> counts = new LinkedHashMap<>();
        jobs.forEach(job -> counts.merge(job, 1, Integer::sum));
        List<Row> kinds = new ArrayList<>(counts.keySet());
        double[] values = solve(kinds, counts, jobs.size(), gpusOfType);
        double[][] parts = new double[jobs.size()][];
        for (int i = 0; i < parts.length; i++) {
            int from = 1 + kinds.indexOf(jobs.get(i)) * gpusOfType.length;
            parts[i] = Arrays.copyOfRange(values, from, from + gpusOfType.length);
        }
        return parts;
    }

    /** The throughput of each type's full time, relative to an equal share, of a job among so many. */
    static double[] worth(Row job, int jobs, double[] gpusOfType) {
        double all = Arrays.stream(gpusOfType).sum() / jobs;
        double equal = 0;
        for (int type = 0; type < gpusOfType.length; type++) {
            equal += job.rates().get(type) * gpusOfType[type] / jobs / Math.max(1, all);
        }
        double[] worth = new double[gpusOfType.length];
        for (int type = 0; type < worth.length; type++) {
            worth[type] = job.gpus() * job.rates().get(type) / equal;
        }
        return worth;
    }

    /** The least throughput, then the parts of each kind of job on each type. */
    private static double[] solve(List<Row> kinds, Map<Row, Integer> counts, int jobs, double[] gpusOfType) {
        int types = gpusOfType.length;
        int size = kinds.size();
        double[] objective = new double[1 + size * types];
        double[][] constraints = new double[2 * size + types][objective.length];
        double[] bounds = new double[constraints.length];
        objective[0] = 1;
        for (int kind = 0; kind < size; kind++) {
            double[] worth = worth(kinds.get(kind), jobs, gpusOfType);
            int many = counts.getOrDefault(kinds.get(kind), 0);
            constraints[kind][0] = 1;
            bounds[size + kind] = 1;
            for (int type = 0; type < types; type++) {
                int variable = 1 + kind * types + type;
                boolean canRun = worth[type] > 0;
                objective[variable] = canRun ? SUM_WEIGHT * many * worth[type] / jobs : -1;
                constraints[kind][variable] = -worth[type];
                constraints[size + kind][variable] = 1;
                constraints[2 * size + type][variable] =
                        (double) many * kinds.get(kind).gpus();
            }
        }
        System.arraycopy(gpusOfType, 0, bounds, 2 * size, types);
        return LinearProgram.maximise(objective, constraints, bounds);
    }
}
