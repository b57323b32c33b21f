package org.trainyard.experiments.papers.sjfbco;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.RunResult;

/**
 * A row of SJF-BCO's evaluation: what one policy made of all batches, and what the paper shows for it.
 *
 * @param figure the paper's, or {@code -} for what it does not have
 * @param setting what is varied
 * @param policy who decides
 * @param outcomes ours, one for each batch
 * @param paper the paper's, read off its figures; null where it shows none
 */
public record SjfBcoRow(
        String figure,
        String setting,
        String policy,
        List<Outcome> outcomes,
        @Nullable Published paper) {
    /**
     * How one batch went, seconds, which are slots.
     *
     * @param makespan when the last job was done
     * @param meanCompletion of all jobs
     * @param firstCompletion of the first job done
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
     * The paper's numbers, slots.
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

    /** Of all batches, seconds. */
    public double meanMakespan() {
        return outcomes.stream().mapToDouble(Outcome::makespan).average().orElse(Double.NaN);
    }

    /** The means of all batches' mean completions, seconds. */
    public double meanCompletion() {
        return outcomes.stream().mapToDouble(Outcome::meanCompletion).average().orElse(Double.NaN);
    }

    /** The mean of all batches' first completions, seconds. */
    public double firstCompletion() {
        return outcomes.stream().mapToDouble(Outcome::firstCompletion).average().orElse(Double.NaN);
    }

    /** By how much its makespans exceed those of another row on the same batches, percent of the other's, each batch alike. */
    public double[] percentOver(SjfBcoRow other) {
        double[] percent = new double[outcomes.size()];
        for (int i = 0; i < percent.length; i++) {
            double theirs = other.outcomes.get(i).makespan();
            percent[i] = 100 * (outcomes.get(i).makespan() - theirs) / theirs;
        }
        return percent;
    }
}
