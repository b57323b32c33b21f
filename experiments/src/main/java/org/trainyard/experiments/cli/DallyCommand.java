package org.trainyard.experiments.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.ring.LayeredRingPerformance;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.io.TextTable;
import org.trainyard.experiments.papers.dally.DallyStudy;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints how Dally does beside a correct Tiresias and random placement, on jobs like those it was published with. */
@Command(
        name = "dally",
        description = "Dally beside a correct Tiresias and random placement, on jobs like those it was published with.",
        sortOptions = false,
        footer = {"", "Example: trainyard dally --jobs batch --cluster 2x4x8,4x4x8 --seeds 3"})
final class DallyCommand extends Subcommand {
    @Option(names = "--jobs", paramLabel = "KIND", description = "batch: 500 jobs at once; week: 411 jobs over a week.")
    private String jobs = "batch";

    @Option(
            names = "--cluster",
            split = ",",
            paramLabel = "NAME",
            description = "Clusters, at least 56 GPUs each (default: 2x4x8,4x4x8,8x8x8).")
    private List<String> clusters = List.of("2x4x8", "4x4x8", "8x8x8");

    @Option(
            names = "--uneven",
            paramLabel = "RINGS",
            description =
                    "All-reduce of a placement whose parts are not all alike: nested (default), rings within rings as long as "
                            + "the longest; or flat, one ring over all GPUs, as in Dally's simulator.")
    private String uneven = "nested";

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "Job sets to draw and average over (default: ${DEFAULT-VALUE}).")
    private int seeds = 3;

    @Override
    void run() {
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
        double oblivious = rows.get(rows.size() - 1).communicationHours();
        TextTable table = new TextTable(
                "scheduler",
                "makespan, h",
                "mean JCT, h",
                "communication per job, h",
                "less than random",
                "preemptions per job");
        for (DallyStudy.Row row : rows) {
            table.add(
                    row.scheduler(),
                    number("%.0f", row.makespanHours()),
                    number("%.1f", row.meanJctHours()),
                    number("%.2f", row.communicationHours()),
                    number("%.1f %%", 100 * (1 - row.communicationHours() / oblivious)),
                    number("%.1f", row.preemptions()));
        }
        table.print(out());
        out().println();
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
