package org.trainyard.experiments.papers.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.cli.options.CommonOption;
import org.trainyard.experiments.cli.options.JsonOption;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.FolderLock;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.planning.PlanComparison;
import org.trainyard.experiments.planning.PlanPage;
import org.trainyard.experiments.planning.ProfileFiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Plans the pipeline of one model on GPUs of a cluster. */
@Command(
        name = "plan",
        hidden = true,
        description = "Plan the pipeline stages or tensor layouts of a model on GPUs of a cluster.",
        footer = {"", "Example: trainyard plan gpt2-xl --cluster 2x8 --planner all"})
public final class PlanCommand extends Subcommand {
    private static final int MOST_MICRO_BATCHES = 4096;
    private static final int MOST_GPUS = 128;

    @Parameters(
            paramLabel = "PROFILE",
            description = "Name of a model, or file with a layer table or with a layer graph of PipeDream's profiler.")
    private @Nullable String profile;

    @Mixin
    private CommonOption cluster = CommonOption.cluster(
                    "Cluster: a name, a shorthand such as 2x8 or a topology file (default: ${DEFAULT-VALUE}).")
            .or("2x8");

    @Option(
            names = "--gpus",
            paramLabel = "GPUS",
            description = "Numbers and ranges of the GPUs, such as 0-7,12 (default: all).")
    private @Nullable String gpus;

    @Option(
            names = "--micro-batches",
            paramLabel = "N",
            description = "Number of micro-batches of one iteration (default: 8).")
    private @Nullable Integer microBatches;

    @Option(
            names = "--batch",
            paramLabel = "SAMPLES",
            description = "Samples of one iteration, in micro-batches of the profile's size or in "
                    + "--micro-batches, scaled in proportion.")
    private @Nullable Integer batch;

    @Option(
            names = "--planner",
            paramLabel = "NAMES",
            split = ",",
            description = "Planners: spp, dapple, pipedream, gpipe, hetpipe, dp, sbp, or all. Default: spp,dapple.")
    private List<String> planners = List.of("spp", "dapple");

    @Option(
            names = "--dapple-constants",
            description = "Use the bandwidths, formulas and search of DAPPLE's released code.")
    private boolean dappleConstants;

    @Mixin
    private JsonOption json = new JsonOption();

    @Mixin
    private CommonOption out = CommonOption.out("Folder for plan.html, the charts of all pipelines.");

    @Override
    protected void run() {
        PlanComparison comparison = comparison();
        Path folder = out.path();
        if (folder != null) {
            FolderLock.during(folder, () -> AtomicFiles.write(folder.resolve("plan.html"), PlanPage.of(comparison)));
        }
        if (json.isGiven()) {
            out().println(JsonText.of(comparison.json()));
        } else {
            comparison.answer().print(out());
        }
    }

    private PlanComparison comparison() {
        LayerProfile read = ProfileFiles.read(String.valueOf(profile));
        int count = microBatches(read);
        LayerProfile model = batch == null ? read : read.withMicroBatch(batch / count);
        Topology topology = Clusters.resolve("--cluster", cluster.text());
        List<String> names = planners.contains("all") ? all() : planners;
        if (dappleConstants) {
            if (gpus != null) {
                throw InputException.at("--gpus", gpus, "no choice of GPUs with --dapple-constants");
            }
            return PlanComparison.withDappleConstants(model, topology.servers(), topology.widestServer(), count, names);
        }
        return PlanComparison.on(model, topology, Placement.of(topology, gpus(topology)), count, names);
    }

    /** How many micro-batches an iteration has; a batch is a multiple of them, or of the profile's. */
    private int microBatches(LayerProfile read) {
        int count = microBatches != null ? microBatches : batch == null ? 8 : Math.max(1, batch / read.microBatch());
        InputException.within(1, MOST_MICRO_BATCHES, "--micro-batches", count);
        int divisor = microBatches == null ? read.microBatch() : count;
        if (batch != null && (batch < 1 || batch % divisor != 0)) {
            throw InputException.at("--batch", batch, "a multiple of %d".formatted(divisor));
        }
        return count;
    }

    private List<String> all() {
        return PlanComparison.planners().stream()
                .filter(name -> !dappleConstants || !name.equals(PlanComparison.MIXED))
                .toList();
    }

    private int[] gpus(Topology topology) {
        String text = gpus == null ? "0-" + (topology.gpus() - 1) : gpus;
        IntStream chosen = IntStream.empty();
        for (String part : text.split(",", -1)) {
            if (!part.matches("\\d{1,7}(-\\d{1,7})?")) {
                throw InputException.at("--gpus", part, "a number or a range such as 0-7");
            }
            String[] ends = part.split("-", -1);
            int last = Integer.parseInt(ends[ends.length - 1]);
            if (last >= topology.gpus() || Integer.parseInt(ends[0]) > last) {
                throw InputException.at("--gpus", part, "GPUs of 0 to %d, in order".formatted(topology.gpus() - 1));
            }
            chosen = IntStream.concat(chosen, IntStream.rangeClosed(Integer.parseInt(ends[0]), last));
        }
        int[] numbers = chosen.distinct().toArray();
        if (numbers.length > MOST_GPUS) {
            throw InputException.at("--gpus", numbers.length + " GPUs", "at most " + MOST_GPUS);
        }
        return numbers;
    }
}
