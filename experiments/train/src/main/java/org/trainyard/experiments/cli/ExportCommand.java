package org.trainyard.experiments.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.cli.options.CommonOption;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.export.PolicyExport;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.training.Checkpoint;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Exports a trained policy to ONNX. */
@Command(
        name = "export",
        description = {
            "Export a trained policy to ONNX.",
            "The folder also has the contract, the weights, the model card and an example in Python. The command fails unless"
                    + " ONNX Runtime repeats recorded decisions of the policy in Java."
        },
        footer = {"", "Example: trainyard export checkpoints/default --out exports/default"})
public final class ExportCommand extends Subcommand {
    private static final int DECISIONS = 1000;

    @Parameters(paramLabel = "CHECKPOINT", description = "Folder of a checkpoint or of a training run.")
    private @Nullable String checkpoint;

    @Mixin
    private CommonOption out =
            CommonOption.out("Folder for the export; must be empty.").required();

    @Option(names = "--force", description = "Replace an earlier export in the folder.")
    private boolean force;

    @Override
    protected void run() {
        Checkpoint source = Checkpoint.open("export", InputFiles.path(String.valueOf(checkpoint)));
        Path folder = InputFiles.path(out.text());
        String compared = new PolicyExport(source).write(folder, force, DECISIONS);
        out().println("%s: %s".formatted(folder, compared));
    }
}
