package org.trainyard.experiments.papers.adsp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.synchronisation.LossCurve;
import org.trainyard.env.synchronisation.StatisticalEfficiency;
import org.trainyard.env.synchronisation.SynchronisationModel;
import org.trainyard.env.synchronisation.Synchronised;
import org.trainyard.env.synchronisation.TimeToTarget;
import org.trainyard.env.synchronisation.UnevenWorkers;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.experiments.config.topology.Clusters;

/** The tables of the page on synchronisation are those that the code gives. */
class AdspPageTest {
    private static final Path DOCS = Path.of("docs", "notebook");
    private static final StatisticalEfficiency OURS = StatisticalEfficiency.OURS;
    private static final double[] HETEROGENEITY = {1.45, 2.0, 2.6, 3.2};
    private static final int WORKERS = 18;

    /** A row of the published totals: CIFAR-10 on three workers. */
    private record Published(String name, String label, double seconds, double steps) {}

    private static final List<Published> PUBLISHED = List.of(
            new Published("BSP", "bsp", 30336, 5420),
            new Published("SSP, s = 40", "ssp:40", 16308, 5909),
            new Published("ADACOMM", "adacomm", 3579, 6392),
            new Published("Fixed ADACOMM, 40 steps", "fixed-adacomm:40", 4901, 8400),
            new Published("ADSP", "adsp", 2448.6, 12709));

    /** Inferred by us from the rows of BSP and Fixed ADACOMM. */
    private static final UnevenWorkers TESTBED = UnevenWorkers.of(15.4, 2.2, 2.2, 2.2 / 3);

    private static SynchronisationModel model(String label) {
        return Objects.requireNonNull(SynchronisationModel.parse(label));
    }

    /** A loss from 0.6 to 0.2 in so many effective steps. */
    private static LossCurve curve(double steps) {
        return new LossCurve(8 / steps, 2, 0.1);
    }

    private static String line(String name, Object... fields) {
        StringBuilder line = new StringBuilder("| ").append(name).append(" |");
        for (Object field : fields) {
            line.append(' ').append(field).append(" |");
        }
        return line.append('\n').toString();
    }

    private static String whole(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }

    private static void requireOnPage(String table) throws IOException {
        assertThat(Files.readString(DOCS.resolve("synchronisation.md"))).contains(table);
    }

    @Test
    void published_times_stand_beside_ours() throws IOException {
        List<Double> bySteps = new ArrayList<>();
        List<Double> byLoss = new ArrayList<>();
        for (Published row : PUBLISHED) {
            bySteps.add(row.steps / model(row.label).pace(TESTBED, OURS).stepsPerSecond());
            byLoss.add(TimeToTarget.of(model(row.label), TESTBED, OURS, curve(5420), 0.2));
        }
        double published = PUBLISHED.get(4).seconds;
        StringBuilder table = new StringBuilder();
        for (int i = 0; i < PUBLISHED.size(); i++) {
            Published row = PUBLISHED.get(i);
            boolean isAdsp = i == 4;
            table.append(line(
                    row.name,
                    whole(row.seconds),
                    isAdsp ? "" : percent(1 - published / row.seconds),
                    whole(bySteps.get(i)),
                    isAdsp ? "" : percent(1 - bySteps.get(4) / bySteps.get(i)),
                    whole(byLoss.get(i)),
                    isAdsp ? "" : percent(1 - byLoss.get(4) / byLoss.get(i)),
                    String.format(Locale.ROOT, "%.2f", 5420 / row.steps),
                    String.format(
                            Locale.ROOT,
                            "%.2f",
                            model(row.label).pace(TESTBED, OURS).efficiency())));
        }
        requireOnPage(table.toString());
    }

    /** Speeds of mean 1 step per second, evenly spread. */
    private static UnevenWorkers spread(double heterogeneity) {
        double[] speeds = new double[WORKERS];
        double slowest = 1 / heterogeneity;
        for (int i = 0; i < WORKERS; i++) {
            speeds[i] = slowest + 2 * (1 - slowest) * i / (WORKERS - 1);
        }
        return UnevenWorkers.of(0.5, speeds);
    }

    private static double hours(String label, double heterogeneity) {
        return TimeToTarget.of(model(label), spread(heterogeneity), OURS, curve(360_000), 0.2) / 3600;
    }

    @Test
    void times_to_target_by_heterogeneity_are_those_of_the_table() throws IOException {
        StringBuilder table = new StringBuilder();
        for (String label : SynchronisationModel.labels()) {
            table.append(line(
                    "`" + label + "`",
                    Arrays.stream(HETEROGENEITY)
                            .mapToObj(spread -> String.format(Locale.ROOT, "%.2f", hours(label, spread)))
                            .toArray()));
        }
        requireOnPage(table.toString());
    }

    private static final ModelProfile RESNET50 =
            Objects.requireNonNull(ModelCatalog.standard().find("resnet50"));

    private static double effectiveSteps(Topology topology, TrainingPlan plan, Placement placement) {
        int gpus = placement.gpuCount();
        JobSpec job = new JobSpec(0, "job", 0, Demand.ofGpus(gpus), RESNET50, plan, 1);
        return gpus * new RingPerformance(topology, InterferenceModel.NONE).aloneRate(job, placement);
    }

    /** GPUs of the first so many servers from one on. */
    private static int[] servers(Topology topology, int first, int count) {
        int from = topology.firstGpu(first);
        int gpus = 0;
        for (int server = first; server < first + count; server++) {
            gpus += topology.gpusOn(server);
        }
        int[] all = new int[gpus];
        for (int i = 0; i < gpus; i++) {
            all[i] = from + i;
        }
        return all;
    }

    private static int[] both(int[] a, int[] b) {
        int[] all = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, all, a.length, b.length);
        return all;
    }

    @Test
    void the_worth_of_both_generations_is_that_of_the_table() throws IOException {
        Topology cluster = Clusters.resolve(
                "cluster", Path.of("clusters", "two-generations.yaml").toString());
        // Sixteen servers of 4 P100s, then eight of 8 A100s.
        int[] old = servers(cluster, 0, 2);
        int[] fast = servers(cluster, 16, 1);
        List<Placement> places = List.of(
                Placement.of(cluster, fast),
                Placement.of(cluster, old),
                Placement.of(cluster, both(old, fast)),
                Placement.of(cluster, servers(cluster, 16, 2)));
        double unit = effectiveSteps(cluster, TrainingPlan.RingAllReduce.INSTANCE, places.get(0));
        List<TrainingPlan> plans = new ArrayList<>(List.of(TrainingPlan.RingAllReduce.INSTANCE));
        for (String label : SynchronisationModel.labels()) {
            plans.add(new Synchronised(model("ours:" + label)));
        }
        StringBuilder table = new StringBuilder();
        for (TrainingPlan plan : plans) {
            table.append(line(
                    "`" + plan.label().replace("ours:", "") + "`",
                    places.stream()
                            .map(place ->
                                    String.format(Locale.ROOT, "%.2f", effectiveSteps(cluster, plan, place) / unit))
                            .toArray()));
        }
        requireOnPage(table.toString());
    }
}
