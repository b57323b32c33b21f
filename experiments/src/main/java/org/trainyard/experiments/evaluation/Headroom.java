package org.trainyard.experiments.evaluation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.bounds.RelaxedBound;
import org.trainyard.experiments.metrics.Statistics;

/**
 * By how much the mean JCT of the same episodes could be lower: four estimates that use the future, and a lower bound.
 *
 * @param against the scheduler that the lines are compared with: the trained policy, or else the best heuristic
 * @param lines from the weakest estimate to the bound
 */
public record Headroom(String against, List<Line> lines) {
    /**
     * An estimate or bound.
     *
     * @param name in tables
     * @param meaning a clause that explains it
     * @param meanSeconds mean over episodes of the mean JCT
     * @param percent mean over episodes of the mean JCT in per cent of that of {@code against}
     * @param seconds mean JCT by episode
     */
    public record Line(String name, String meaning, double meanSeconds, double percent, List<Double> seconds) {
        public Line {
            seconds = List.copyOf(seconds);
        }

        private static Line of(String name, String meaning, double[] seconds, double[] against) {
            double percent = 0;
            for (int i = 0; i < seconds.length; i++) {
                percent += 100 * seconds[i] / against[i] / seconds.length;
            }
            List<Double> all = Arrays.stream(seconds).boxed().toList();
            return new Line(name, meaning, Statistics.mean(seconds), percent, all);
        }
    }

    public Headroom {
        lines = List.copyOf(lines);
    }

    /**
     * The lines of an evaluation.
     *
     * @param switched mean JCT of each episode under {@link SwitchingScheduler} of heuristics, seconds; null
     *     without heuristics
     * @param withPolicy the same of the heuristics and a trained policy, the mean over policies; null without one
     * @param estimates {@link org.trainyard.env.performance.bounds.PreemptiveEstimate} of each episode, seconds
     * @param bounds lower bound of each episode
     */
    public static Headroom of(
            Evaluation evaluation,
            double @Nullable [] switched,
            double @Nullable [] withPolicy,
            double[] estimates,
            List<RelaxedBound> bounds) {
        SchedulerRuns baseline = baseline(evaluation);
        SeedPool pool = evaluation.pool();
        double[] against = pool != null ? pool.meanJctSeconds() : baseline.meanJctSeconds();
        List<Line> lines = new ArrayList<>();
        double[] best = bestHeuristic(evaluation);
        if (best != null) {
            lines.add(Line.of(
                    "best heuristic",
                    "the heuristic with the least mean JCT in each episode, chosen in hindsight",
                    best,
                    against));
        }
        if (switched != null) {
            lines.add(Line.of(
                    "rollout",
                    "at eight moments of each episode the heuristic that does best from there takes over, chosen in hindsight",
                    switched,
                    against));
        }
        if (withPolicy != null) {
            lines.add(Line.of(
                    "rollout with policy",
                    "the same where the trained policy is one of those that take over",
                    withPolicy,
                    against));
        }
        lines.add(Line.of(
                "preSRPT",
                "gangs in order of least remaining work, preempted at no cost, never fragmented or slowed: an estimate, not a bound",
                estimates,
                against));
        double[] bound = bounds.stream().mapToDouble(RelaxedBound::seconds).toArray();
        requireBelow(evaluation, bound);
        lines.add(Line.of("lower bound", "no schedule has a lower mean JCT", bound, against));
        return new Headroom(pool != null ? pool.name() : baseline.name(), lines);
    }

    /** The trained policy, or else the best heuristic, or else the first scheduler. */
    private static SchedulerRuns baseline(Evaluation evaluation) {
        for (SchedulerRuns runs : evaluation.runs()) {
            if (runs.role() == SchedulerRuns.Role.LEARNED) {
                return runs;
            }
        }
        String reference = evaluation.reference();
        return reference == null ? evaluation.runs().get(0) : evaluation.runs(reference);
    }

    private static double @Nullable [] bestHeuristic(Evaluation evaluation) {
        double[] best = null;
        for (SchedulerRuns runs : evaluation.runs()) {
            if (runs.role() == SchedulerRuns.Role.HEURISTIC) {
                double[] one = runs.meanJctSeconds();
                best = best == null ? one : best;
                for (int i = 0; i < one.length; i++) {
                    best[i] = Math.min(best[i], one[i]);
                }
            }
        }
        return best;
    }

    /**
     * Fails when a schedule is below the bound, which would be a bug in one of the two; completions are rounded to
     * a nanosecond.
     */
    private static void requireBelow(Evaluation evaluation, double[] bound) {
        for (SchedulerRuns runs : evaluation.runs()) {
            double[] seconds = runs.meanJctSeconds();
            for (int i = 0; i < bound.length; i++) {
                if (seconds[i] < bound[i] * (1 - 1e-9) - 1e-9) {
                    throw new IllegalStateException(String.format(
                            Locale.ROOT,
                            "episode (%d) of %s has a mean JCT of (%s s), below the lower bound (%s s)",
                            i,
                            runs.name(),
                            seconds[i],
                            bound[i]));
                }
            }
        }
    }
}
