package org.trainyard.experiments.cli.simulate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.cli.options.CommonOption;
import org.trainyard.experiments.cli.options.JsonOption;
import org.trainyard.experiments.cli.options.ReplaceOption;
import org.trainyard.experiments.cli.options.TableOption;
import org.trainyard.experiments.cli.options.VerboseOption;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.simulation.ExpectedHashes;
import org.trainyard.experiments.simulation.Simulation;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the output of a simulation, and for the event logs that it is verified against. */
final class OutputOptions {
    @Mixin
    private CommonOption out =
            CommonOption.out("Write summary.json, jobs.csv, series.csv, report.html and timing.json to this folder.");

    @Mixin
    private ReplaceOption replace = new ReplaceOption();

    @Option(
            names = "--verify-hash",
            paramLabel = "SHA|FILE",
            description = "Exit with code 1 unless the event logs have this SHA-256, or those of this summary.json.")
    private @Nullable String verify;

    @Mixin
    private TableOption table = new TableOption();

    @Mixin
    private JsonOption json = new JsonOption();

    @Mixin
    private VerboseOption verbose = new VerboseOption();

    boolean isJson() {
        return json.isGiven();
    }

    /**
     * Runs a simulation, prints its result and writes its files.
     *
     * @param described configuration of the simulation, for the files
     * @param whole the same with the schedulers and the seed; another one needs another folder
     * @param run runs it; the argument is the folder of the files, null without one
     * @return whether the event logs are those that were expected
     */
    boolean run(
            Simulation simulation,
            ObjectNode described,
            ObjectNode whole,
            Consumer<@Nullable RunDirectory> run,
            PrintWriter printed,
            PrintWriter err) {
        table.check();
        ExpectedHashes expected =
                verify == null ? null : ExpectedHashes.parse("--verify-hash", verify, simulation.schedulers());
        try (RunDirectory directory = directory(whole)) {
            run.accept(directory);
            Answer answer = simulation.answer(verbose.isGiven());
            if (json.isGiven()) {
                printed.print(JsonText.pretty(simulation.summary(described)));
            } else {
                answer.print(printed);
            }
            table.write(answer);
            if (directory != null) {
                simulation.write(directory, described);
            }
        }
        String differs = expected == null ? null : expected.difference(simulation.hashes());
        if (expected != null) {
            err.println("trainyard: " + (differs == null ? expected.verified(simulation.hashes()) : differs));
        }
        return differs == null;
    }

    private @Nullable RunDirectory directory(ObjectNode whole) {
        return out.path() == null ? null : RunDirectory.create(out.path(), JsonText.pretty(whole), replace.otherRun());
    }
}
