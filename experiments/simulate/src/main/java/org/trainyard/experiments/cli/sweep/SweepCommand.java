package org.trainyard.experiments.cli.sweep;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.binding.ConfigWriter;
import org.trainyard.experiments.cli.options.CommonOption;
import org.trainyard.experiments.cli.options.FleetOption;
import org.trainyard.experiments.cli.options.ReplaceOption;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.distributed.Fleet;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.InterruptionHint;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.run.RunFolders;
import org.trainyard.experiments.sweep.SeedMeans;
import org.trainyard.experiments.sweep.Sweep;
import org.trainyard.experiments.sweep.SweepConfig;
import org.trainyard.experiments.sweep.SweepReport;
import org.trainyard.experiments.sweep.ThreadFleet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs an experiment with many combinations of values of its keys. */
@Command(
        name = "sweep",
        description = {
            "Vary the keys of an experiment, by a grid or a random search.",
            "The same command continues an interrupted sweep."
        },
        footer = {
            "",
            "Example: trainyard sweep experiments/configs/sweeps/smoke.yaml",
            "Example: trainyard sweep experiments/configs/sweeps/smoke.yaml --parallel 1 --out sweeps/mine",
            "Example: trainyard sweep experiments/configs/sweeps/smoke.yaml --on local-cluster[2,1,1024]"
        })
public final class SweepCommand extends Subcommand {
    private static final int SHOWN = 10;

    @Parameters(paramLabel = "SWEEP", description = "Sweep, a YAML file.")
    private String file = "";

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Override a value of the sweep. Repeatable.")
    private List<String> overrides = List.of();

    @Mixin
    private CommonOption out = CommonOption.out("Folder for the results (default: runs/NAME).");

    @Option(names = "--parallel", paramLabel = "N", description = "Runs at a time (default: one for each processor).")
    private @Nullable Integer parallel;

    @Mixin
    private FleetOption machines = new FleetOption();

    @Mixin
    private ReplaceOption replace = new ReplaceOption();

    @Override
    protected void run() {
        int threads = parallel == null ? Runtime.getRuntime().availableProcessors() : parallel;
        InputException.within(1, Integer.MAX_VALUE, "--parallel", threads);
        machines.requireWithout("--parallel", parallel != null);
        machines.requireWithout("--plugin", hasPlugins());
        SweepConfig config = SweepConfig.read(InputFiles.path(file), overrides);
        List<List<String>> points = config.points();
        try (RunDirectory directory =
                RunFolders.create(config.name(), ConfigWriter.yaml(config), out.value(), replace.otherRun())) {
            run(config, points, directory, threads);
        }
    }

    private void run(SweepConfig config, List<List<String>> points, RunDirectory directory, int threads) {
        Sweep sweep = new Sweep(config, points, directory);
        out().println(Counted.say(
                "%s: %d runs of %s, %d of them finished; everything goes to %s",
                config.name(), points.size(), config.config(), sweep.finished(), directory.root()));
        out().flush();
        InterruptionHint hint = new InterruptionHint("interrupted; the same command goes on");
        try (Fleet fleet = machines.openOr(() -> new ThreadFleet(threads))) {
            print(sweep.run(fleet), directory);
        } finally {
            hint.close();
        }
    }

    private void print(SweepReport report, RunDirectory directory) {
        SeedMeans means = report.means();
        Answer answer = new Answer().gap();
        if (means == null) {
            answer.table(runs(report));
            more(report.runs().size(), "results.csv", answer);
            answer.say("the best again: " + report.command());
        } else {
            answer.table(means.table(SHOWN));
            more(means.rows().size(), "means.csv", answer);
            answer.say("means over seeds: %s; a sweep over seeds ranks no single run, for seeds have different episodes"
                    .formatted(directory.seedMeans()));
        }
        answer.say("results: %s, and as .duckdb and .parquet beside it".formatted(directory.results("csv")))
                .say("report: %s".formatted(directory.report()))
                .print(out());
    }

    private static void more(int rows, String file, Answer answer) {
        if (rows > SHOWN) {
            answer.say("... and %d more in %s".formatted(rows - SHOWN, file));
        }
        answer.gap();
    }

    private static AnswerTable<SweepReport.Run> runs(SweepReport report) {
        AnswerTable<SweepReport.Run> table = AnswerTable.of(
                        report.runs().stream().limit(SHOWN).toList())
                .number("run", "%.0f", SweepReport.Run::number);
        for (int i = 0; i < report.keys().size(); i++) {
            int key = i;
            table.text(report.keys().get(i), run -> run.values().get(key));
        }
        return table.text("scheduler", SweepReport.Run::scheduler)
                .number(report.measure(), "%.1f", SweepReport.Run::score);
    }
}
