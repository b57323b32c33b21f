package org.trainyard.experiments.simulation;

import static org.trainyard.experiments.io.TextTable.number;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.evaluation.SchedulerScore;
import org.trainyard.experiments.io.TextTable;
import org.trainyard.experiments.metrics.RankingMetric;

/** How the mean JCT of schedulers spreads over draws of the jobs' models, and which of them no draw tells apart. */
final class ModelDraws {
    private ModelDraws() {}

    /** Each episode of the evaluation is a draw. */
    static void print(Evaluation evaluation, PrintWriter out) {
        List<double[]> draws = evaluation.ranking(RankingMetric.MEAN_JCT).stream()
                .map(score -> meanJcts(evaluation, score))
                .toList();
        int count = draws.get(0).length;
        TextTable table = new TextTable("scheduler", "mean JCT over draws, s", "least", "most", "first in");
        List<String> level = new ArrayList<>();
        for (int i = 0; i < draws.size(); i++) {
            double[] means = draws.get(i);
            String name = evaluation.ranking(RankingMetric.MEAN_JCT).get(i).name();
            table.add(
                    name,
                    number("%,.1f", Arrays.stream(means).average().orElseThrow()),
                    number("%,.1f", Arrays.stream(means).min().orElseThrow()),
                    number("%,.1f", Arrays.stream(means).max().orElseThrow()),
                    "%d of %d".formatted(firsts(draws, i), count));
            if (i > 0 && isEverAhead(means, draws.get(0))) {
                level.add(name);
            }
        }
        out.println();
        table.print(out);
        if (!level.isEmpty()) {
            out.println("Too close to call, for some draw of models puts them before %s: %s."
                    .formatted(evaluation.ranking(RankingMetric.MEAN_JCT).get(0).name(), String.join(", ", level)));
        }
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
