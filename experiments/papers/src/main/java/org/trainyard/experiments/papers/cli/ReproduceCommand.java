package org.trainyard.experiments.papers.cli;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.cli.options.CommonOption;
import org.trainyard.experiments.cli.options.ConfigOptions;
import org.trainyard.experiments.cli.options.JsonOption;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.FolderLock;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.papers.claims.ClaimRow;
import org.trainyard.experiments.papers.claims.ClaimTable;
import org.trainyard.experiments.papers.marl.MarlStudy;
import org.trainyard.experiments.papers.studies.Studies;
import org.trainyard.experiments.papers.studies.StudyRun;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sets the claims of papers beside our figures, with a verdict on each. */
@Command(
        name = "reproduce",
        description = {
            "Compare the claims of papers with our figures.",
            "Studies that are already in the folder are not run again."
        },
        subcommands = ReproduceCommand.ReproduceMarlCommand.class,
        footer = {"", "Example: trainyard reproduce dally --quick", "         trainyard reproduce all --json"})
public final class ReproduceCommand extends Subcommand {
    @Parameters(
            paramLabel = "PAPER",
            arity = "0..1",
            description =
                    "all, a-srpt, dally, spp, dapple, gadget, smd, pd-ors, sbp, bgl, adsp, adversarial, icefrog, marl or"
                            + " sjf-bco.")
    private @Nullable String paper;

    @Option(names = "--quick", description = "Run fewer episodes, seeds and clusters: all within five minutes.")
    private boolean quick;

    @Mixin
    private JsonOption json = new JsonOption();

    @Option(names = "--csv", description = "Print all rows as CSV.")
    private boolean csv;

    @Mixin
    private CommonOption out =
            CommonOption.out("Folder for the rows of finished studies (default: runs/claims, or runs/claims-quick).");

    @Override
    protected void run() {
        if (paper == null) {
            commandLine().usage(err());
            exitWith(CommandLine.ExitCode.USAGE);
            return;
        }
        String name = paper;
        Path folder = out.path(InputFiles.path("runs").resolve(quick ? "claims-quick" : "claims"));
        FolderLock.during(folder, () -> print(name, new StudyRun(quick, configs()), folder));
    }

    private static Path configs() {
        return Path.of(System.getProperty("trainyard.root", "."), "experiments", "configs");
    }

    /** Runs studies, keeps their rows and prints them. */
    private void print(String name, StudyRun run, Path folder) {
        List<List<ClaimRow>> studies = Studies.run(name, run, folder, system -> {
            err().println("study " + system);
            err().flush();
        });
        List<ClaimRow> all = studies.stream().flatMap(List::stream).toList();
        if (name.equals(Studies.ALL)) {
            AtomicFiles.write(folder.resolve("claims.json"), ClaimTable.json(all));
            AtomicFiles.write(folder.resolve("claims.csv"), ClaimTable.csv(all));
        }
        List<ClaimRow> shown = name.equals(Studies.ALL)
                ? studies.stream().map(ClaimRow::weakest).toList()
                : all;
        if (csv) {
            out().print(ClaimTable.csv(all));
        } else if (json.isGiven()) {
            out().println(ClaimTable.json(shown));
        } else {
            ClaimTable.answer(shown).print(out());
        }
        out().flush();
    }

    /** Repeats the experiments of multi-agent scheduling with graph networks and an interference model. */
    @Command(
            name = "marl",
            description = "Repeat the multi-agent study of arXiv 2112.13354 with its baselines, further "
                    + "schedulers, ablations and large clusters. Studies that are already in the folder are "
                    + "not run again.",
            footer = {"", "Example: trainyard reproduce marl --quick"})
    static final class ReproduceMarlCommand extends Subcommand {

        @Option(
                names = "--quick",
                description = "Train one seed in place of five, on smaller clusters: 15 min on two cores.")
        private boolean quick;

        @Mixin
        private JsonOption json = new JsonOption();

        @Mixin
        private ConfigOptions options = new ConfigOptions();

        @Override
        protected void run() {
            Path config =
                    Path.of(System.getProperty("trainyard.root", "."), "experiments", "configs", "papers", "marl.yaml");
            Path folder = options.folder(quick ? "marl-quick" : "marl");
            FolderLock.during(folder, () -> {
                List<ClaimRow> rows = new MarlStudy(config, quick, options.overrides(), folder).run();
                AtomicFiles.write(folder.resolve("claims.json"), ClaimTable.json(rows));
                AtomicFiles.write(folder.resolve("claims.csv"), ClaimTable.csv(rows));
                if (json.isGiven()) {
                    out().println(ClaimTable.json(rows));
                    return;
                }
                ClaimTable.answer(rows).print(out());
            });
        }
    }
}
