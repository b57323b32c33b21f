package org.trainyard.env.workload.generator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Invalid;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.JobKind;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.ScalingCurve;
import org.trainyard.env.workload.TraceJob;

/**
 * The training models known by name, and the mix from which jobs without a model are given one.
 *
 * <p>Where the values of the table come from:
 *
 * <ul>
 *   <li>compute per iteration, on one V100: resnet18, shufflenet, vgg16, vgg19, bert, gpt2, a2c and dqn are the GPU
 *       stage (resource 1, one GPU) that Muri measured (Y. Zhao et al., SIGCOMM 2022); resnet50 (batch 64), transformer
 *       (64) and lstm (80) are the single-V100 step times of Gavel (D. Narayanan et al., OSDI 2020); deepspeech2 (batch
 *       20) and ncf (1,025) are Pollux' step times on a T4 (A. Qiao et al., OSDI 2021) times its speed of 0.5. The
 *       other convolutional networks are scaled by the multiply-adds of one image: from resnet50, vgg11 from vgg16,
 *       mobilenet from shufflenet. dlrm is ours.
 *   <li>parameters: as published with each model; gradients are 4 bytes each. Of dlrm only the dense part is
 *       all-reduced; a2c and dqn have the network of V. Mnih et al. (Nature 2015).
 *   <li>memory, pressures and sensitivities: our own, round. Large gradients give a high pressure on the NIC and
 *       sensitivity there, input pipelines with many decoded images or environments on PCIe and host memory, dense
 *       arithmetic on the socket's power; the GPU value is the part of its time that a job keeps its GPU busy.
 *   <li>the mix: our own.
 *   <li>models of a {@link JobKind}, which no job is given that does not ask for one.
 * </ul>
 */
public final class ModelCatalog {
    /**
     * Columns: name, seconds, million parameters, GiB, pressure gpu/socket/pcie/nic, sensitivity gpu/socket/pcie/nic,
     * share of the mix, aliases.
     */
    private static final String TABLE = """
            resnet50      | 0.2275 |  25.56 | 10 | 0.90 0.4 0.5 0.4 | 0.90 0.3 0.5 0.3 | 0.16 | resnet50imagenet imagenet
            bert          | 0.160  | 110.0  | 14 | 0.95 0.5 0.2 0.7 | 0.95 0.3 0.2 0.6 | 0.14 | bertbase bertsquad
            gpt2          | 0.410  | 124.4  | 18 | 0.95 0.7 0.2 0.6 | 0.95 0.4 0.2 0.5 | 0.12 | gpt2small
            transformer   | 0.116  |  65.0  |  9 | 0.80 0.5 0.2 0.6 | 0.80 0.3 0.2 0.6 | 0.10 | transformerbase
            lstm          | 0.0354 |  66.0  |  6 | 0.70 0.2 0.2 0.9 | 0.70 0.2 0.2 0.9 | 0.08 | lm languagemodel
            deepspeech2   | 0.340  |  38.0  | 12 | 0.60 0.3 0.4 0.4 | 0.60 0.3 0.4 0.3 | 0.08 | speech
            vgg16         | 0.068  | 138.36 |  9 | 0.95 0.5 0.4 1.0 | 0.95 0.3 0.4 0.9 | 0.08 |
            inception3    | 0.316  |  23.8  | 11 | 0.90 0.4 0.5 0.3 | 0.90 0.3 0.5 0.3 | 0.06 | inceptionv3
            mobilenetv2   | 0.121  |   3.5  |  8 | 0.60 0.2 0.8 0.1 | 0.60 0.3 0.8 0.1 | 0.06 | mobilenet
            dlrm          | 0.030  |   2.4  | 16 | 0.30 0.6 0.7 0.3 | 0.30 0.6 0.7 0.4 | 0.06 |
            ncf           | 0.0043 |  31.8  |  4 | 0.30 0.3 0.3 0.9 | 0.30 0.3 0.3 0.9 | 0.06 | recommendation
            resnet18      | 0.110  |  11.69 |  7 | 0.70 0.3 0.8 0.3 | 0.70 0.3 0.8 0.2 | 0    | cifar10 resnet18cifar10
            resnet101     | 0.433  |  44.55 | 14 | 0.95 0.5 0.4 0.4 | 0.95 0.3 0.4 0.3 | 0    |
            resnet152     | 0.638  |  60.19 | 18 | 0.95 0.5 0.4 0.4 | 0.95 0.3 0.4 0.3 | 0    |
            inception4    | 0.683  |  42.7  | 16 | 0.95 0.5 0.4 0.3 | 0.95 0.3 0.4 0.3 | 0    | inceptionv4
            googlenet     | 0.083  |   6.62 |  6 | 0.70 0.3 0.7 0.2 | 0.70 0.3 0.7 0.2 | 0    | inceptionv1
            alexnet       | 0.039  |  61.1  |  5 | 0.60 0.2 0.9 0.9 | 0.60 0.2 0.9 0.8 | 0    |
            vgg11         | 0.033  | 132.86 |  8 | 0.90 0.4 0.5 1.0 | 0.90 0.3 0.5 0.9 | 0    |
            vgg19         | 0.080  | 143.67 | 10 | 0.95 0.5 0.4 1.0 | 0.95 0.3 0.4 0.9 | 0    |
            shufflenetv2  | 0.059  |   2.28 |  6 | 0.50 0.2 0.9 0.1 | 0.50 0.3 0.9 0.1 | 0    | shufflenet shufflenetv2x10
            a2c           | 0.014  |   1.69 |  3 | 0.30 0.8 0.6 0.1 | 0.30 0.9 0.6 0.1 | 0    | a3c
            dqn           | 0.008  |   1.69 |  4 | 0.30 0.8 0.6 0.1 | 0.30 0.9 0.6 0.1 | 0    |
            """;

