package org.trainyard.experiments.benchmark;

import static org.trainyard.experiments.io.CellFormat.number;

import java.util.ArrayList;
import java.util.List;
import org.trainyard.env.Counted;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.io.AnswerTable;

/** The reference scores of all tasks as CSV: a row for each scheduler of the catalogue in each task. */
public final class BenchmarkTable {
    static final String NOT_YET = "no result yet";
    static final String CANNOT = "cannot play";
    private static final List<String> HEADINGS = List.of(
            "task",
            "place",
            "scheduler",
            "kind",
            "mean JCT, s",
            "95 % interval",
            "against the best, %",
            "95 % interval of the difference",
            "remark");

    private BenchmarkTable() {}

    /** The whole table; a scheduler without a place has the reason as its remark. */
    public static String csv() {
        List<List<String>> rows = new ArrayList<>();
        for (String name : BenchmarkTask.names()) {
            try (TaskPlayer player = new TaskPlayer(BenchmarkTask.named("bench", name))) {
                add(player, ReferenceScores.of(name), rows);
            }
        }
        return AnswerTable.texts(HEADINGS, rows).csv();
    }

    private static void add(TaskPlayer player, ReferenceScores scores, List<List<String>> rows) {
        String task = player.task().name();
        scores.ranked().forEach(result -> rows.add(ranked(task, result, scores)));
        for (BenchmarkResult result : scores.rejecting()) {
            rows.add(List.of(
                    task,
                    "",
                    result.scheduler(),
                    ScoreTable.kind(result.scheduler()),
                    number("%.1f", result.meanSeconds()),
                    "",
                    "",
                    "",
                    Counted.say("rejects %d of %d jobs: mean JCT of the rest", result.rejected(), jobs(result))));
        }
        for (SchedulerRegistry.Entry entry : Schedulers.all()) {
            if (scores.find(entry.name()).isEmpty()) {
                String obstacle = player.obstacle(entry.name());
                String reason = obstacle == null ? NOT_YET : "%s: %s".formatted(CANNOT, obstacle);
                rows.add(List.of(task, "", entry.name(), ScoreTable.kind(entry.name()), "", "", "", "", reason));
            }
        }
    }

    private static int jobs(BenchmarkResult result) {
        return result.rejected()
                + result.episodes().stream()
                        .mapToInt(BenchmarkResult.Episode::jobs)
                        .sum();
    }

    private static List<String> ranked(String task, BenchmarkResult result, ReferenceScores scores) {
        BenchmarkResult best = scores.ranked().get(0);
        boolean isBest = result.equals(best);
        return List.of(
                task,
                number("%.0f", (double) scores.place(result)),
                result.scheduler(),
                ScoreTable.kind(result.scheduler()),
                number("%.1f", result.meanSeconds()),
                ScoreTable.interval("%.0f..%.0f", result.interval()),
                isBest ? "" : number("%+.1f", result.against(best).mean()),
                isBest || result.interval() == null
                        ? ""
                        : ScoreTable.interval(
                                "%+.1f..%+.1f", result.against(best).interval()),
                "");
    }
}
