package org.trainyard.experiments.cli.simulate;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.experiments.benchmark.BenchmarkResult;
import org.trainyard.experiments.benchmark.BenchmarkTask;
import org.trainyard.experiments.benchmark.ReferenceScores;
import org.trainyard.experiments.benchmark.ScoreTable;
import org.trainyard.experiments.benchmark.Submission;
import org.trainyard.experiments.benchmark.TaskPlayer;
import org.trainyard.experiments.cli.options.CommonOption;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.training.Checkpoint;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Plays the tasks of the frozen benchmark and checks results by replay. */
@Command(
        name = "bench",
        description = {
            "Play the tasks of the frozen benchmark and compare with the reference scores.",
            "Without options the tasks are listed."
        },
        subcommands = {
            BenchCommand.VerifyCommand.class,
            BenchCommand.SubmitCommand.class,
            BenchCommand.TableCommand.class
        },
        footer = {
            "",
            "Example: trainyard bench --task calm-v1 --scheduler sjf,tiresias",
            "Example: trainyard bench --task all --checkpoint runs/quickstart/checkpoints/best",
            "Example: trainyard bench --task rltune --scheduler easy --data ../shared/data"
        })
public final class BenchCommand extends Subcommand {
    @Option(
            names = "--task",
            paramLabel = "NAME",
            split = ",",
            description = "Tasks to play (default: all); without a scheduler or a checkpoint, their reference "
                    + "scores are shown. The records fgd and rltune are tasks, too.")
    private List<String> tasks = List.of();

    @Mixin
    private CommonOption schedulers = CommonOption.scheduler(
                    "Schedulers of `trainyard list schedulers` that play, or `all` that can.")
            .list();

    @Mixin
    private CommonOption checkpoint = CommonOption.checkpoint("Trained policy that plays as 'learned'.");

    @Option(
            names = "--missing",
            description = "Skip schedulers whose result for this version of the task is in the folder.")
    private boolean missing;

    @Mixin
    private CommonOption out = CommonOption.out("Folder for result files, TASK/SCHEDULER.json (default: runs/bench).");

    @Mixin
    private DataOption data = new DataOption();

    @Override
    protected void run() {
        if (schedulers.isGiven() || checkpoint.isGiven()) {
            new BenchPlayer(missing, out.path(BenchPlayer.OUT), data.path(), out())
                    .play(tasks, schedulers.values(), checkpoint.path());
        } else {
            list();
        }
        out().flush();
    }

    private void list() {
        for (BenchmarkTask task : BenchPlayer.tasks(tasks)) {
            out().println(Counted.say(
                    "%s: %d episodes of %,d jobs on %s",
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

    /** Replays results that were written. */
    @Command(
            name = "verify",
            description = "Replay result files; exit with code 1 unless their hashes and scores are equal.",
            footer = {"", "Example: trainyard bench verify runs/bench/calm-v1/sjf.json"})
    static final class VerifyCommand extends Subcommand {
        @Parameters(paramLabel = "RESULT", arity = "1..*", description = "Result files, TASK/SCHEDULER.json.")
        private List<String> files = List.of();

        @Mixin
        private CommonOption checkpoint = CommonOption.checkpoint("Trained policy of results of 'learned'.");

        @Override
        protected void run() {
            List<BenchmarkResult> results = files.stream()
                    .map(file -> BenchmarkResult.read(InputFiles.path(file)))
                    .toList();
            Checkpoint policy = BenchPlayer.opened(checkpoint.path());
            for (int i = 0; i < results.size(); i++) {
                BenchmarkResult stored = results.get(i);
                List<String> differences = differences(stored, policy);
                boolean isEqual = differences.isEmpty();
                out().println("%s: %s"
                        .formatted(
                                files.get(i),
                                isEqual
                                        ? Counted.say(
                                                "equal, %d episodes",
                                                stored.episodes().size())
                                        : "differs: " + String.join("; ", differences)));
                failUnless(isEqual);
            }
        }

        private static List<String> differences(BenchmarkResult stored, @Nullable Checkpoint policy) {
            try (TaskPlayer player = new TaskPlayer(BenchmarkTask.named("task", stored.task()))) {
                return stored.differences(player.replay(stored, policy));
            }
        }
    }

    /** Plays an entry of others. */
    @Command(
            name = "submit",
            description = "Play a submitted entry and print its SHA-256; exit with code 1 if the file says another.",
            footer = {"", "Example: trainyard bench submit experiments/examples/bench/submission.yaml"})
    static final class SubmitCommand extends Subcommand {
        @Parameters(
                paramLabel = "FILE",
                description = "YAML of the entry: task, scheduler, and optionally checkpoint or sha256.")
        private String file = "";

        @Mixin
        private CommonOption out =
                CommonOption.out("Folder for result files, TASK/SCHEDULER.json (default: runs/bench).");

        @Mixin
        private DataOption data = new DataOption();

        @Override
        protected void run() {
            Submission entry = Submission.read(InputFiles.path(file));
            BenchPlayer player = new BenchPlayer(false, out.path(BenchPlayer.OUT), data.path(), out());
            String sha256 = String.join("", player.play(entry));
            out().println("sha256: " + sha256);
            boolean differs = entry.sha256() != null && !entry.sha256().equals(sha256);
            if (differs) {
                out().println("differs: the file says %s".formatted(entry.sha256()));
            }
            failUnless(!differs);
        }
    }

    /** Prints the reference scores. */
    @Command(
            name = "table",
            description = "Print all reference scores as CSV.",
            footer = {"", "Example: trainyard bench table > scores.csv"})
    static final class TableCommand extends Subcommand {
        @Override
        protected void run() {
            out().print(ScoreTable.csv());
        }
    }
}