    private static final String NEUTRAL = "neutral";

    private static final ModelCatalog STANDARD = new ModelCatalog(TABLE);

    private final Map<String, ModelProfile> byName = new HashMap<>();
    private final List<ModelProfile> profiles = new ArrayList<>();
    private final double[] shares;
    private final ModelProfile neutral;

    private ModelCatalog(String table) {
        List<String> rows = table.lines().toList();
        shares = new double[rows.size()];
        for (int i = 0; i < shares.length; i++) {
            List<String> cells = List.of(rows.get(i).split("\\|", -1));
            ModelProfile profile = new ModelProfile(
                    cells.get(0).strip(),
                    Double.parseDouble(cells.get(1)),
                    Double.parseDouble(cells.get(2)) * 4e6,
                    Long.parseLong(cells.get(3).strip()) << 30,
                    pressure(cells.get(4)),
                    pressure(cells.get(5)));
            profile = profile.with(ModelMeasurements.speeds(profile.name()), ModelMeasurements.scaling(profile.name()));
            shares[i] = Double.parseDouble(cells.get(6));
            profiles.add(profile);
            byName.put(key(profile.name()), profile);
            for (String alias : cells.get(7).strip().split(" ", -1)) {
                byName.put(alias, profile);
            }
        }
        byName.remove("");
        neutral = mean();
        byName.put(NEUTRAL, neutral);
        JobKind.all().stream()
                .flatMap(kind -> kind.models(name -> byName.get(key(name))).stream())
                .toList()
                .forEach(model -> byName.put(key(model.name()), model));
    }

    private static Pressure pressure(String cell) {
        String[] parts = cell.strip().split(" ", -1);
        return new Pressure(
                Double.parseDouble(parts[0]),
                Double.parseDouble(parts[1]),
                Double.parseDouble(parts[2]),
                Double.parseDouble(parts[3]));
    }

    /** A catalogue of all models of another one, which draws only those in the mix, each with an equal share. */
    private ModelCatalog(ModelCatalog whole, List<String> mix) {
        profiles.addAll(whole.profiles);
        byName.putAll(whole.byName);
        neutral = whole.neutral;
        shares = new double[profiles.size()];
        for (String name : mix) {
            int index = profiles.indexOf(whole.byName.get(key(name)));
            Invalid.when(index < 0, "model %s is not in the catalogue", name);
            shares[index] += 1.0 / mix.size();
        }
    }

    /**
     * This catalogue with a mix of equal shares of some models.
     *
     * @throws IllegalArgumentException when it lacks one of them
     */
    public ModelCatalog withMix(List<String> models) {
        return new ModelCatalog(this, models);
    }

    private ModelCatalog(ModelCatalog whole, Map<String, Map<String, Double>> speeds) {
        profiles.addAll(whole.profiles);
        byName.putAll(whole.byName);
        neutral = whole.neutral;
        shares = whole.shares.clone();
        speeds.forEach((name, ofModel) -> {
            ModelProfile old = byName.get(key(name));
            int index = profiles.indexOf(old);
            if (old == null || index < 0) {
                throw new IllegalArgumentException("model %s is not in the catalogue".formatted(name));
            }
            ModelProfile measured = old.with(ofModel, old.scaling());
            profiles.set(index, measured);
            byName.replaceAll((anyName, profile) -> profile.equals(old) ? measured : profile);
        });
    }

    /**
     * This catalogue with other speeds of some models.
     *
     * @param speeds by model, and by GPU type relative to the V100
     * @throws IllegalArgumentException when it lacks one of the models
     */
    public ModelCatalog withSpeeds(Map<String, Map<String, Double>> speeds) {
        return new ModelCatalog(this, speeds);
    }

    /** The catalogue that is built in. */
    public static ModelCatalog standard() {
        return STANDARD;
    }

    /** Every profile of the table, those of the mix first. */
    public List<ModelProfile> profiles() {
        return List.copyOf(profiles);
    }

    /**
     * The profile of a job of which nothing is known: the mean of the mix, geometric for times and sizes. It is not
     * among {@link #profiles}.
     */
    public ModelProfile neutral() {
        return neutral;
    }

