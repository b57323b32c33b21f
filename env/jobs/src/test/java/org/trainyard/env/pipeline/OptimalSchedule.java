package org.trainyard.env.pipeline;

import java.util.ArrayList;
import java.util.List;

/** The shortest makespan of a small pipeline, by trying all sequences of passes on all resources. */
public final class OptimalSchedule {
    private OptimalSchedule() {}

    public static double makespan(double[] forward, double[] backward, int microBatches) {
        List<boolean[]> sequences = new ArrayList<>();
        extend(new boolean[2 * microBatches], 0, 0, microBatches, sequences);
        return best(forward, backward, microBatches, sequences, new boolean[forward.length][], 0);
    }

    private static double best(
            double[] forward, double[] backward, int microBatches, List<boolean[]> all, boolean[][] chosen, int r) {
        if (r == forward.length) {
            try {
                return PipelineSchedule.of(forward, backward, microBatches, chosen, false)
                        .makespan();
            } catch (IllegalArgumentException waitForEachOther) {
                return Double.POSITIVE_INFINITY;
            }
        }
        double least = Double.POSITIVE_INFINITY;
        for (boolean[] sequence : all) {
            chosen[r] = sequence;
            least = Math.min(least, best(forward, backward, microBatches, all, chosen, r + 1));
        }
        return least;
    }

    /** No prefix has more backward than forward passes. */
    private static void extend(boolean[] sequence, int at, int forwards, int microBatches, List<boolean[]> all) {
        if (at == sequence.length) {
            all.add(sequence.clone());
            return;
        }
        if (forwards < microBatches) {
            sequence[at] = true;
            extend(sequence, at + 1, forwards + 1, microBatches, all);
        }
        if (at - forwards < forwards) {
            sequence[at] = false;
            extend(sequence, at + 1, forwards, microBatches, all);
        }
    }
}
