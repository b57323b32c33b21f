package org.trainyard.experiments.report;

import static org.trainyard.experiments.io.TextTable.number;
import static org.trainyard.experiments.io.TextTable.shortened;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.ExperimentEvaluation;
import org.trainyard.experiments.evaluation.PairedComparison;
import org.trainyard.experiments.evaluation.SchedulerScore;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.TextTable;
import org.trainyard.experiments.metrics.RankingMetric;

/** The result of an evaluation as a sentence and one table of at most 100 columns. */
final class VerdictTable {
    private static final int NAME_WIDTH = 26;

    private final Evaluation evaluation;
    private final RankingMetric metric;

    /** The trained policy that is compared with every scheduler, or null without one. */
    private final @Nullable String policy;

    VerdictTable(Evaluation evaluation, RankingMetric metric) {
        this.evaluation = evaluation;
        this.metric = metric;
        policy = evaluation.duels().isEmpty() ? null : evaluation.duels().get(0).name();
    }

    /** Each line ended by a newline. */
    String render() {
        StringBuilder text = new StringBuilder(ConsoleTable.wrapped(sentence()));
        if (policy != null && evaluation.pool() == null) {
            evaluation.duels().stream()
                    .map(PairedComparison::name)
                    .distinct()
                    .filter(name -> !name.equals(policy))
                    .forEach(name -> text.append(ConsoleTable.wrapped(ofPolicy(name))));
        }
        text.append("\n").append(table().render());
        if (policy != null) {
            boolean isHeading = policy.equals(ExperimentEvaluation.LEARNED);
            text.append("Column %s: %s against that of the row's scheduler.\n"
                    .formatted(
                            ExperimentEvaluation.LEARNED,
                            isHeading ? "its mean JCT" : "the mean JCT of %s".formatted(shortened(policy, 40))));
        }
        return text.toString();
    }

    private String sentence() {
        List<SchedulerScore> ranked = evaluation.ranking(metric);
        SchedulerScore first = ranked.get(0);
        if (policy != null) {
            return ofPolicy(policy);
        }
        if (ranked.size() < 2) {
            return "Result: %s has a %s of %s.".formatted(first.name(), metric.words(), value(first));
        }
        SchedulerScore second = ranked.get(1);
        PairedComparison compared =
                evaluation.comparison(second.name().equals(evaluation.reference()) ? first.name() : second.name());
        boolean isOfBoth = List.of(first.name(), second.name()).contains(String.valueOf(evaluation.reference()));
        String sure = compared != null && isOfBoth && metric == RankingMetric.MEAN_JCT
                ? " (%s)".formatted(compared.conclusion())
                : "";
        return "Result: %s has the least %s, %s; %s follows with %s%s."
                .formatted(first.name(), metric.words(), value(first), second.name(), value(second), sure);
    }

    private String ofPolicy(String name) {
        List<PairedComparison> duels = evaluation.duels().stream()
                .filter(duel -> duel.name().equals(name))
                .toList();
        PairedComparison nearest = duels.stream()
                .filter(duel -> duel.reference().equals(evaluation.reference()))
                .findFirst()
                .orElse(duels.get(0));
        long better = duels.stream()
                .filter(duel -> duel.conclusion().equals("better"))
                .count();
        long worse =
                duels.stream().filter(duel -> duel.conclusion().equals("worse")).count();
        return "Result: the mean JCT of %s is %s, %s against %s (%s: %s); of %d schedulers it is better than %d%s."
                .formatted(
                        name,
                        Durations.human(score(name).jct().mean()),
                        number("%+.1f %%", nearest.mean()),
                        nearest.reference(),
                        ConsoleTable.interval(nearest.interval()),
                        nearest.conclusion(),
                        duels.size(),
                        better,
                        worse == 0 ? "" : " and worse than %d".formatted(worse));
    }

    private TextTable table() {
        List<String> header = new ArrayList<>(List.of("scheduler", metric.words()));
        boolean isMeanJct = metric == RankingMetric.MEAN_JCT;
        header.addAll(isMeanJct ? List.of("p95 JCT") : List.of("mean JCT"));
        header.addAll(
                policy == null
                        ? List.of("vs best *", "95 % interval", "")
                        : List.of(ExperimentEvaluation.LEARNED, "95 % interval", ""));
        TextTable table = new TextTable(header.toArray(String[]::new));
        for (SchedulerScore score : evaluation.ranking(metric)) {
            PairedComparison compared = policy == null ? evaluation.comparison(score.name()) : duel(score.name());
            boolean isReference = score.name().equals(evaluation.reference());
            table.add(
                    shortened(score.name(), NAME_WIDTH - 2) + (isReference ? " *" : ""),
                    value(score),
                    Durations.human(isMeanJct ? score.jct().p95() : score.jct().mean()),
                    compared == null ? "" : number("%+.1f %%", compared.mean()),
                    compared == null ? "" : ConsoleTable.interval(compared.interval()),
                    compared == null ? "" : compared.conclusion());
        }
        return table;
    }

    private @Nullable PairedComparison duel(String rival) {
        return evaluation.duels().stream()
                .filter(duel -> duel.name().equals(policy) && duel.reference().equals(rival))
                .findFirst()
                .orElse(null);
    }

    private SchedulerScore score(String name) {
        return evaluation.scores().stream()
                .filter(score -> score.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private String value(SchedulerScore score) {
        return metric == RankingMetric.MEAN_JCT
                ? Durations.human(score.jct().mean())
                : metric.text(score.figures().value(metric));
    }
}