    private ModelProfile mean() {
        double[] logs = new double[3];
        double[] loads = new double[8];
        for (int i = 0; i < shares.length; i++) {
            ModelProfile profile = profiles.get(i);
            Pressure pressure = profile.pressure();
            Pressure sensitivity = profile.sensitivity();
            double[] sizes = {profile.computeSeconds(), profile.gradientBytes(), profile.memoryBytes()};
            double[] of = {
                pressure.gpu(), pressure.socket(), pressure.pcie(), pressure.nic(),
                sensitivity.gpu(), sensitivity.socket(), sensitivity.pcie(), sensitivity.nic()
            };
            for (int k = 0; k < logs.length; k++) {
                logs[k] += shares[i] * Math.log(sizes[k]);
            }
            for (int k = 0; k < loads.length; k++) {
                loads[k] += shares[i] * of[k];
            }
        }
        return new ModelProfile(
                NEUTRAL,
                Math.exp(logs[0]),
                Math.exp(logs[1]),
                Math.round(Math.exp(logs[2])),
                new Pressure(loads[0], loads[1], loads[2], loads[3]),
                new Pressure(loads[4], loads[5], loads[6], loads[7]));
    }

    /** A profile's share of the mix, 0..1; the shares add up to one. */
    public double share(ModelProfile profile) {
        int index = profiles.indexOf(profile);
        return index < 0 ? 0 : shares[index];
    }

    /**
     * The profile of a model by any of its names; case, blanks, dots, dashes and underscores do not matter. Null when
     * unknown.
     */
    public @Nullable ModelProfile find(String name) {
        return byName.get(key(name));
    }

    private static String key(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        StringBuilder key = new StringBuilder(lower.length());
        for (int i = 0; i < lower.length(); i++) {
            char c = lower.charAt(i);
            if (c != '-' && c != '_' && c != '.' && c != ' ') {
                key.append(c);
            }
        }
        return key.toString();
    }

    /** A profile drawn from the mix; one number is taken from the generator. */
    public ModelProfile draw(RandomGenerator random) {
        double left = random.nextDouble();
        int last = 0;
        for (int i = 0; i < shares.length; i++) {
            if (shares[i] > 0) {
                last = i;
                left -= shares[i];
                if (left < 0) {
                    break;
                }
            }
        }
        return profiles.get(last);
    }

    /**
     * The profile of a job without a model, drawn by the seed and the job's group, else its user, else its id; so all
     * runs of a recurring job train one model.
     */
    public ModelProfile drawFor(TraceJob job, long seed) {
        String who = job.group() != null
                ? "group " + job.group()
                : job.user() != null ? "user " + job.user() : "job " + job.id();
        return draw(RandomStreams.stream(seed, "model of " + who));
    }

    /** Published measurements of models of the {@link ModelCatalog}: speeds on GPU types, and gains by workers. */
    private static final class ModelMeasurements {
        /**
         * Speeds on other GPU types relative to the V100: single-GPU rates of Gavel (D. Narayanan et al., OSDI 2020) at
         * the batch sizes above (resnet18: 64). Its recommendation model, which was bound by the host of the V100, is
         * left out.
         */
        private static final String SPEEDS = """
                resnet50    | P100 0.596 K80 0.141
                resnet18    | P100 0.926 K80 0.293
                transformer | P100 0.591 K80 0.203
                lstm        | P100 0.749 K80 0.214
                a2c         | P100 0.792 K80 0.479
                """;

        /**
         * Iterations per second on 1, 2, 4, … 64 A100 at one global batch size, the largest that was measured (D. Gu et
         * al.: ElasticFlow, ASPLOS 2023; from the repository of that paper, rounded to three figures).
         */
        private static final String SCALING = """
                resnet50    | 1.84 3.45 6.19 10.4 15.2 17.8 18.8
                vgg16       | 1.31 2.52 4.64 8 12.6 16.4 20.7
                inception3  | 2.56 4.66 7.8 10.9 12.8 12.8 12.3
                bert        | 3.57 5.68 8.45 9.99 10.8 10.7 9.44
                gpt2        | 4.1 6.96 11.4 15.7 17.9 18.9 15.6
                deepspeech2 | 1.6 2.96 5.25 7.41 9.4 12.5 14
                """;

        private ModelMeasurements() {}

        private static List<String> cellsOf(String table, String model) {
            for (String line : table.split("\n", -1)) {
                if (line.startsWith(model + " ")) {
                    return List.of(line.substring(line.indexOf('|') + 1).strip().split(" ", -1));
                }
            }
            return List.of();
        }

        /** Measured speeds of a model by GPU type, relative to the V100; empty when there are none. */
        static Map<String, Double> speeds(String model) {
            List<String> cells = cellsOf(SPEEDS, model);
            Map<String, Double> speeds = new HashMap<>();
            for (int i = 0; i < cells.size(); i += 2) {
                speeds.put(cells.get(i), Double.valueOf(cells.get(i + 1)));
            }
            return speeds;
        }

        /** The measured scaling curve of a model, or the linear one. */
        static ScalingCurve scaling(String model) {
            List<String> cells = cellsOf(SCALING, model);
            return cells.isEmpty()
                    ? ScalingCurve.LINEAR
                    : ScalingCurve.measured(
                            cells.stream().mapToDouble(Double::parseDouble).toArray());
        }
    }
}
