package org.trainyard.experiments.benchmark;

import static org.trainyard.experiments.io.TextTable.number;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.evaluation.PairedComparison;
import org.trainyard.experiments.io.TextTable;

/**
 * Results in tasks of the benchmark as a table: the score, its place among the reference scores, and the difference
 * from the best of them.
 */
public final class ScoreTable {
    private static final int NAME_WIDTH = 32;

    private final TextTable table = new TextTable(
            "task",
            "scheduler",
            "kind",
            "mean JCT, s",
            "95 % interval",
            "place",
            "against",
            "difference",
            "95 % interval",
            "");
    private boolean isEmpty = true;

    public boolean isEmpty() {
        return isEmpty;
    }

    /** Adds a result with its place among the others of the references. */
    public void add(BenchmarkResult result, ReferenceScores references) {
        isEmpty = false;
        PairedComparison.Interval interval = result.interval();
        List<String> cells = new ArrayList<>(List.of(
                result.task(),
                TextTable.shortened(result.scheduler(), NAME_WIDTH),
                kind(result.scheduler()),
                number("%,.1f", result.meanSeconds()),
                interval == null ? "" : number("%,.0f .. %,.0f", interval.low(), interval.high())));
        BenchmarkResult best = references.best(result.scheduler()).orElse(null);
        cells.addAll(
                result.rejected() > 0 || best == null ? List.of("", "", "", "") : standing(result, references, best));
        cells.add(
                result.rejected() > 0 ? "%,d jobs rejected".formatted(result.rejected()) : stored(result, references));
        table.add(cells.toArray(String[]::new));
    }

    /** What a row is: the kind of a scheduler, or a policy. */
    static String kind(String scheduler) {
        return Objects.requireNonNullElse(Schedulers.kind(scheduler), "trained policy");
    }

    /** The place, the best reference, and the difference from it with its interval. */
    private static List<String> standing(BenchmarkResult result, ReferenceScores references, BenchmarkResult best) {
        PairedComparison difference = result.against(best);
        return List.of(
                place(result, references),
                TextTable.shortened(best.scheduler(), NAME_WIDTH),
                number("%+.1f %%", difference.mean()),
                result.interval() == null ? "" : percent(difference.interval()));
    }

    private static String place(BenchmarkResult result, ReferenceScores references) {
        long others = references.ranked().stream()
                .filter(other -> !other.scheduler().equals(result.scheduler()))
                .count();
        return "%d of %d".formatted(references.place(result), others + 1);
    }

    private static String percent(PairedComparison.@Nullable Interval interval) {
        return interval == null ? "" : number("%+.1f .. %+.1f %%", interval.low(), interval.high());
    }

    /** Whether the reference of the same scheduler is the same. */
    private static String stored(BenchmarkResult result, ReferenceScores references) {
        return references
                .find(result.scheduler())
                .map(reference -> reference.differences(result).isEmpty() ? "as stored" : "not as stored")
                .orElse("");
    }

    /** The table, with a sentence that explains it. */
    public String render() {
        return table.render()
                + "Mean JCT: mean over episodes. Difference: paired by episode, from the best reference of another scheduler.\n";
    }
}
