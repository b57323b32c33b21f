package org.trainyard.experiments.benchmark;

import static org.trainyard.experiments.io.AnswerTable.shortened;
import static org.trainyard.experiments.io.CellFormat.number;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.evaluation.PairedComparison;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;

/**
 * Results in tasks of the benchmark as a table: the score, its place among the reference scores, and the difference
 * from the best of them.
 */
public final class ScoreTable {
    static final String NOT_YET = "no result yet";
    static final String CANNOT = "cannot play";
    private static final int NAME_WIDTH = 32;

    /**
     * A scheduler in a task.
     *
     * @param result null where there is none
     * @param place empty without one
     * @param toBest difference from the best reference; null where it is not compared
     */
    private record Row(
            String task,
            String scheduler,
            @Nullable BenchmarkResult result,
            String place,
            @Nullable PairedComparison toBest,
            String remark) {
        static Row of(BenchmarkResult result, String place, @Nullable BenchmarkResult best, String remark) {
            PairedComparison toBest = best == null ? null : result.against(best);
            return new Row(result.task(), result.scheduler(), result, place, toBest, remark);
        }

        /** Kind of a scheduler, or a trained policy. */
        String kind() {
            return Objects.requireNonNullElse(Schedulers.kind(scheduler), "trained policy");
        }

        @Nullable Double mean() {
            return result == null ? null : result.meanSeconds();
        }

        @Nullable Double difference() {
            return toBest == null ? null : toBest.mean();
        }

        String interval(String format) {
            return result == null ? "" : text(format, result.interval());
        }

        String intervalToBest(String format) {
            return toBest == null || interval(format).isEmpty() ? "" : text(format, toBest.interval());
        }

        private static String text(String format, PairedComparison.@Nullable Interval interval) {
            return interval == null ? "" : number(format, interval.low(), interval.high());
        }
    }

    private final List<Row> rows = new ArrayList<>();

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Adds a result with its place among the others of the references. */
    public void add(BenchmarkResult result, ReferenceScores references) {
        if (result.rejected() > 0) {
            rows.add(Row.of(result, "", null, Counted.say("%,d jobs rejected", result.rejected())));
            return;
        }
        BenchmarkResult best = references.best(result.scheduler()).orElse(null);
        long others = references.ranked().stream()
                .filter(other -> !other.scheduler().equals(result.scheduler()))
                .count();
        String place = best == null ? "" : "%d of %d".formatted(references.place(result), others + 1);
        String remark = references
                .find(result.scheduler())
                .map(reference -> reference.differences(result).isEmpty() ? "as stored" : "not as stored")
                .orElse("");
        rows.add(Row.of(result, place, best, remark));
    }

    /** The table, with a sentence that explains it. */
    public Answer answer() {
        return new Answer()
                .table(AnswerTable.of(rows)
                        .text("task", Row::task)
                        .text("scheduler", row -> shortened(row.scheduler, NAME_WIDTH))
                        .text("kind", Row::kind)
                        .number("mean JCT, s", "%,.1f", Row::mean)
                        .text("95 % interval", row -> row.interval("%,.0f .. %,.0f"))
                        .text("place", Row::place)
                        .text("against", row -> row.toBest == null ? "" : shortened(row.toBest.reference(), NAME_WIDTH))
                        .number("difference", "%+.1f %%", Row::difference)
                        .text("95 % interval", row -> row.intervalToBest("%+.1f .. %+.1f %%"))
                        .text("", Row::remark))
                .say("Mean JCT: mean over episodes. Difference: paired by episode, from the best reference of another"
                        + " scheduler.");
    }

    /**
     * The reference scores of all tasks as CSV: a row for each scheduler of the catalogue in each task; one without a
     * place has the reason as its remark.
     */
    public static String csv() {
        List<Row> rows = new ArrayList<>();
        for (String name : BenchmarkTask.names()) {
            try (TaskPlayer player = new TaskPlayer(BenchmarkTask.named("bench", name))) {
                addReferences(player, ReferenceScores.of(name), rows);
            }
        }
        return AnswerTable.of(rows)
                .text("task", Row::task)
                .text("place", Row::place)
                .text("scheduler", Row::scheduler)
                .text("kind", Row::kind)
                .number("mean JCT, s", "%.1f", Row::mean)
                .text("95 % interval", row -> row.place.isEmpty() ? "" : row.interval("%.0f..%.0f"))
                .number("against the best, %", "%+.1f", Row::difference)
                .text("95 % interval of the difference", row -> row.intervalToBest("%+.1f..%+.1f"))
                .text("remark", Row::remark)
                .csv();
    }

    private static void addReferences(TaskPlayer player, ReferenceScores scores, List<Row> rows) {
        for (BenchmarkResult result : scores.ranked()) {
            BenchmarkResult best = scores.ranked().get(0);
            String place = Integer.toString(scores.place(result));
            rows.add(Row.of(result, place, result.equals(best) ? null : best, ""));
        }
        for (BenchmarkResult result : scores.rejecting()) {
            int completed = result.episodes().stream()
                    .mapToInt(BenchmarkResult.Episode::jobs)
                    .sum();
            String remark = Counted.say(
                    "rejects %d of %d jobs: mean JCT of the rest", result.rejected(), result.rejected() + completed);
            rows.add(Row.of(result, "", null, remark));
        }
        for (SchedulerRegistry.Entry entry : Schedulers.all()) {
            if (scores.find(entry.name()).isEmpty()) {
                String obstacle = player.obstacle(entry.name());
                String remark = obstacle == null ? NOT_YET : "%s: %s".formatted(CANNOT, obstacle);
                rows.add(new Row(player.task().name(), entry.name(), null, "", null, remark));
            }
        }
    }
}
