package org.trainyard.experiments.simulation;

import static org.trainyard.experiments.io.TextTable.number;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.evaluation.BlockRanking;
import org.trainyard.experiments.evaluation.Coincidence;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.SchedulerScore;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.TextTable;
import org.trainyard.experiments.metrics.BlockBootstrap;
import org.trainyard.experiments.metrics.Distribution;
import org.trainyard.experiments.metrics.JctParts;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.report.ConsoleTable;
import org.trainyard.experiments.report.FreezingTable;
import org.trainyard.experiments.report.PartyTable;
import org.trainyard.experiments.report.UtilityTable;

/**
 * The tables of {@code simulate}: schedulers by a metric; all of them, with intervals over time, where they are asked for.
 */
final class SimulationTables {
    private static final int NAME_WIDTH = 32;
    private static final int NARROW_NAME = 24;

    private final Evaluation evaluation;
    private final RankingMetric metric;
    private final @Nullable BlockRanking ranking;
    private final WallTimes walls;

    /** @param ranking null where there are no intervals */
    SimulationTables(Evaluation evaluation, RankingMetric metric, @Nullable BlockRanking ranking, WallTimes walls) {
        this.evaluation = evaluation;
        this.metric = metric;
        this.ranking = ranking;
        this.walls = walls;
    }

    void print(PrintWriter out, boolean isWide) {
        result(out);
        if (isWide) {
            all(out);
        } else {
            main().print(out);
            out.println();
            out.print(UtilityTable.render(evaluation));
            out.print(FreezingTable.render(evaluation));
            out.println("* JCT over the undisturbed run time. More columns, intervals and hashes: --verbose.");
        }
        kinds(evaluation.ranking(metric).stream().map(SchedulerScore::name).toList(), out);
        for (Coincidence coincidence : evaluation.coincidences()) {
            out.println(
                    coincidence.decisions()
                            ? "Identical here: %s; their event logs are equal.".formatted(coincidence.names())
                            : coincidence.sentence());
        }
        UtilityTable.rejections(evaluation).forEach(out::println);
    }

    /** A line on what rows are, where some are no textbook orders. */
    static void kinds(List<String> names, PrintWriter out) {
        out.print(ConsoleTable.wrapped(Schedulers.kinds(names)));
    }

    private void all(PrintWriter out) {
        completionTimes().print(out);
        out.println();
        waits().print(out);
        out.println(
                "* JCT over the undisturbed run time. Restarts, neighbours and placement: mean time that a job lost to each.");
        out.println();
        rest().print(out);
        out.println();
        out.print(UtilityTable.render(evaluation));
        out.print(PartyTable.render(evaluation, metric));
        out.print(FreezingTable.render(evaluation));
        ranking(out);
        TextTable hashes = new TextTable("scheduler", "SHA-256 of the event log");
        evaluation.scores().forEach(score -> hashes.add(score.name(), score.eventLogSha256()));
        hashes.print(out);
    }

    /** The result of each scheduler in at most 100 columns. */
    private TextTable main() {
        boolean isMeanJct = metric == RankingMetric.MEAN_JCT;
        TextTable table = new TextTable(
                "scheduler",
                metric.words(),
                "from best",
                isMeanJct ? "mean wait" : "mean JCT",
                "p95 wait",
                "slowdown *",
                "preempt",
                "");
        double best = evaluation.ranking(metric).get(0).figures().value(metric);
        for (SchedulerScore score : evaluation.ranking(metric)) {
            double value = score.figures().value(metric);
            Distribution wait = score.figures().waiting();
            table.add(
                    TextTable.shortened(score.name(), NARROW_NAME),
                    metric.text(value),
                    best > 0 && value > best ? number("%+.1f %%", 100 * (value / best - 1)) : "",
                    Durations.human(isMeanJct ? wait.mean() : score.jct().mean()),
                    Durations.human(wait.p95()),
                    number("%.2f", score.figures().slowdown().mean()),
                    number("%,d", score.preemptions()),
                    isLevel(score.name()) ? "too close to call" : "");
        }
        return table;
    }

    private boolean isLevel(String name) {
        return ranking != null
                && ranking.rows().stream()
                        .anyMatch(row -> row.name().equals(name)
                                && row.ranked().isLevel()
                                && !row.ranked().isBest());
    }

    /** The result in a sentence. */
    private void result(PrintWriter out) {
        Map<String, String> values = new LinkedHashMap<>();
        List<SchedulerScore> scores = evaluation.ranking(metric);
        scores.forEach(
                score -> values.put(score.name(), metric.text(score.figures().value(metric))));
        boolean isLevel = scores.size() > 1 && isLevel(scores.get(1).name());
        String sure = isLevel ? ", too close to call" : ranking == null ? ", without an interval" : "";
        out.println(sentence(metric.words(), values, sure));
        out.println();
    }

