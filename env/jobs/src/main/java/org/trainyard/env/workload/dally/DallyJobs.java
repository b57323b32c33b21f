package org.trainyard.env.workload.dally;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.Workload;

/**
 * Draws jobs like those of Dally's evaluation: numbers and GPU demands are those of its trace, work is drawn.
 *
 * <p>Source: A. Sharma et al.: GPU cluster scheduling for network-sensitive deep learning, 2024; the statistics are of
 * the job lists in its public repository (SenseTime's jobs of 2020, as in Helios, with names of models attached):
 * demands per model, and mean and standard deviation of the logarithm of serial work. A job's recorded time counts
 * there as work on one GPU, so on n GPUs it ideally takes an n-th of it. Our deviations: (1) work is log-normal, cut at
 * the longest job there was, and scaled so that it adds up to the hours there were; (2) the models of the Poisson week
 * are not known by us: each is drawn as often as the batch has it at that demand; (3) ideal rates are those of
 * computing alone.
 */
public final class DallyJobs {
    private static final double LONGEST_SECONDS = 1.17e6;
    private static final double BATCH_HOURS = 13_054;
    private static final double WEEK_HOURS = 13_413;
    private static final double MEAN_SECONDS_BETWEEN_JOBS = 1_472;
    private static final String WEEK_DEMANDS = "2:41 3:1 4:96 8:190 16:56 32:23 40:2 48:1 56:1";

    /** The models, and the jobs that train them. */
    private static final List<Kind> KINDS = List.of(
            Kind.of("MobileNetV3", 52, 9.87, 0.063, 11.43, 0.84, "1:17 2:2 4:15 8:52 16:26 32:10 40:1 48:1 56:1"),
            Kind.of("BERT-large", 66, 562.0, 1.711, 11.49, 0.68, "1:94 2:4 4:7 8:15 16:5"),
            Kind.of("ResNet-50", 54, 102.0, 11.82, 11.35, 0.62, "1:67 2:7 4:16 8:27 16:7 32:1"),
            Kind.of("ResNet-18", 21, 46.7, 0.180, 9.12, 0.11, "1:35 4:3"),
            Kind.of("AlexNet", 8, 244.4, 1.207, 9.08, 0.13, "1:27 4:9 8:13 16:4"),
            Kind.of("VGG-11", 11, 531.4, 3.837, 9.09, 0.12, "1:30 4:2 8:2"));

    private static final List<String> SPREAD_BY_TIRESIAS = List.of("ResNet-50", "ResNet-18", "BERT-large");

    /** A model: what an iteration on one GPU computes and all-reduces, and the jobs that train it. */
    private record Kind(
            ModelProfile profile,
            int layers,
            double logMeanSeconds,
            double logDeviation,
            Map<Integer, Integer> jobsByGpus) {
        static Kind of(
                String name,
                int layers,
                double gradientMegabytes,
                double computeMillis,
                double logMeanSeconds,
                double logDeviation,
                String demands) {
            Pressure none = new Pressure(0, 0, 0);
            ModelProfile profile = new ModelProfile(name, computeMillis / 1e3, gradientMegabytes * 1e6, 1, none, none);
            return new Kind(profile, layers, logMeanSeconds, logDeviation, parse(demands));
        }

        double serialSeconds(RandomGenerator random) {
            return Math.min(LONGEST_SECONDS, Math.exp(logMeanSeconds + logDeviation * random.nextGaussian()));
        }
    }

    /**
     * Jobs to be run.
     *
     * @param idealSeconds of each, its run time without communication
     */
    public record Drawn(Workload workload, List<Double> idealSeconds) {
        public Drawn {
            idealSeconds = List.copyOf(idealSeconds);
        }
    }

    private record Draft(Kind kind, int gpus, double serialSeconds) {}

    private DallyJobs() {}

