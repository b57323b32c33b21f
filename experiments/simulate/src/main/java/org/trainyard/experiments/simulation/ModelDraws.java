package org.trainyard.experiments.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.evaluation.SchedulerScore;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.metrics.RankingMetric;

/** How the mean JCT of schedulers spreads over draws of the jobs' models, and which of them no draw tells apart. */
final class ModelDraws {
    private ModelDraws() {}

    private record Row(String name, DoubleSummaryStatistics means, int firsts) {}

    /** Each episode of the evaluation is a draw. */
    static Answer answer(Evaluation evaluation) {
        List<SchedulerScore> ranked = evaluation.ranking(RankingMetric.MEAN_JCT);
        List<double[]> draws =
                ranked.stream().map(score -> meanJcts(evaluation, score)).toList();
        List<Row> rows = new ArrayList<>();
        List<String> level = new ArrayList<>();
        for (int i = 0; i < draws.size(); i++) {
            double[] means = draws.get(i);
            String name = ranked.get(i).name();
            rows.add(new Row(name, Arrays.stream(means).summaryStatistics(), firsts(draws, i)));
            if (i > 0 && isEverAhead(means, draws.get(0))) {
                level.add(name);
            }
        }
        Answer answer = new Answer()
                .gap()
                .table(AnswerTable.of(rows)
                        .text("scheduler", Row::name)
                        .number("mean JCT over draws, s", "%,.1f", row -> row.means.getAverage())
                        .number("least", "%,.1f", row -> row.means.getMin())
                        .number("most", "%,.1f", row -> row.means.getMax())
                        .text("first in", row -> "%d of %d".formatted(row.firsts, row.means.getCount())));
        return level.isEmpty()
                ? answer
                : answer.say("Too close to call, for some draw of models puts them before %s: %s."
                        .formatted(ranked.get(0).name(), String.join(", ", level)));
    }

    private static double[] meanJcts(Evaluation evaluation, SchedulerScore score) {
        return evaluation.runs().stream()
                .filter(runs -> runs.name().equals(score.name()))
                .map(SchedulerRuns::meanJctSeconds)
                .findFirst()
                .orElseThrow();
    }

    private static int firsts(List<double[]> draws, int scheduler) {
        int firsts = 0;
        for (int draw = 0; draw < draws.get(0).length; draw++) {
            int at = draw;
            double least = draws.stream().mapToDouble(means -> means[at]).min().orElseThrow();
            firsts += draws.get(scheduler)[draw] == least ? 1 : 0;
        }
        return firsts;
    }

    /** Whether the one is shorter than the other in some draw. */
    private static boolean isEverAhead(double[] one, double[] other) {
        for (int draw = 0; draw < one.length; draw++) {
            if (one[draw] < other[draw]) {
                return true;
            }
        }
        return false;
    }
}
