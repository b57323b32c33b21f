package org.trainyard.experiments.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.ring.LayeredRingPerformance;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.papers.dally.DallyStudy;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares Dally with a corrected Tiresias and with random placement, on jobs as in the Dally paper. */
@Command(
        name = "dally",
        description =
                "Compare Dally with a corrected Tiresias and with random placement, on jobs as in the Dally paper.",
        sortOptions = false,
        footer = {"", "Example: trainyard dally --jobs batch --cluster 2x4x8,4x4x8 --seeds 3"})
final class DallyCommand extends Subcommand {
    @Option(
            names = "--jobs",
            paramLabel = "KIND",
            description = "batch: 500 jobs submitted at once; week: 411 jobs submitted over a week (default: "
                    + "${DEFAULT-VALUE}).")
    private String jobs = "batch";

    @Option(
            names = "--cluster",
            split = ",",
            paramLabel = "NAME",
            description = "Clusters, each with at least 56 GPUs (default: 2x4x8,4x4x8,8x8x8).")
    private List<String> clusters = List.of("2x4x8", "4x4x8", "8x8x8");

    @Option(
            names = "--uneven",
            paramLabel = "RINGS",
            description = "All-reduce of a job with unequal numbers of GPUs per server or rack: nested (rings "
                    + "within rings, each as slow as the longest) or flat (one ring over all GPUs, as in "
                    + "Dally's simulator). Default: ${DEFAULT-VALUE}.")
    private String uneven = "nested";

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "Number of job sets to average over (default: ${DEFAULT-VALUE}).")
    private int seeds = 3;

    @Override
    protected void run() {
        DallyStudy.Jobs set = kind();
        LayeredRingPerformance.Uneven rings = rings();
        if (seeds < 1 || seeds > 1000) {
            throw InputException.at("--seeds", seeds, "a whole number in 1..1000");
        }
        List<Topology> topologies = new ArrayList<>();
        for (String name : clusters) {
            Topology topology = Clusters.resolve("--cluster", name);
            if (topology.gpus() < 56) {
                throw InputException.at("--cluster", name, "at least 56 GPUs, for the widest job");
            }
            topologies.add(topology);
        }
        for (Topology topology : topologies) {
            print(
                    topology,
                    DallyStudy.run(
                            topology,
                            set,
                            rings,
                            LongStream.rangeClosed(1, seeds).boxed().toList()));
        }
    }

    private DallyStudy.Jobs kind() {
        return switch (jobs) {
            case "batch" -> DallyStudy.Jobs.BATCH;
            case "week" -> DallyStudy.Jobs.WEEK;
            default -> throw InputException.at("--jobs", jobs, "batch or week");
        };
    }

    private LayeredRingPerformance.Uneven rings() {
        return switch (uneven) {
            case "nested" -> LayeredRingPerformance.Uneven.NESTED;
            case "flat" -> LayeredRingPerformance.Uneven.FLAT;
            default -> throw InputException.at("--uneven", uneven, "nested or flat");
        };
    }

    private void print(Topology topology, List<DallyStudy.Row> rows) {
        out().println("%s jobs on %s, %s rings, mean of %d seeds".formatted(jobs, topology, uneven, seeds));
        out().println();
        DallyStudy.table(rows).print(out());
        out().println();
    }
}
