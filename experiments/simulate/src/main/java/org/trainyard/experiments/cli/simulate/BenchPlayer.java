package org.trainyard.experiments.cli.simulate;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.experiments.benchmark.BenchmarkResult;
import org.trainyard.experiments.benchmark.BenchmarkTask;
import org.trainyard.experiments.benchmark.EntryTasks;
import org.trainyard.experiments.benchmark.ReferenceScores;
import org.trainyard.experiments.benchmark.ScoreTable;
import org.trainyard.experiments.benchmark.Submission;
import org.trainyard.experiments.benchmark.TaskPlayer;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.io.FolderLock;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.training.Checkpoint;

/** Plays schedulers and a policy on tasks of the benchmark, and keeps their results. */
final class BenchPlayer {
    /** Folder of results unless another is named. */
    static final Path OUT = Path.of("runs", "bench");

    private final boolean leavesOutPlayed;
    private final Path folder;
    private final Path data;
    private final PrintWriter out;

    /** Hashes of the event logs of what has played. */
    private final List<String> hashes = new ArrayList<>();

    /**
     * Plays into a folder.
     *
     * @param leavesOutPlayed whether schedulers with a result in the folder do not play again
     * @param data public logs, for tasks that are records
     */
    BenchPlayer(boolean leavesOutPlayed, Path folder, Path data, PrintWriter out) {
        this.leavesOutPlayed = leavesOutPlayed;
        this.folder = folder;
        this.data = data;
        this.out = out;
    }

    /** The tasks of these names, all without names, but for those of other modules. */
    static List<BenchmarkTask> tasks(List<String> names) {
        boolean isAll = names.isEmpty() || names.equals(List.of(BenchmarkTask.ALL));
        Map<String, EntryTasks> others = entryTasks();
        return (isAll ? BenchmarkTask.names() : names)
                .stream()
                        .filter(name -> !others.containsKey(name))
                        .map(name -> BenchmarkTask.named("--task", name))
                        .toList();
    }

    /** The tasks of other modules, by name. */
    private static Map<String, EntryTasks> entryTasks() {
        Map<String, EntryTasks> all = new TreeMap<>();
        EntryTasks.all().forEach(some -> some.names().forEach(name -> all.put(name, some)));
        return all;
    }

    static @Nullable Checkpoint opened(@Nullable Path checkpoint) {
        return checkpoint == null ? null : Checkpoint.open("--checkpoint", checkpoint);
    }

    /** Plays an entry; the SHA-256 of its event logs. */
    List<String> play(Submission entry) {
        String policy = entry.checkpoint();
        return play(
                List.of(entry.task()),
                entry.scheduler() == null ? List.of() : List.of(entry.scheduler()),
                policy == null ? null : InputFiles.path(policy));
    }

    /** Plays schedulers and a policy on tasks; the SHA-256 of their event logs. */
    List<String> play(List<String> tasks, List<String> schedulers, @Nullable Path checkpoint) {
        boolean isAll = schedulers.equals(List.of(Schedulers.ALL));
        List<String> names = isAll
                ? Schedulers.all().stream().map(SchedulerRegistry.Entry::name).toList()
                : schedulers;
        names.forEach(name -> Schedulers.named("--scheduler", name));
        Checkpoint policy = opened(checkpoint);
        Map<String, EntryTasks> others = entryTasks();
        List<String> entered = tasks.stream().filter(others::containsKey).toList();
        for (String task : entered) {
            hashes.addAll(Objects.requireNonNull(others.get(task)).play(task, schedulers, data, out));
        }
        if (entered.isEmpty() || entered.size() < tasks.size()) {
            FolderLock.during(folder, () -> play(tasks(tasks), names, policy));
            out.println("result files: %s".formatted(folder));
        }
        return hashes;
    }

    private void play(List<BenchmarkTask> tasks, List<String> names, @Nullable Checkpoint policy) {
        ScoreTable scores = new ScoreTable();
        List<String> obstacles = new ArrayList<>();
        for (BenchmarkTask task : tasks) {
            try (TaskPlayer player = new TaskPlayer(task)) {
                ReferenceScores references = ReferenceScores.of(task.name());
                for (String name : names) {
                    String obstacle = player.obstacle(name);
                    if (obstacle != null) {
                        obstacles.add("%s cannot play %s: it %s".formatted(name, task.name(), obstacle));
                    } else if (!leavesOutPlayed || !BenchmarkResult.isIn(folder, task, name)) {
                        keep(player.play(name), references, scores);
                    }
                }
                if (policy != null) {
                    try {
                        keep(player.play(policy), references, scores);
                    } catch (InputException e) {
                        obstacles.add("the policy cannot play %s: %s".formatted(task.name(), e.getMessage()));
                    }
                }
            }
        }
        if (scores.isEmpty() && !obstacles.isEmpty()) {
            throw new InputException(obstacles.get(0));
        }
        obstacles.forEach(obstacle -> out.println("note: " + obstacle));
        scores.answer().print(out);
    }

    private void keep(BenchmarkResult result, ReferenceScores references, ScoreTable scores) {
        hashes.add(result.sha256());
        result.write(folder);
        scores.add(result, references);
    }
}
