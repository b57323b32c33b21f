package org.trainyard.experiments.cli.simulate;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.experiments.benchmark.BenchmarkPage;
import org.trainyard.experiments.benchmark.BenchmarkResult;
import org.trainyard.experiments.benchmark.BenchmarkTask;
import org.trainyard.experiments.benchmark.EntryTasks;
import org.trainyard.experiments.benchmark.ReferenceScores;
import org.trainyard.experiments.benchmark.ScoreTable;
import org.trainyard.experiments.benchmark.Submission;
import org.trainyard.experiments.benchmark.TaskPlayer;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.FolderLock;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.training.Checkpoint;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Plays the tasks of the frozen benchmark and checks results by replay. */
@Command(
        name = "bench",
        description =
                "Play the tasks of the frozen benchmark and compare with the reference scores; without options, list"
                        + " the tasks.",
        sortOptions = false,
        footer = {
            "",
            "Example: trainyard bench --task calm-v1 --scheduler sjf,tiresias",
            "Example: trainyard bench --task all --checkpoint runs/quickstart/checkpoints/best",
            "Example: trainyard bench --verify runs/bench/calm-v1/sjf.json",
            "Example: trainyard bench --task rltune --scheduler easy --data ../shared/data",
            "Example: trainyard bench --submission experiments/examples/bench/submission.yaml"
        })
public final class BenchCommand extends Subcommand {
    private static final Path OUT = Path.of("runs", "bench");

    @Option(
            names = "--task",
            paramLabel = "NAME",
            split = ",",
            description = "Tasks to play, or `all` (default: all); without a scheduler or a checkpoint, their reference"
                    + " scores. A record of `trainyard records` (fgd, rltune) is a task for schedulers, too.")
    private List<String> tasks = List.of();

    @Option(
            names = "--scheduler",
            paramLabel = "NAME",
            split = ",",
            description = "Schedulers of `trainyard list schedulers` that play, or `all` that can.")
    private List<String> schedulers = List.of();

    @Option(
            names = "--checkpoint",
            paramLabel = "DIR",
            description = "Trained policy that plays as 'learned'; with --verify, the policy of results of 'learned'.")
    private @Nullable String checkpoint;

    @Option(
            names = "--missing",
            description = "Leave out schedulers whose result for this version of the task is in the folder already.")
    private boolean missing;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Folder for result files, TASK/SCHEDULER.json (default: runs/bench).")
    private @Nullable String out;

    @Option(
            names = "--verify",
            paramLabel = "FILE",
            arity = "1..*",
            description = "Replay result files and exit with code 1 unless hashes and scores are equal.")
    private List<String> verified = List.of();

    @Option(
            names = "--submission",
            paramLabel = "FILE",
            description =
                    "YAML of an entry (task, scheduler; checkpoint or sha256 where there is one): plays it, prints its"
                            + " SHA-256, and exits with code 1 if the file says another.")
    private @Nullable String submission;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Folder of public data, for records (default: ../shared/data).")
    private @Nullable String data;

    @Option(names = "--table", description = "Print the page of all reference scores in Markdown.")
    private boolean table;

    /** Of the event logs of what has played. */
    private final List<String> hashes = new ArrayList<>();

    private @Nullable Map<String, EntryTasks> entryTasks;

    @Override
    protected void run() {
        boolean plays = !schedulers.isEmpty() || checkpoint != null;
        if (table || !verified.isEmpty()) {
            refuseOthers();
        }
        if (submission != null) {
            submitted(Submission.read(InputFiles.path(submission)));
        } else if (table) {
            out().print(BenchmarkPage.markdown());
        } else if (!verified.isEmpty()) {
            verify();
        } else if (plays) {
            play();
        } else {
            list();
        }
        out().flush();
    }

    private void refuseOthers() {
        boolean playsToo = !tasks.isEmpty() || !schedulers.isEmpty() || missing || out != null;
        if (playsToo || (table && (checkpoint != null || !verified.isEmpty()))) {
            throw new InputException(
                    "bench: --table and --verify go with no other option but --verify with --checkpoint");
        }
    }

    private List<BenchmarkTask> tasks() {
        boolean isAll = tasks.isEmpty() || tasks.equals(List.of(BenchmarkTask.ALL));
        return (isAll ? BenchmarkTask.names() : tasks)
                .stream()
                        .filter(name -> !entryTasks().containsKey(name))
                        .map(name -> BenchmarkTask.named("--task", name))
                        .toList();
    }

    private void list() {
        for (BenchmarkTask task : tasks()) {
            out().println("%s: %d episodes of %,d jobs on %s"
                    .formatted(
                            task.name(),
                            task.config().episodes().test(),
                            task.config().episodes().jobs(),
                            task.config().cluster()));
            out().println("    " + task.question());
            if (!tasks.isEmpty()) {
                ScoreTable scores = new ScoreTable();
                ReferenceScores references = ReferenceScores.of(task.name());
                references.ranked().forEach(result -> scores.add(result, references));
                new Answer().gap().add(scores.answer()).print(out());
            }
        }
    }

