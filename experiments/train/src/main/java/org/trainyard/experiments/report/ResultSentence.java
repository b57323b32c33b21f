package org.trainyard.experiments.report;

import static org.trainyard.experiments.report.RankedSchedulers.change;
import static org.trainyard.experiments.report.RankedSchedulers.interval;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.trainyard.env.Counted;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.PairedComparison;
import org.trainyard.experiments.evaluation.SchedulerScore;
import org.trainyard.experiments.io.Durations;

/** The sentence with which an answer begins: the best scheduler and the next, or a trained policy and its rivals. */
public final class ResultSentence {
    private ResultSentence() {}

    /** The best of some schedulers and the next, with the conclusion of their comparison where there is one. */
    static String ofBest(RankedSchedulers ranked) {
        String metric = ranked.metric().words();
        SchedulerScore first = ranked.best();
        if (ranked.scores().size() < 2) {
            return alone(metric, first.name(), ranked.value(first));
        }
        SchedulerScore second = ranked.scores().get(1);
        boolean isCompared = (ranked.isReference(first) || ranked.isReference(second)) && ranked.isMeanJct();
        PairedComparison compared = isCompared
                ? ranked.evaluation().comparison((ranked.isReference(second) ? first : second).name())
                : null;
        return "Result: %s has the least %s, %s; %s follows with %s%s."
                .formatted(
                        first.name(),
                        metric,
                        ranked.value(first),
                        second.name(),
                        ranked.value(second),
                        compared == null ? "" : " (%s)".formatted(compared.conclusion()));
    }

    /** A trained policy against the reference, and the number of schedulers that it beats. */
    static String ofPolicy(String name, Evaluation evaluation) {
        List<PairedComparison> duels = evaluation.duels().stream()
                .filter(duel -> duel.name().equals(name))
                .toList();
        PairedComparison nearest = duels.stream()
                .filter(duel -> duel.reference().equals(evaluation.reference()))
                .findFirst()
                .orElse(duels.get(0));
        Map<String, Long> counts =
                duels.stream().collect(Collectors.groupingBy(PairedComparison::conclusion, Collectors.counting()));
        long worse = counts.getOrDefault("worse", 0L);
        return Counted.say(
                "Result: the mean JCT of %s is %s, %s against %s (%s: %s); of %d schedulers it is better than %d%s.",
                name,
                Durations.human(evaluation.score(name).jct().mean()),
                change(nearest.mean()),
                nearest.reference(),
                interval(nearest.interval()),
                nearest.conclusion(),
                duels.size(),
                counts.getOrDefault("better", 0L),
                worse == 0 ? "" : " and worse than %d".formatted(worse));
    }

    /**
     * The best of some schedulers on one trace and the next.
     *
     * @param names the best first
     * @param values of the metric in words
     * @param sure how sure it is, after the value of the next
     */
    public static String ofTrace(String metric, List<String> names, List<String> values, String sure) {
        return names.size() == 1
                ? alone(metric, names.get(0), values.get(0))
                : "Result: %s has the shortest %s, %s; %s has %s%s."
                        .formatted(names.get(0), metric, values.get(0), names.get(1), values.get(1), sure);
    }

    private static String alone(String metric, String name, String value) {
        return "Result: %s has a %s of %s.".formatted(name, metric, value);
    }
}
