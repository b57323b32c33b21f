package org.trainyard.experiments.papers.sjfbco;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.RunResult;

/**
 * A row of SJF-BCO's evaluation: one policy on all batches, and the paper's result for it.
 *
 * @param figure of the paper, or {@code -} for a setting that the paper does not have
 * @param setting the value that is varied
 * @param outcomes our results, one for each batch
 * @param paper the paper's result, read off its figures; null where it shows none
 */
public record SjfBcoRow(
        String figure,
        String setting,
        String policy,
        List<Outcome> outcomes,
        @Nullable Published paper) {
    /**
     * Completion times of one batch in seconds, which are slots.
     *
     * @param makespan completion of the last job
     * @param meanCompletion mean over jobs
     * @param firstCompletion completion of the first job
     */
    public record Outcome(double makespan, double meanCompletion, double firstCompletion) {
        static Outcome of(RunResult result) {
            long first = result.jobs().stream()
                    .mapToLong(job -> job.endNanos())
                    .min()
                    .orElse(0);
            return new Outcome(result.makespanSeconds(), result.meanJctSeconds(), first / 1e9);
        }
    }

    /**
     * The paper's results, slots.
     *
     * @param meanCompletion 0 where it shows none
     * @param firstCompletion 0 where it shows none
     */
    public record Published(double makespan, double meanCompletion, double firstCompletion) {
        static Published makespan(double slots) {
            return new Published(slots, 0, 0);
        }
    }

    public SjfBcoRow {
        outcomes = List.copyOf(outcomes);
    }

    /** Excess of the makespan over that of another row on the same batch, per cent, by batch. */
    public double[] percentOver(SjfBcoRow other) {
        double[] percent = new double[outcomes.size()];
        for (int i = 0; i < percent.length; i++) {
            double theirs = other.outcomes.get(i).makespan();
            percent[i] = 100 * (outcomes.get(i).makespan() - theirs) / theirs;
        }
        return percent;
    }
}
