package org.trainyard.experiments.report;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.evaluation.SchedulerScore;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.TextTable;
import org.trainyard.experiments.metrics.Entitlement;
import org.trainyard.experiments.metrics.Grouping;
import org.trainyard.experiments.metrics.JobGroup;
import org.trainyard.experiments.metrics.RankingMetric;

/** A table of who waits and who gets less than an equal part, by account or QOS, where jobs have these. */
public final class PartyTable {
    private static final int NAME_WIDTH = 32;

    private PartyTable() {}

    /** The tables, each ended by an empty line; empty for jobs without accounts and QOS. Users come beside these. */
    public static String render(Evaluation evaluation, RankingMetric metric) {
        StringBuilder text = new StringBuilder();
        for (Grouping parties : List.of(Grouping.ACCOUNT, Grouping.QOS)) {
            text.append(render(evaluation, metric, parties));
        }
        return text.isEmpty() ? "" : text + render(evaluation, metric, Grouping.USER);
    }

    private static String render(Evaluation evaluation, RankingMetric metric, Grouping parties) {
        String party = parties == Grouping.QOS ? "QOS" : parties.label();
        TextTable table = new TextTable(
                "scheduler", "shortest wait, " + party, "longest wait", "least of its part", "most killed at limits");
        int rows = 0;
        for (SchedulerScore score : evaluation.ranking(metric)) {
            SchedulerRuns runs = evaluation.runs(score.name());
            List<JobGroup> groups = parties.of(runs.jobs());
            if (groups.size() > 1) {
                table.add(row(runs, groups, parties));
                rows++;
            }
        }
        return rows == 0
                ? ""
                : table.render()
                        + "Mean wait of the jobs of each %s. Least of its part: GPUs held over an equal part of the cluster while its jobs wait.\n\n"
                                .formatted(party);
    }

    private static String[] row(SchedulerRuns runs, List<JobGroup> groups, Grouping parties) {
        Comparator<JobGroup> byWait =
                Comparator.comparingDouble(group -> group.waiting().mean());
        Map<String, Double> entitled = Entitlement.of(parties, runs.episodes());
        String least = entitled.entrySet().stream()
                .min(Map.Entry.comparingByValue())
                .map(one -> TextTable.number("%.2f", one.getValue()) + " " + one.getKey())
                .orElse("");
        String killed = groups.stream()
                .filter(group -> group.timedOut() > 0)
                .max(Comparator.comparingInt(JobGroup::timedOut))
                .map(group -> "%,d of %,d %s".formatted(group.timedOut(), group.jobs(), group.name()))
                .orElse("none");
        return new String[] {
            TextTable.shortened(runs.name(), NAME_WIDTH),
            wait(groups.stream().min(byWait).orElseThrow()),
            wait(groups.stream().max(byWait).orElseThrow()),
            least,
            killed
        };
    }

    private static String wait(JobGroup group) {
        return Durations.human(group.waiting().mean()) + " " + group.name();
    }
}
