package org.trainyard.experiments.papers.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.experiments.cli.options.JsonOption;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.cli.simulate.DataOption;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.papers.claims.ClaimRow;
import org.trainyard.experiments.papers.claims.ClaimTable;
import org.trainyard.experiments.papers.records.Records;
import org.trainyard.experiments.papers.studies.RecordStudy;
import org.trainyard.experiments.papers.studies.Studies;
import org.trainyard.experiments.papers.studies.StudyRun;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the record book, and computes its rows again. */
@Command(
        name = "records",
        description = "Show published figures of schedulers beside ours, and verify ours by replay.",
        footer = {
            "",
            "Example: trainyard records",
            "         trainyard records muri --verify --data ../shared/data",
            "         trainyard records pollux --replay tiresias --workload 6"
        })
public final class RecordsCommand extends Subcommand {
    @Parameters(
            paramLabel = "NAME",
            arity = "0..1",
            description = "all (default), pollux, fgd, rltune, shockwave, muri or twin.")
    private String name = Studies.ALL;

    @Option(
            names = "--verify",
            description = "Compute the rows again; exit with code 1 where one differs, or its data are missing.")
    private boolean verify;

    @Option(names = "--update", description = "Compute the rows again and keep them, as JSON and as CSV.")
    private boolean update;

    @Option(
            names = "--replay",
            paramLabel = "SCHEDULER",
            description =
                    "Replay one workload of the record pollux under tiresias, optimus or pollux, in the physics of its artifact.")
    private @Nullable String replay;

    @Option(
            names = "--workload",
            paramLabel = "FILE",
            description = "With --replay: a workload of the artifact, or 1 to 8 for the published ones (default: 6).")
    private String workload = "6";

    @Mixin
    private JsonOption json = new JsonOption();

    @Mixin
    private DataOption data = new DataOption();

    @Override
    protected void run() {
        Path root = Path.of(System.getProperty("trainyard.root", "."));
        Path folder = data.path();
        StudyRun run = new StudyRun(false, root.resolve("experiments/configs"), folder);
        List<RecordStudy> chosen = Records.chosen(name);
        Path pages = root.resolve("experiments/docs/science");
        if (replay != null) {
            for (RecordStudy record : chosen) {
                replay(record.replay(folder, replay, workload));
            }
            return;
        }
        Map<String, List<ClaimRow>> kept = Records.kept(pages.resolve("records.json"));
        if (verify) {
            chosen.forEach(record -> verify(record, run, kept));
        } else if (update) {
            chosen.forEach(record -> update(record, run, kept));
            List<ClaimRow> all = kept.values().stream().flatMap(List::stream).toList();
            AtomicFiles.write(pages.resolve("records.json"), ClaimTable.json(all));
            AtomicFiles.write(pages.resolve("records.csv"), Records.csv(kept));
        } else {
            print(chosen.stream()
                    .flatMap(record -> Objects.requireNonNull(kept.get(record.system())).stream())
                    .toList());
        }
        out().flush();
    }

    private void replay(RecordStudy.Replay run) {
        if (json.isGiven()) {
            out().print(JsonText.pretty(run));
        } else {
            out().printf(
                            Locale.ROOT,
                            "%s, workload %s: %d jobs, mean JCT %,.1f s%n",
                            run.scheduler(),
                            run.workload(),
                            run.jobs().size(),
                            run.meanJctS());
        }
        out().flush();
    }

    private void print(List<ClaimRow> rows) {
        if (json.isGiven()) {
            out().print(ClaimTable.json(rows));
        } else {
            ClaimTable.ofRecords(rows).print(out());
        }
    }

    private boolean lacks(RecordStudy record, StudyRun run, String what) {
        String missing = record.missing(run.data());
        if (missing != null) {
            out().println("%s: %s, for %s is missing".formatted(record.system(), what, missing));
        }
        return missing != null;
    }

    private void verify(RecordStudy record, StudyRun run, Map<String, List<ClaimRow>> kept) {
        if (lacks(record, run, "not checked")) {
            exitWith(CommandLine.ExitCode.SOFTWARE);
            return;
        }
        List<ClaimRow> rows = Objects.requireNonNull(kept.get(record.system()));
        List<String> differences = Records.differences(rows, record.rows(run));
        differences.forEach(out()::println);
        if (differences.isEmpty()) {
            out().println(Counted.say("%s: equal, %d rows", record.system(), rows.size()));
        } else {
            exitWith(CommandLine.ExitCode.SOFTWARE);
        }
        out().flush();
    }

    private void update(RecordStudy record, StudyRun run, Map<String, List<ClaimRow>> kept) {
        if (!lacks(record, run, "kept as it is")) {
            err().println("record " + record.system());
            err().flush();
            List<ClaimRow> rows = record.rows(run);
            kept.put(record.system(), rows);
            print(rows);
        }
    }
}