    /** 500 jobs, all submitted at zero, in random order. */
    public static Drawn batch(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "dally batch");
        List<Draft> drafts = new ArrayList<>();
        for (Kind kind : KINDS) {
            kind.jobsByGpus.forEach((gpus, jobs) -> {
                for (int i = 0; i < jobs; i++) {
                    drafts.add(new Draft(kind, gpus, kind.serialSeconds(random)));
                }
            });
        }
        shuffle(drafts, random);
        return made(drafts, new double[drafts.size()], BATCH_HOURS);
    }

    /** 411 jobs of several GPUs over a week, exponential times between them. */
    public static Drawn week(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "dally week");
        List<Draft> drafts = new ArrayList<>();
        parse(WEEK_DEMANDS).forEach((gpus, jobs) -> {
            for (int i = 0; i < jobs; i++) {
                Kind kind = kindAt(gpus, random);
                drafts.add(new Draft(kind, gpus, kind.serialSeconds(random)));
            }
        });
        shuffle(drafts, random);
        double[] submitSeconds = new double[drafts.size()];
        for (int i = 1; i < submitSeconds.length; i++) {
            submitSeconds[i] = submitSeconds[i - 1] - MEAN_SECONDS_BETWEEN_JOBS * Math.log(1 - random.nextDouble());
        }
        return made(drafts, submitSeconds, WEEK_HOURS);
    }

    /** How many layers of the model are all-reduced. */
    public static int layers(ModelProfile model) {
        for (Kind kind : KINDS) {
            if (kind.profile.name().equals(model.name())) {
                return kind.layers;
            }
        }
        throw new IllegalArgumentException("model (%s) is none of Dally's".formatted(model.name()));
    }

    /** Whether Dally's authors had Tiresias consolidate the model. */
    public static boolean isConsolidatedByTiresias(ModelProfile model) {
        return !SPREAD_BY_TIRESIAS.contains(model.name());
    }

    public static List<ModelProfile> models() {
        return KINDS.stream().map(kind -> kind.profile).toList();
    }

    private static Map<Integer, Integer> parse(String demands) {
        Map<Integer, Integer> parsed = new TreeMap<>();
        for (String entry : List.of(demands.split(" ", -1))) {
            List<String> parts = List.of(entry.split(":", -1));
            parsed.put(Integer.valueOf(parts.get(0)), Integer.valueOf(parts.get(1)));
        }
        return parsed;
    }

    /**
     * A model drawn by its frequency in the batch at this demand; at a demand that the batch lacks, by its frequency
     * among gangs.
     */
    private static Kind kindAt(int gpus, RandomGenerator random) {
        boolean isKnown = KINDS.stream().anyMatch(kind -> kind.jobsByGpus.containsKey(gpus));
        int[] weights = KINDS.stream()
                .mapToInt(kind -> isKnown
                        ? kind.jobsByGpus.getOrDefault(gpus, 0)
                        : kind.jobsByGpus.values().stream()
                                        .mapToInt(jobs -> jobs)
                                        .sum()
                                - kind.jobsByGpus.getOrDefault(1, 0))
                .toArray();
        int left = random.nextInt(IntStream.of(weights).sum());
        int at = 0;
        while (left >= weights[at]) {
            left -= weights[at++];
        }
        return KINDS.get(at);
    }

    private static void shuffle(List<Draft> drafts, RandomGenerator random) {
        for (int i = drafts.size() - 1; i > 0; i--) {
            drafts.set(i, drafts.set(random.nextInt(i + 1), drafts.get(i)));
        }
    }

    private static Drawn made(List<Draft> drafts, double[] submitSeconds, double hours) {
        double scale =
                hours * 3600 / drafts.stream().mapToDouble(Draft::serialSeconds).sum();
        List<JobSpec> jobs = new ArrayList<>();
        List<Double> idealSeconds = new ArrayList<>();
        double[] iterations = new double[drafts.size()];
        for (int i = 0; i < iterations.length; i++) {
            Draft draft = drafts.get(i);
            ModelProfile model = draft.kind().profile;
            double rate = 1 / model.computeSeconds();
            double ideal = scale * draft.serialSeconds() / draft.gpus();
            jobs.add(new JobSpec(
                    i, "j%03d".formatted(i), Math.round(submitSeconds[i] * 1e9), draft.gpus(), model, rate));
            idealSeconds.add(ideal);
            iterations[i] = ideal * rate;
        }
        return new Drawn(new Workload(jobs, iterations), idealSeconds);
    }
}
