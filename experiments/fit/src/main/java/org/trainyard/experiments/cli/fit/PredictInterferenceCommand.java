package org.trainyard.experiments.cli.fit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.experiments.cli.options.CommonOption;
import org.trainyard.experiments.cli.options.JsonOption;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.CellFormat;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.prediction.InterferenceQuery;
import org.trainyard.interference.fit.FittedFiles;
import org.trainyard.interference.fit.FittedInterference;
import org.trainyard.interference.fit.PairPrediction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Predicts slowdowns with a fitted interference model. */
@Command(
        name = "interference",
        description = "Predict the slowdown of a job beside its neighbours.",
        footer = {
            "",
            "Example: trainyard predict interference --model my-model --victim FSDP,4,2 --with MoE,4,2 --scope nic",
            "         trainyard predict interference --model my-model --pairs pairs.csv --out slowdowns.csv"
        })
public final class PredictInterferenceCommand extends Subcommand {
    @Option(
            names = "--model",
            paramLabel = "DIR",
            description = "Folder written by `fit interference --data` (default: the model that ships).")
    private @Nullable String model;

    @Option(names = "--victim", paramLabel = "NAME", description = "Job type whose slowdown is predicted.")
    private @Nullable String victim;

    @Option(
            names = "--with",
            paramLabel = "NAME[,NAME]",
            description =
                    "Job types of its neighbours; a name that contains commas, such as FSDP,4,2, is " + "recognised.")
    private List<String> with = new ArrayList<>();

    @Option(
            names = "--scope",
            paramLabel = "SCOPE",
            description = "Shared resource: gpu, socket or nic (default: the model's only one, or by the names).")
    private @Nullable String scope;

    @Option(
            names = "--hardware",
            paramLabel = "NAME",
            description = "Hardware of the measurements, such as v100 (default: the most common one of the scope).")
    private @Nullable String hardware;

    @Option(
            names = "--pairs",
            paramLabel = "FILE.csv",
            description = "CSV file with columns victim and neighbour: predict every row.")
    private @Nullable String pairs;

    @Mixin
    private CommonOption out = CommonOption.outFile(
            "With --pairs: write the rows with columns slowdown, lower and upper to this file (default: standard output).");

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    protected void run() {
        FittedInterference fitted = model == null ? FittedFiles.shipped() : FittedFiles.read(InputFiles.path(model));
        InterferenceQuery query = new InterferenceQuery(fitted, scope, hardware);
        if (pairs != null) {
            InterferenceQuery.Table table = query.table(InputFiles.readable(InputFiles.path(pairs)));
            Path place = out.path();
            if (place == null) {
                out().print(table.csv());
            } else {
                AtomicFiles.write(place, table.csv());
                out().println(Counted.say("%s: %,d pairs", place, table.pairs()));
            }
        } else if (victim != null) {
            print(query.one(victim, with));
        } else {
            throw new InputException("predict: expected --victim with --with, or --pairs");
        }
    }

    private void print(InterferenceQuery.Answer answer) {
        PairPrediction slowdown = answer.prediction();
        if (json.isGiven()) {
            out().println(JsonText.of(slowdown));
        } else {
            out().println(CellFormat.number(
                    "slowdown %.3f, nine in ten between %.3f and %.3f (%s, scope %s)",
                    slowdown.slowdown(),
                    slowdown.lower(),
                    slowdown.upper(),
                    answer.domain().hardware(),
                    answer.domain().scope().label()));
        }
    }
}
