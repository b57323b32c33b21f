package org.trainyard.experiments.simulation;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.linear.BoxedProgram;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.JobValue;
import org.trainyard.experiments.metrics.UtilityBound;

/**
 * An upper bound on the total utility of any schedule of an episode, which sees all jobs beforehand: the linear
 * relaxation over the times of their completions.
 *
 * <p>Time up to the last horizon has equal parts. A job that completes in a part has the utility of the part's start,
 * or of the earliest completion on all the workers it can use; up to the end of each part the jobs that have completed
 * cannot have used more GPU time than there was. Each job counts with the least GPU time of its work, on one server.
 * Known for utilities of time with a horizon, of jobs with parameter servers or a fixed number of GPUs.
 */
public final class LinearUtilityBound implements UtilityBound {
    private static final int PARTS = 80;
    /** Variables beyond which the programme takes seconds. */
    private static final int MOST_VARIABLES = 40_000;

    private static final double NANOS = 1e9;

    private record Item(double submitSeconds, double gpuSeconds, double fastestSeconds, JobValue value) {}

    @Override
    public @Nullable Double of(RunResult episode) {
        List<Item> items = new ArrayList<>();
        boolean isKnown = true;
        for (JobOutcome outcome : episode.jobs()) {
            isKnown &= add(items, outcome.job(), outcome.onGpus().undisturbedNanos() / NANOS, episode.gpus());
        }
        for (RunResult.RejectedJob rejected : episode.rejected()) {
            isKnown &= add(items, rejected.job(), rejected.idealSeconds(), episode.gpus());
        }
        return !isKnown || items.isEmpty() || items.size() * PARTS > MOST_VARIABLES
                ? null
                : bound(items, episode.gpus());
    }

    /** Whether the bound is known for the job. */
    private static boolean add(List<Item> items, JobSpec job, double idealSeconds, int gpus) {
        JobValue value = job.of(JobValue.class);
        Item item = value == null ? null : item(job, value, idealSeconds, gpus);
        if (item != null) {
            items.add(item);
        }
        return item != null || value == null;
    }

    private static @Nullable Item item(JobSpec job, JobValue value, double seconds, int gpus) {
        if (value.countsTraining() || Double.isInfinite(value.horizonSeconds())) {
            return null;
        }
        double gpuSeconds;
        if (job.plan().mostPerGpu() > 0) {
            gpuSeconds = seconds * job.idealIterationsPerSecond() / job.plan().mostPerGpu();
        } else if (job.demand().isElastic()) {
            return null;
        } else {
            gpuSeconds = seconds * Math.max(1, job.gpus());
        }
        int most = Math.max(1, Math.min(job.demand().maxGpus(), gpus));
        return new Item(job.submitNanos() / NANOS, gpuSeconds, gpuSeconds / most, value);
    }

    private static @Nullable Double bound(List<Item> items, int gpus) {
        double start = items.stream().mapToDouble(Item::submitSeconds).min().orElse(0);
        double end = items.stream()
                .mapToDouble(item -> item.submitSeconds() + item.value().horizonSeconds())
                .max()
                .orElse(0);
        double part = (end - start) / PARTS;
        int completions = items.size() * PARTS;
        // By item and part its completion, then by part the GPU time used by its end.
        double[] costs = new double[completions + PARTS];
        double[] upper = new double[costs.length];
        List<BoxedProgram.Row> rows = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            int[] columns = new int[PARTS];
            double[] ones = new double[PARTS];
            for (int p = 0; p < PARTS; p++) {
                Item item = items.get(i);
                double from = Math.max(start + p * part, item.submitSeconds() + item.fastestSeconds());
                boolean isPossible = from <= start + (p + 1) * part;
                columns[p] = i * PARTS + p;
                ones[p] = 1;
                upper[columns[p]] = isPossible ? 1 : 0;
                costs[columns[p]] = isPossible ? -item.value().of(from - item.submitSeconds(), 0) : 0;
            }
            rows.add(new BoxedProgram.Row(columns, ones, Double.NEGATIVE_INFINITY, 1));
        }
        for (int p = 0; p < PARTS; p++) {
            upper[completions + p] = gpus * (p + 1) * part;
            rows.add(used(items, p));
        }
        double[] values = BoxedProgram.minimise(costs, upper, rows);
        return values == null ? null : total(costs, values);
    }

    /**
     * Constraint on the GPU time used by the end of a part: that of the parts before, plus that of completions in it.
     */
    private static BoxedProgram.Row used(List<Item> items, int part) {
        int size = items.size();
        int before = part == 0 ? 0 : 1;
        int[] columns = new int[size + 1 + before];
        double[] coefficients = new double[columns.length];
        for (int i = 0; i < size; i++) {
            columns[i] = i * PARTS + part;
            coefficients[i] = items.get(i).gpuSeconds();
        }
        columns[size] = size * PARTS + part;
        coefficients[size] = -1;
        if (before == 1) {
            columns[size + 1] = size * PARTS + part - 1;
            coefficients[size + 1] = 1;
        }
        return new BoxedProgram.Row(columns, coefficients, 0, 0);
    }

    private static double total(double[] costs, double[] values) {
        double total = 0;
        for (int i = 0; i < values.length; i++) {
            total -= costs[i] * values[i];
        }
        return total;
    }
}