    private void submitted(Submission entry) {
        if (!tasks.isEmpty() || !schedulers.isEmpty() || checkpoint != null || table || !verified.isEmpty()) {
            throw new InputException("bench: --submission goes with no other option but --data, --out and --plugin");
        }
        tasks = List.of(entry.task());
        schedulers = entry.scheduler() == null ? List.of() : List.of(entry.scheduler());
        checkpoint = entry.checkpoint();
        play();
        String sha256 = String.join("", hashes);
        out().println("sha256: " + sha256);
        if (entry.sha256() != null && !entry.sha256().equals(sha256)) {
            out().println("differs: the file says %s".formatted(entry.sha256()));
            exitWith(CommandLine.ExitCode.SOFTWARE);
        }
    }

    /** The tasks of other modules, by name. */
    private Map<String, EntryTasks> entryTasks() {
        if (entryTasks == null) {
            Map<String, EntryTasks> all = new TreeMap<>();
            EntryTasks.all().forEach(some -> some.names().forEach(name -> all.put(name, some)));
            entryTasks = all;
        }
        return entryTasks;
    }

    /** Plays schedulers on the jobs of a published figure. */
    private void enter(String task) {
        Path root = Path.of(System.getProperty("trainyard.root", "."));
        Path folder = data == null ? root.resolve("../shared/data") : InputFiles.path(data);
        hashes.addAll(Objects.requireNonNull(entryTasks().get(task)).play(task, schedulers, folder, out()));
    }

    private void play() {
        boolean isAll = schedulers.equals(List.of(Schedulers.ALL));
        List<String> names = isAll
                ? Schedulers.all().stream().map(SchedulerRegistry.Entry::name).toList()
                : schedulers;
        names.forEach(name -> Schedulers.named("--scheduler", name));
        Checkpoint policy = checkpoint();
        List<String> entered = tasks.stream().filter(entryTasks()::containsKey).toList();
        entered.forEach(this::enter);
        if (!entered.isEmpty() && entered.size() == tasks.size()) {
            return;
        }
        Path folder = out == null ? OUT : InputFiles.path(out);
        FolderLock.during(folder, () -> play(names, policy, folder));
        out().println("result files: %s".formatted(folder));
    }

    private void play(List<String> names, @Nullable Checkpoint policy, Path folder) {
        ScoreTable scores = new ScoreTable();
        List<String> obstacles = new ArrayList<>();
        for (BenchmarkTask task : tasks()) {
            try (TaskPlayer player = new TaskPlayer(task)) {
                ReferenceScores references = ReferenceScores.of(task.name());
                for (String name : names) {
                    String obstacle = player.obstacle(name);
                    if (obstacle != null) {
                        obstacles.add("%s cannot play %s: it %s".formatted(name, task.name(), obstacle));
                    } else if (!missing || !BenchmarkResult.isIn(folder, task, name)) {
                        keep(player.play(name), references, folder, scores);
                    }
                }
                if (policy != null) {
                    try {
                        keep(player.play(policy), references, folder, scores);
                    } catch (InputException e) {
                        obstacles.add("the policy cannot play %s: %s".formatted(task.name(), e.getMessage()));
                    }
                }
            }
        }
        report(scores, obstacles);
    }

    private void keep(BenchmarkResult result, ReferenceScores references, Path folder, ScoreTable scores) {
        hashes.add(result.sha256());
        result.write(folder);
        scores.add(result, references);
    }

    private void report(ScoreTable scores, List<String> obstacles) {
        if (scores.isEmpty() && !obstacles.isEmpty()) {
            throw new InputException(obstacles.get(0));
        }
        obstacles.forEach(obstacle -> out().println("note: " + obstacle));
        scores.answer().print(out());
    }

    private void verify() {
        List<BenchmarkResult> results = verified.stream()
                .map(file -> BenchmarkResult.read(InputFiles.path(file)))
                .toList();
        Checkpoint policy = checkpoint();
        for (int i = 0; i < results.size(); i++) {
            List<String> differences = differences(results.get(i), policy);
            if (differences.isEmpty()) {
                out().println("%s: equal, %d episodes"
                        .formatted(verified.get(i), results.get(i).episodes().size()));
            } else {
                exitWith(CommandLine.ExitCode.SOFTWARE);
                out().println("%s: differs: %s".formatted(verified.get(i), String.join("; ", differences)));
            }
        }
    }

    private static List<String> differences(BenchmarkResult stored, @Nullable Checkpoint policy) {
        try (TaskPlayer player = new TaskPlayer(BenchmarkTask.named("task", stored.task()))) {
            return stored.differences(player.replay(stored, policy));
        }
    }

    private @Nullable Checkpoint checkpoint() {
        return checkpoint == null ? null : Checkpoint.open("--checkpoint", InputFiles.path(checkpoint));
    }
}
