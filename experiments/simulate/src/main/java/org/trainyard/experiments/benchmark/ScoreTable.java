package org.trainyard.experiments.benchmark;

import static org.trainyard.experiments.io.AnswerTable.shortened;
import static org.trainyard.experiments.io.CellFormat.number;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.evaluation.PairedComparison;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;

/**
 * Results in tasks of the benchmark as a table: the score, its place among the reference scores, and the difference
 * from the best of them.
 */
public final class ScoreTable {
    private static final int NAME_WIDTH = 32;

    /** @param best reference of another scheduler; null without one, and for a scheduler that turns jobs away */
    private record Row(
            BenchmarkResult result,
            ReferenceScores references,
            @Nullable BenchmarkResult best) {
        String ifCompared(Function<BenchmarkResult, String> text) {
            return best == null ? "" : text.apply(best);
        }

        String place() {
            long others = references.ranked().stream()
                    .filter(other -> !other.scheduler().equals(result.scheduler()))
                    .count();
            return "%d of %d".formatted(references.place(result), others + 1);
        }

        /** Whether the reference of the same scheduler is the same. */
        String remark() {
            if (result.rejected() > 0) {
                return Counted.say("%,d jobs rejected", result.rejected());
            }
            return references
                    .find(result.scheduler())
                    .map(reference -> reference.differences(result).isEmpty() ? "as stored" : "not as stored")
                    .orElse("");
        }
    }

    private final List<Row> rows = new ArrayList<>();

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Adds a result with its place among the others of the references. */
    public void add(BenchmarkResult result, ReferenceScores references) {
        BenchmarkResult best = references.best(result.scheduler()).orElse(null);
        rows.add(new Row(result, references, result.rejected() > 0 ? null : best));
    }

    /** Kind of a row: the kind of a scheduler, or a trained policy. */
    static String kind(String scheduler) {
        return Objects.requireNonNullElse(Schedulers.kind(scheduler), "trained policy");
    }

    static String interval(String format, PairedComparison.@Nullable Interval interval) {
        return interval == null ? "" : number(format, interval.low(), interval.high());
    }

    /** The table, with a sentence that explains it. */
    public Answer answer() {
        return new Answer()
                .table(AnswerTable.of(rows)
                        .text("task", row -> row.result.task())
                        .text("scheduler", row -> shortened(row.result.scheduler(), NAME_WIDTH))
                        .text("kind", row -> kind(row.result.scheduler()))
                        .number("mean JCT, s", "%,.1f", row -> row.result.meanSeconds())
                        .text("95 % interval", row -> interval("%,.0f .. %,.0f", row.result.interval()))
                        .text("place", row -> row.ifCompared(best -> row.place()))
                        .text("against", row -> row.ifCompared(best -> shortened(best.scheduler(), NAME_WIDTH)))
                        .text(
                                "difference",
                                row -> row.ifCompared(best -> number(
                                        "%+.1f %%", row.result.against(best).mean())))
                        .text(
                                "95 % interval",
                                row -> row.ifCompared(best -> row.result.interval() == null
                                        ? ""
                                        : interval(
                                                "%+.1f .. %+.1f %%",
                                                row.result.against(best).interval())))
                        .text("", Row::remark))
                .say("Mean JCT: mean over episodes. Difference: paired by episode, from the best reference of another"
                        + " scheduler.");
    }
}
