package org.trainyard.experiments.benchmark;

import static org.trainyard.experiments.io.CellFormat.number;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.InputFiles;

/**
 * The page of reference scores in Markdown: the template {@value #TEMPLATE} with a table of each task, made from
 * the result files.
 */
public final class BenchmarkPage {
    /** In the folder of the tasks. */
    static final String TEMPLATE = "page.md";

    private static final String PLACEHOLDER = "{tables}\n";
    static final String NOT_YET = "No result yet";
    static final String CANNOT = "Cannot play";

    private BenchmarkPage() {}

    /** The whole page. */
    public static String markdown() {
        String template = InputFiles.text(BenchmarkTask.folder().resolve(TEMPLATE));
        if (!template.contains(PLACEHOLDER)) {
            throw new InputException(
                    "%s: has no line %s: expected it where the tables go".formatted(TEMPLATE, PLACEHOLDER.strip()));
        }
        StringBuilder tables = new StringBuilder();
        for (String name : BenchmarkTask.names()) {
            try (TaskPlayer player = new TaskPlayer(BenchmarkTask.named("bench", name))) {
                tables.append(tables.isEmpty() ? "" : "\n").append(section(player, ReferenceScores.of(name)));
            }
        }
        return template.replace(PLACEHOLDER, tables);
    }

    private static String section(TaskPlayer player, ReferenceScores scores) {
        BenchmarkTask task = player.task();
        StringBuilder text = new StringBuilder("## %s\n\n%s\n\n".formatted(task.name(), task.question()));
        text.append("%d episodes of %,d jobs on `%s`, SHA-256 of the task `%s`\n\n"
                .formatted(
                        task.config().episodes().test(),
                        task.config().episodes().jobs(),
                        task.config().cluster(),
                        task.sha256()));
        text.append(table(scores).markdown("--:|---|---|--:|--:|--:|--:"));
        text.append(rejecting(scores));
        absent(player, scores).forEach((reason, names) -> text.append("\n%s: %s.\n".formatted(reason, quoted(names))));
        return text.toString();
    }

    private static AnswerTable<BenchmarkResult> table(ReferenceScores scores) {
        List<BenchmarkResult> ranked = scores.ranked();
        return AnswerTable.of(ranked)
                .number("", "%.0f", scores::place)
                .text("scheduler", result -> "`%s`".formatted(result.scheduler()))
                .text("kind", result -> ScoreTable.kind(result.scheduler()))
                .number("mean JCT, s", "%,.1f", BenchmarkResult::meanSeconds)
                .text("95 % interval", result -> ScoreTable.interval("%,.0f..%,.0f", result.interval()))
                .text(
                        "against the best",
                        result -> result.equals(ranked.get(0))
                                ? ""
                                : number(
                                        "%+.1f %%",
                                        result.against(ranked.get(0)).mean()))
                .text(
                        "95 % interval",
                        result -> result.equals(ranked.get(0)) || result.interval() == null
                                ? ""
                                : ScoreTable.interval(
                                        "%+.1f..%+.1f %%",
                                        result.against(ranked.get(0)).interval()));
    }

    /** The schedulers that turn jobs away, whose times are those of fewer jobs. */
    private static String rejecting(ReferenceScores scores) {
        List<String> clauses = new ArrayList<>();
        for (BenchmarkResult result : scores.rejecting()) {
            int jobs = result.episodes().stream()
                    .mapToInt(BenchmarkResult.Episode::jobs)
                    .sum();
            clauses.add(number(
                    "`%s` (%,d of %,d jobs, mean JCT of the rest %,.1f s)",
                    result.scheduler(), result.rejected(), jobs + result.rejected(), result.meanSeconds()));
        }
        return clauses.isEmpty()
                ? ""
                : "\nThey turn jobs away, so they have no place: %s.\n".formatted(String.join(", ", clauses));
    }

    /** By reason, the schedulers of the catalogue without a result. */
    private static Map<String, List<String>> absent(TaskPlayer player, ReferenceScores scores) {
        Map<String, List<String>> absent = new LinkedHashMap<>();
        for (SchedulerRegistry.Entry entry : Schedulers.all()) {
            if (scores.find(entry.name()).isEmpty()) {
                String obstacle = player.obstacle(entry.name());
                absent.computeIfAbsent(
                                obstacle == null ? NOT_YET : "%s (%s)".formatted(CANNOT, obstacle),
                                reason -> new ArrayList<>())
                        .add(entry.name());
            }
        }
        return absent;
    }

    private static String quoted(List<String> names) {
        return "`%s`".formatted(String.join("`, `", names));
    }
}
