package org.trainyard.env.workload.goodput;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobKind;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.generator.JobMaker;
import org.trainyard.env.workload.generator.PolluxSettings;

/**
 * Draws jobs like those of Pollux' evaluation: its six applications, which adapt their batch, submitted over eight
 * hours.
 *
 * <p>Source: the workloads in the artifact of A. Qiao et al.: Pollux: co-adaptive cluster scheduling for
 * goodput-optimized deep learning, OSDI 2021: 2,560 jobs, of which the table has the number of each application and
 * demand, and of each hour. There 160 jobs are submitted to 64 GPUs. Our deviations: (1) applications, demands and
 * hours are drawn independently; (2) submissions are uniform in an hour; (3) no job asks for more GPUs than the cluster
 * has.
 */
public final class PolluxJobs implements JobMaker<PolluxSettings>, JobKind {
    /** Columns: application, GPUs asked for and the number of such jobs. */
    private static final String TABLE = """
            ncf         | 1:1017
            cifar10     | 6:259 8:239 12:251 16:227
            deepspeech2 | 6:71 8:75 12:78
            bert        | 6:41 8:39 12:43 16:52
            yolov3      | 4:123
            imagenet    | 24:17 32:15 48:13
            """;

    private static final int[] HOURS = {290, 262, 173, 311, 405, 584, 285, 250};
    private static final long HOUR_NANOS = 3_600_000_000_000L;
    /** The widest job of the applications. */
    public static final int MOST_GPUS = 64;

    private static final int GPUS_OF_A_SERVER = 4;

    private record Kind(String application, int gpus, int jobs) {}

    private static final List<Kind> KINDS =
            TABLE.lines().flatMap(PolluxJobs::kinds).toList();

    private static Stream<Kind> kinds(String row) {
        String[] cells = row.split("\\|", -1);
        return Arrays.stream(cells[1].strip().split(" +", -1)).map(cell -> {
            String[] pair = cell.split(":", -1);
            return new Kind(cells[0].strip(), Integer.parseInt(pair[0]), Integer.parseInt(pair[1]));
        });
    }

    /**
     * An application of {@link PolluxApplications} with its goodput that is submitted for so many GPUs, with the run
     * time on these.
     */
    public static TraceJob job(String id, long submitNanos, String application, GoodputProfile goodput, int gpus) {
        int feeds = PolluxApplications.isElastic(application) ? goodput.limits().mostReplicas() : gpus;
        int most = Math.max(gpus, Math.min(MOST_GPUS, feeds));
        int servers = -Math.floorDiv(-gpus, GPUS_OF_A_SERVER);
        double seconds = goodput.iterations() / goodput.meanIterationsPerSecond(servers, gpus);
        return new TraceJob(
                id,
                submitNanos,
                Demand.ofGpus(gpus).elastic(1, most),
                Math.round(seconds * 1e9),
                "pollux-" + application,
                null,
                application,
                null);
    }

    @Override
    public List<ModelProfile> models(Function<String, ModelProfile> known) {
        return PolluxModels.adapting(known);
    }

    @Override
    public Class<PolluxSettings> settings() {
        return PolluxSettings.class;
    }

    /** Sorted by submission. */
    @Override
    public List<TraceJob> make(PolluxSettings settings, Supplier<List<TraceJob>> others, Episode episode) {
        int jobs = episode.jobs();
        long seed = episode.seed();
        RandomGenerator random = RandomStreams.stream(seed, "pollux jobs");
        int[] weights = KINDS.stream().mapToInt(Kind::jobs).toArray();
        List<TraceJob> drawn = new ArrayList<>(jobs);
        for (int i = 0; i < jobs; i++) {
            long submit = Math.round((drawn(HOURS, random) + random.nextDouble()) * HOUR_NANOS / 1e9) * 1_000_000_000L;
            Kind kind = KINDS.get(drawn(weights, random));
            drawn.add(job(
                    String.format(Locale.ROOT, "%s-%d", kind.application(), i),
                    submit,
                    kind.application(),
                    Objects.requireNonNull(PolluxApplications.find(kind.application())),
                    Math.min(kind.gpus(), episode.gpus())));
        }
        drawn.sort(Comparator.comparingLong(TraceJob::submitNanos).thenComparing(TraceJob::id));
        return drawn;
    }

    private static int drawn(int[] weights, RandomGenerator random) {
        int left = random.nextInt(Arrays.stream(weights).sum());
        int at = 0;
        while (left >= weights[at]) {
            left -= weights[at++];
        }
        return at;
    }

    /**
     * The models of {@link PolluxApplications}: {@code pollux-bert}, {@code pollux-cifar10} and so on.
     *
     * <p>Their rates are those of their goodput on T4 servers, on whatever servers they run. What they share with
     * neighbours, gradients, memory and pressures, is that of the catalogue's model of the same network; YOLOv3 has
     * 61.9 million parameters and otherwise the values of resnet50.
     */
    private static final class PolluxModels {
        private static final Map<String, String> NETWORKS = Map.of(
                "bert",
                "bert",
                "cifar10",
                "resnet18",
                "deepspeech2",
                "deepspeech2",
                "imagenet",
                "resnet50",
                "ncf",
                "ncf");
        private static final double YOLO_GRADIENT_BYTES = 4 * 61.9e6;

        private PolluxModels() {}

        static List<ModelProfile> adapting(Function<String, ModelProfile> known) {
            List<ModelProfile> models = new ArrayList<>();
            for (String application : PolluxApplications.names()) {
                GoodputProfile goodput = Objects.requireNonNull(PolluxApplications.find(application));
                String network = NETWORKS.getOrDefault(application, "resnet50");
                ModelProfile base = Objects.requireNonNull(known.apply(network), network);
                models.add(new ModelProfile(
                                "pollux-" + application,
                                computeSeconds(goodput),
                                NETWORKS.containsKey(application) ? base.gradientBytes() : YOLO_GRADIENT_BYTES,
                                base.memoryBytes(),
                                base.pressure(),
                                base.sensitivity())
                        .attaching(GoodputProfile.class, goodput));
            }
            return models;
        }

        /** Compute of the smallest batch that is allowed, on a GPU of speed 1, seconds. */
        private static double computeSeconds(GoodputProfile goodput) {
            BatchLimits limits = goodput.limits();
            int batch = Math.min(limits.mostLocal(), Math.max(limits.initial(), limits.leastLocal()));
            return goodput.throughput().computeSeconds(batch) * GpuType.T4.speed();
        }
    }
}
