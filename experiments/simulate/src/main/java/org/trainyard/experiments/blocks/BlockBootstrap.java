package org.trainyard.experiments.blocks;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.RandomStreams;
import org.trainyard.experiments.io.CellFormat;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.metrics.Statistics;

/**
 * Ranks schedulers on the same jobs with intervals by a bootstrap over blocks of time: jobs of one block share a queue,
 * so whole blocks of successive submissions are drawn, the same ones for all schedulers (H. R. Künsch: The jackknife
 * and the bootstrap for general stationary observations, 1989).
 */
public final class BlockBootstrap {
    /** Blocks of equally many successive submissions. */
    public static final int BLOCKS = 20;
    /** Schedulers that get an interval: more cannot be told apart by a reader. */
    public static final int INTERVALS = 12;

    private static final int RESAMPLES = 400;
    /** Jobs drawn for all resamples of one scheduler at most. */
    private static final long MOST_DRAWN = 40_000_000;

    private BlockBootstrap() {}

    /** The ends of a 95 % interval. */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    public record Bounds(double low, double high) {
        /** For people, such as {@code 20 s .. 3 min 5 s}. */
        public String text(CellFormat format) {
            return format.text(low) + " .. " + format.text(high);
        }

        /** Bounds of the values with the other sign. */
        public Bounds negated() {
            return new Bounds(-high, -low);
        }

        /** Whether it lies on one side of zero. */
        public boolean isClear() {
            return low > 0 || high < 0;
        }

        private static Bounds of(double[] resampled) {
            double[] sorted = resampled.clone();
            Arrays.sort(sorted);
            return new Bounds(Statistics.percentile(sorted, 0.025), Statistics.percentile(sorted, 0.975));
        }
    }

    /**
     * One scheduler in a ranking.
     *
     * @param index of the scheduler in the list given
     * @param bounds of the value; null beyond the first {@value #INTERVALS}
     * @param fromBest the paired difference to the best; null where there are no bounds, and for the best itself
     */
    public record Ranked(
            @JsonIgnore int index,
            double value,
            @JsonProperty("interval") @Nullable Bounds bounds,
            @Nullable Bounds fromBest) {
        public boolean isBest() {
            return bounds != null && fromBest == null;
        }

        /** Whether the difference to the best is too small to call. */
        @JsonProperty("too_close_to_call")
        public boolean isLevel() {
            return fromBest != null && fromBest.low <= 0;
        }
    }

    /**
     * The schedulers, best first; the mean decides between equal ones.
     *
     * @param values by scheduler and job, in order of submission
     */
    public static List<Ranked> rank(List<double[]> values, RankingMetric metric, long seed) {
        double[] whole =
                values.stream().mapToDouble(one -> metric.of(one.clone())).toArray();
        List<Integer> order = IntStream.range(0, whole.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer i) -> whole[i])
                        .thenComparingDouble(i -> Statistics.mean(values.get(i))))
                .toList();
        int[][] draws = draws(values.get(0).length, seed);
        double[] best = resampled(values.get(order.get(0)), metric, draws);
        List<Ranked> ranked = new ArrayList<>();
        for (int index : order) {
            int rank = ranked.size();
            if (rank >= INTERVALS) {
                ranked.add(new Ranked(index, whole[index], null, null));
                continue;
            }
            double[] one = rank == 0 ? best : resampled(values.get(index), metric, draws);
            double[] differences = new double[one.length];
            Arrays.setAll(differences, r -> one[r] - best[r]);
            ranked.add(new Ranked(index, whole[index], Bounds.of(one), rank == 0 ? null : Bounds.of(differences)));
        }
        return ranked;
    }

    /** The interval of one scheduler, by the draws of {@link #rank}. */
    public static Bounds bounds(double[] values, RankingMetric metric, long seed) {
        return Bounds.of(resampled(values, metric, draws(values.length, seed)));
    }

    /**
     * The interval of what is saved in a metric from one scheduler to another on the same jobs, by the draws of
     * {@link #rank}.
     */
    public static Bounds saved(double[] before, double[] after, RankingMetric metric, long seed) {
        int[][] draws = draws(before.length, seed);
        double[] was = resampled(before, metric, draws);
        double[] is = resampled(after, metric, draws);
        Arrays.setAll(was, r -> was[r] - is[r]);
        return Bounds.of(was);
    }

    private static int[][] draws(int jobs, long seed) {
        int resamples = (int) Math.max(100, Math.min(RESAMPLES, MOST_DRAWN / Math.max(1, jobs)));
        int blocks = Math.min(BLOCKS, jobs);
        RandomGenerator random = RandomStreams.stream(seed, "blocks of a log");
        int[][] draws = new int[resamples][blocks];
        for (int[] draw : draws) {
            Arrays.setAll(draw, i -> random.nextInt(blocks));
        }
        return draws;
    }

    private static double[] resampled(double[] of, RankingMetric metric, int[][] draws) {
        double[] values = new double[draws.length];
        double[] sample = new double[0];
        for (int r = 0; r < draws.length; r++) {
            int blocks = draws[r].length;
            int size = 0;
            for (int block : draws[r]) {
                size += begin(block + 1, blocks, of.length) - begin(block, blocks, of.length);
            }
            sample = sample.length == size ? sample : new double[size];
            int at = 0;
            for (int block : draws[r]) {
                int from = begin(block, blocks, of.length);
                int length = begin(block + 1, blocks, of.length) - from;
                System.arraycopy(of, from, sample, at, length);
                at += length;
            }
            values[r] = metric.of(sample);
        }
        return values;
    }

    /** The first job of a block. */
    private static int begin(int block, int blocks, int jobs) {
        return (int) ((long) block * jobs / blocks);
    }
}
