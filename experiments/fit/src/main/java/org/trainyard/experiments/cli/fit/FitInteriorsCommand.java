package org.trainyard.experiments.cli.fit;

import java.util.List;
import org.trainyard.experiments.cli.options.CommonOption;
import org.trainyard.experiments.cli.options.SeedOption;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.prediction.InteriorFit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Trains the level of a policy's encoder that reads the links inside servers. */
@Command(
        name = "interiors",
        description = "Train the intra-node encoder of a policy, which reads the links inside servers, on "
                + "drawn interiors.",
        footer = {
            "",
            "Example: trainyard fit interiors --out my-interiors.bin",
            "         trainyard train experiments/configs/quickstart.yaml --set network.inside.from=my-interiors.bin"
        })
public final class FitInteriorsCommand extends Subcommand {
    @Mixin
    private CommonOption out = CommonOption.outFile("File for the weights.").required();

    @Option(
            names = "--encoder",
            paramLabel = "KIND",
            description = "Hierarchical: messages between the GPUs of a set; Flat: two layers over the same links "
                    + "(default: ${DEFAULT-VALUE}).")
    private String encoder = "Hierarchical";

    @Option(
            names = "--hold-out",
            paramLabel = "NAME[,NAME]",
            split = ",",
            description = "Named interiors that it is not trained on (default: ${DEFAULT-VALUE}).")
    private List<String> heldOut = List.of("dgx1v", "mi250x");

    @Option(
            names = "--interiors",
            paramLabel = "N",
            description = "Number of drawn interiors (default: ${DEFAULT-VALUE}).")
    private int interiors = 500;

    @Option(
            names = "--steps",
            paramLabel = "N",
            description = "Steps of the optimiser, each on 384 sets (default: ${DEFAULT-VALUE}).")
    private int steps = 1500;

    @Mixin
    private SeedOption seed = new SeedOption();

    @Override
    protected void run() {
        InteriorFit.run(encoder, interiors, steps, heldOut, seed.value(), InputFiles.path(out.text()), out());
    }
}
