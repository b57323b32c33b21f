package org.trainyard.experiments.benchmark;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.trainyard.experiments.io.InputFiles;

/**
 * The stored results of one task, with which others are compared.
 *
 * @param ranked results of schedulers that complete all jobs, the least score first
 * @param rejecting results of schedulers that turned jobs away, by name
 */
public record ReferenceScores(List<BenchmarkResult> ranked, List<BenchmarkResult> rejecting) {
    public ReferenceScores {
        ranked = List.copyOf(ranked);
        rejecting = List.copyOf(rejecting);
    }

    /** The folder of all reference results. */
    public static Path folder() {
        return BenchmarkTask.folder().resolve("results");
    }

    /** The reference results of a task; none when it has none yet. */
    public static ReferenceScores of(String task) {
        Path folder = folder().resolve(task);
        List<BenchmarkResult> all = !Files.isDirectory(folder)
                ? List.of()
                : InputFiles.ofFileOrFolder(folder, ".json").stream()
                        .map(BenchmarkResult::read)
                        .sorted(Comparator.comparing(BenchmarkResult::scheduler))
                        .toList();
        return new ReferenceScores(
                all.stream()
                        .filter(result -> result.rejected() == 0)
                        .sorted(Comparator.comparingDouble(BenchmarkResult::meanSeconds))
                        .toList(),
                all.stream().filter(result -> result.rejected() > 0).toList());
    }

    /** The result with the least score among those of other schedulers than this. */
    public Optional<BenchmarkResult> best(String scheduler) {
        return ranked.stream()
                .filter(result -> !result.scheduler().equals(scheduler))
                .findFirst();
    }

    /** The place of a result among the others, 1 for the least score. */
    public int place(BenchmarkResult result) {
        return 1
                + (int) ranked.stream()
                        .filter(other -> !other.scheduler().equals(result.scheduler()))
                        .filter(other -> other.meanSeconds() < result.meanSeconds())
                        .count();
    }

    /** The stored result of this scheduler. */
    public Optional<BenchmarkResult> find(String scheduler) {
        return ranked.stream()
                .filter(result -> result.scheduler().equals(scheduler))
                .findFirst()
                .or(() -> rejecting.stream()
                        .filter(result -> result.scheduler().equals(scheduler))
                        .findFirst());
    }
}
