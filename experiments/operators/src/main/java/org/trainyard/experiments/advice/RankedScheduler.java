package org.trainyard.experiments.advice;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.experiments.blocks.BlockBootstrap;
import org.trainyard.experiments.metrics.RankingMetric;

/**
 * One scheduler in a ranking.
 *
 * @param log under this scheduler
 * @param value of the metric, seconds; of a slowdown, a ratio
 * @param bounds of its 95 % interval, by a bootstrap over blocks of time; or null
 * @param isLevel whether its paired difference to the best is too small to call
 */
public record RankedScheduler(LogOutcome log, double value, BlockBootstrap.@Nullable Bounds bounds, boolean isLevel) {
    /** The schedulers, best first. */
    static List<RankedScheduler> of(List<LogOutcome> logs, RankingMetric metric, long seed) {
        List<double[]> values =
                logs.stream().map(log -> log.values(metric.ofJob())).toList();
        return BlockBootstrap.rank(values, metric, seed).stream()
                .map(ranked -> new RankedScheduler(
                        logs.get(ranked.index()), ranked.value(), ranked.bounds(), ranked.isLevel()))
                .toList();
    }

    public String name() {
        return log.name();
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
                .map(RankedScheduler::name)
                .toList();
    }

    /** A remark with who did the same, the trained policy first; empty when nobody did. */
    String also(List<RankedScheduler> ranking) {
        List<String> same = new ArrayList<>(alike(ranking));
        if (same.remove(Advice.LEARNED)) {
            same.add(0, Advice.LEARNED);
        }
        return same.isEmpty() ? "" : "  = " + Counted.some(same, 1);
    }

    /** The interval for people; empty without one. */
    String interval(RankingMetric metric) {
        return bounds == null ? "" : bounds.text(metric);
    }

    SchedulerTraits traits(ResourceManager manager) {
        return SchedulerTraits.of(name(), log.preemptions() > 0, manager);
    }
}
