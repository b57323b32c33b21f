package org.trainyard.experiments.advice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.env.RandomStreams;
import org.trainyard.experiments.evaluation.Statistics;

/**
 * Ranks schedulers on one log with intervals by a bootstrap over blocks of time: jobs of one block share a queue, so whole blocks of successive
 * submissions are drawn, the same ones for all schedulers (H. R. Künsch: The jackknife and the bootstrap for general stationary observations, 1989).
 */
final class BlockBootstrap {
    private static final int BLOCKS = 20;
    private static final int RESAMPLES = 400;
    /** Jobs drawn for all resamples of one scheduler at most. */
    private static final long MOST_DRAWN = 40_000_000;
    /** Schedulers that get an interval: more cannot be told apart by a reader. */
    private static final int INTERVALS = 12;

    private BlockBootstrap() {}

    /** The schedulers, best first. */
    static List<RankedScheduler> rank(List<LogOutcome> logs, RankingMetric metric, long seed) {
        List<LogOutcome> sorted = new ArrayList<>(logs);
        sorted.sort(Comparator.comparingDouble(log -> value(log, metric)));
        int jobs = sorted.get(0).waitSeconds().length;
        int resamples = (int) Math.max(100, Math.min(RESAMPLES, MOST_DRAWN / Math.max(1, jobs)));
        int[][] draws = draws(resamples, Math.min(BLOCKS, jobs), seed);
        double[] best = resampled(sorted.get(0), metric, draws);
        List<RankedScheduler> ranked = new ArrayList<>();
        for (int i = 0; i < sorted.size(); i++) {
            LogOutcome log = sorted.get(i);
            double value = value(log, metric);
            if (i >= INTERVALS) {
                ranked.add(new RankedScheduler(log, value, Double.NaN, Double.NaN, false));
                continue;
            }
            double[] values = i == 0 ? best : resampled(log, metric, draws);
            double[] differences = new double[resamples];
            Arrays.setAll(differences, r -> values[r] - best[r]);
            boolean isLevel = i > 0 && percentile(differences, 0.025) <= 0;
            ranked.add(new RankedScheduler(log, value, percentile(values, 0.025), percentile(values, 0.975), isLevel));
        }
        return ranked;
    }

    private static double value(LogOutcome log, RankingMetric metric) {
        return metric.of(metric.times(log).clone());
    }

    private static double percentile(double[] values, double share) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return Statistics.percentile(sorted, share);
    }

    private static int[][] draws(int resamples, int blocks, long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "blocks of a log");
        int[][] draws = new int[resamples][blocks];
        for (int[] draw : draws) {
            Arrays.setAll(draw, i -> random.nextInt(blocks));
        }
        return draws;
    }

    private static double[] resampled(LogOutcome log, RankingMetric metric, int[][] draws) {
        double[] times = metric.times(log);
        double[] values = new double[draws.length];
        double[] sample = new double[0];
        for (int r = 0; r < draws.length; r++) {
            int blocks = draws[r].length;
            int size = 0;
            for (int block : draws[r]) {
                size += begin(block + 1, blocks, times.length) - begin(block, blocks, times.length);
            }
            sample = sample.length == size ? sample : new double[size];
            int at = 0;
            for (int block : draws[r]) {
                int from = begin(block, blocks, times.length);
                int length = begin(block + 1, blocks, times.length) - from;
                System.arraycopy(times, from, sample, at, length);
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
