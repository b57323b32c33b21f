package org.trainyard.experiments.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.TextTable;
import org.trainyard.experiments.prediction.InterferenceQuery;
import org.trainyard.interference.fit.FittedFiles;
import org.trainyard.interference.fit.FittedInterference;
import org.trainyard.interference.fit.PairPrediction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Asks a fitted predictor of interference. */
@Command(
        name = "interference",
        description = "Ask a fitted predictor how much a job is slowed by its neighbours.",
        sortOptions = false,
        footer = {
            "",
            "Example: trainyard predict interference --model my-model --victim FSDP,4,2 --with MoE,4,2 --scope nic",
            "         trainyard predict interference --model my-model --pairs pairs.csv --out slowdowns.csv"
        })
final class PredictInterferenceCommand extends Subcommand {
    @Option(
            names = "--model",
            paramLabel = "DIR",
            description = "A folder that 'fit interference --data' wrote (default: the one that ships).")
    private @Nullable String model;

    @Option(names = "--victim", paramLabel = "NAME", description = "The job that is slowed.")
    private @Nullable String victim;

    @Option(
            names = "--with",
            paramLabel = "NAME[,NAME]",
            description = "Its neighbours; a name with commas in it, such as FSDP,4,2, is kept whole.")
    private List<String> with = new ArrayList<>();

    @Option(
            names = "--scope",
            paramLabel = "SCOPE",
            description =
                    "What they share: gpu, socket, nic (default: the only one the model has, or that of the names).")
    private @Nullable String scope;

    @Option(names = "--hardware", paramLabel = "NAME", description = "On what, such as v100 (default: the usual one).")
    private @Nullable String hardware;

    @Option(names = "--pairs", paramLabel = "FILE.csv", description = "Many pairs: columns victim and neighbour.")
    private @Nullable String pairs;

    @Option(
            names = "--out",
            paramLabel = "FILE.csv",
            description = "Where the pairs go with slowdown, lower and upper added (default: the screen).")
    private @Nullable String out;

    @Option(names = "--json", description = "Answer in JSON.")
    private boolean json;

    @Override
    void run() {
        FittedInterference fitted = model == null ? FittedFiles.shipped() : FittedFiles.read(InputFiles.path(model));
        InterferenceQuery query = new InterferenceQuery(fitted, scope, hardware);
        if (pairs != null) {
            InterferenceQuery.Table table = query.table(InputFiles.readable(InputFiles.path(pairs)));
            if (out == null) {
                out().print(table.csv());
            } else {
                AtomicFiles.write(InputFiles.path(out), table.csv());
                out().println("%s: %,d pairs".formatted(out, table.pairs()));
            }
        } else if (victim != null) {
            print(query.one(victim, with));
        } else {
            throw new InputException("predict: expected --victim with --with, or --pairs");
        }
    }

    private void print(InterferenceQuery.Answer answer) {
        PairPrediction slowdown = answer.prediction();
        if (json) {
            out().println(JsonText.of(slowdown));
        } else {
            out().println(TextTable.number(
                    "slowdown %.3f, nine in ten between %.3f and %.3f (%s, scope %s)",
                    slowdown.slowdown(),
                    slowdown.lower(),
                    slowdown.upper(),
                    answer.domain().hardware(),
                    answer.domain().scope().label()));
        }
    }
}
