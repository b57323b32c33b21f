package org.trainyard.experiments.cli.fit;

import java.nio.file.Path;
import java.util.List;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.interference.data.ModelSpeeds;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes a table of the models' speeds on GPU types from published throughputs. */
@Command(
        name = "speeds",
        description =
                "Make a table of how fast models train on GPU types, relative to the V100, from published throughputs.",
        sortOptions = false,
        footer = {
            "",
            "Example: trainyard fit speeds --data simulation_throughputs.json.gz --out my-speeds.csv",
            "         trainyard evaluate experiments/configs/auction/generations.yaml --set workload.speeds=my-speeds.csv"
        })
public final class FitSpeedsCommand extends Subcommand {
    @Option(
            names = "--data",
            required = true,
            paramLabel = "FILE",
            description =
                    "Throughputs: a file of Gavel, or a folder of ElasticFlow such as throughputs_A100. Repeatable; the "
                            + "first with rates of a model on a GPU type counts.")
    private List<String> data = List.of();

    @Option(
            names = "--out",
            required = true,
            paramLabel = "FILE",
            description = "File for the table, with the columns model,gpu_type,speed.")
    private String out = "";

    @Override
    protected void run() {
        Path file = InputFiles.path(out);
        ModelSpeeds table = ModelSpeeds.read(data.stream().map(InputFiles::path).toList());
        AtomicFiles.write(file, table.csv());
        table.remarks().forEach(remark -> out().println("note: " + remark));
        out().println("%s: models with speeds: %d (%s)"
                .formatted(
                        file,
                        table.speeds().size(),
                        String.join(", ", table.speeds().keySet())));
    }
}