    /**
     * The best of some schedulers and the next in a sentence.
     *
     * @param values in words by scheduler, the best first
     * @param sure how sure it is, after what the next has
     */
    static String sentence(String metric, Map<String, String> values, String sure) {
        List<String> names = List.copyOf(values.keySet());
        String best = names.get(0);
        return names.size() == 1
                ? "Result: %s has a %s of %s.".formatted(best, metric, values.get(best))
                : "Result: %s has the shortest %s, %s; %s has %s%s."
                        .formatted(best, metric, values.get(best), names.get(1), values.get(names.get(1)), sure);
    }

    private TextTable completionTimes() {
        TextTable table =
                new TextTable("scheduler", "jobs", "mean JCT, s", "median", "p95", "p99", "queueing", "makespan");
        for (SchedulerScore score : evaluation.ranking(metric)) {
            Distribution jct = score.jct();
            table.add(
                    score.name(),
                    number("%,d", score.jobs()),
                    number("%,.1f", jct.mean()),
                    number("%,.1f", jct.median()),
                    number("%,.1f", jct.p95()),
                    number("%,.1f", jct.p99()),
                    number("%,.1f", score.figures().waiting().mean()),
                    number("%,.1f", score.makespan()));
        }
        return table;
    }

    private TextTable waits() {
        TextTable table = new TextTable(
                "scheduler",
                "mean wait",
                "median",
                "p95",
                "p99",
                "slowdown *",
                "p95",
                "restarts",
                "neighbours",
                "placement");
        for (SchedulerScore score : evaluation.ranking(metric)) {
            Distribution wait = score.figures().waiting();
            Distribution slowdown = score.figures().slowdown();
            JctParts parts = score.figures().parts();
            table.add(
                    score.name(),
                    Durations.human(wait.mean()),
                    Durations.human(wait.median()),
                    Durations.human(wait.p95()),
                    Durations.human(wait.p99()),
                    number("%.2f", slowdown.mean()),
                    number("%.2f", slowdown.p95()),
                    Durations.human(parts.restart()),
                    Durations.human(parts.interference()),
                    Durations.human(parts.placement()));
        }
        return table;
    }

    private TextTable rest() {
        TextTable table = new TextTable(
                "scheduler",
                "mean JCT",
                "GPUs used",
                "neighbours",
                "preemptions",
                "decisions",
                "wall time",
                "events/s");
        for (SchedulerScore score : evaluation.ranking(metric)) {
            WallTimes.Wall wall = walls.of(score.name());
            table.add(
                    score.name(),
                    Durations.human(score.jct().mean()),
                    number("%.1f %%", 100 * score.gpuUtilisation()),
                    number("%.3f", score.slowdownMean()),
                    number("%,d", score.preemptions()),
                    number("%,d", score.decisions()),
                    number("%.2f s", wall.seconds()),
                    number("%,.0f", wall.eventsPerSecond()));
        }
        return table;
    }

    private void ranking(PrintWriter out) {
        if (ranking == null) {
            if (evaluation.runs().size() > 1 && evaluation.episodes() == 1) {
                boolean isRejecting = evaluation.runs().stream().anyMatch(run -> run.rejected() > 0);
                out.println("No intervals: they need at least %d jobs%s."
                        .formatted(
                                BlockRanking.ENOUGH_JOBS,
                                isRejecting ? ", and two schedulers that complete all of them" : ""));
                out.println();
            }
            return;
        }
        boolean isMeanJct = metric == RankingMetric.MEAN_JCT;
        TextTable table = isMeanJct
                ? new TextTable("scheduler", metric.words(), "95 % interval", "more than the best", "")
                : new TextTable(
                        "scheduler", metric.words(), "95 % interval", "more than the best", "", "mean JCT, interval");
        for (BlockRanking.Row row : ranking.rows()) {
            BlockBootstrap.Ranked ranked = row.ranked();
            String name = TextTable.shortened(row.name(), NAME_WIDTH);
            String value = metric.text(ranked.value());
            String more = interval(ranked.fromBest(), metric);
            String word = ranked.isBest() ? "best" : ranked.isLevel() ? "too close to call" : "";
            if (isMeanJct) {
                table.add(name, value, interval(ranked.bounds(), metric), more, word);
            } else {
                String meanJct = interval(row.meanJctBounds(), RankingMetric.MEAN_JCT);
                table.add(name, value, interval(ranked.bounds(), metric), more, word, meanJct);
            }
        }
        table.print(out);
        out.println("Intervals: %s.".formatted(BlockRanking.METHOD));
        out.println();
    }

    private static String interval(BlockBootstrap.@Nullable Bounds bounds, RankingMetric of) {
        return bounds == null ? "" : "%s .. %s".formatted(of.text(bounds.low()), of.text(bounds.high()));
    }
}
