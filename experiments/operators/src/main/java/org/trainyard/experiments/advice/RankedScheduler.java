package org.trainyard.experiments.advice;

import java.util.ArrayList;
import java.util.List;
import org.trainyard.experiments.metrics.BlockBootstrap;
import org.trainyard.experiments.metrics.RankingMetric;

/**
 * One scheduler in a ranking.
 *
 * @param log under this scheduler
 * @param value of the metric, seconds; of a slowdown, a ratio
 * @param low lower end of its 95 % interval, by a bootstrap over blocks of time; NaN without one
 * @param high upper end
 * @param isLevel whether its paired difference to the best is too small to call
 */
public record RankedScheduler(LogOutcome log, double value, double low, double high, boolean isLevel) {
    /** The schedulers, best first. */
    static List<RankedScheduler> of(List<LogOutcome> logs, RankingMetric metric, long seed) {
        List<double[]> values =
                logs.stream().map(log -> log.values(metric.ofJob())).toList();
        return BlockBootstrap.rank(values, metric, seed).stream()
                .map(ranked -> of(logs.get(ranked.index()), ranked))
                .toList();
    }

    private static RankedScheduler of(LogOutcome log, BlockBootstrap.Ranked ranked) {
        BlockBootstrap.Bounds bounds = ranked.bounds();
        return new RankedScheduler(
                log,
                ranked.value(),
                bounds == null ? Double.NaN : bounds.low(),
                bounds == null ? Double.NaN : bounds.high(),
                ranked.isLevel());
    }

    /** A ranking without schedulers that did what one above them does. */
    static List<RankedScheduler> distinct(List<RankedScheduler> ranking) {
        List<RankedScheduler> distinct = new ArrayList<>();
        for (RankedScheduler one : ranking) {
            if (distinct.stream().noneMatch(other -> other.log.equalsIn(one.log))) {
                distinct.add(one);
            }
        }
        return distinct;
    }

    /** The names of the others of a ranking that did the same for every job, in its order. */
    List<String> alike(List<RankedScheduler> ranking) {
        return ranking.stream()
                .filter(other -> !other.equals(this) && other.log.equalsIn(log))
                .map(other -> other.log.name())
                .toList();
    }

    /** A remark with who did the same; empty when nobody did. */
    String also(List<RankedScheduler> ranking) {
        List<String> same = alike(ranking);
        return same.isEmpty()
                ? ""
                : "  = %s%s".formatted(same.get(0), same.size() == 1 ? "" : " and %d more".formatted(same.size() - 1));
    }

    /** The interval for people; empty without one. */
    String interval(RankingMetric metric) {
        return Double.isNaN(low) ? "" : "%s .. %s".formatted(metric.text(low), metric.text(high));
    }
}
