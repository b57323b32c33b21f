package org.trainyard.env.workload.adaptive;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Measured speeds of training at several batch sizes, and the epochs at which adaptive jobs change their batch size.
 *
 * <p>Source: artifact of P. Zheng, R. Pan, T. Khan, S. Venkataraman, A. Akella: Shockwave: fair and efficient cluster
 * scheduling for dynamic adaptation in machine learning, NSDI 2023. Rates are steps per second on so many V100s,
 * measured alone. GNS doubles the batch at the listed epochs, profiled for each model, first batch size and number of
 * GPUs; Accordion (S. Agarwal et al., MLSys 2021) trains with the largest batch outside of the epochs it holds
 * critical.
 */
final class BatchSizes {
    /** Columns: model, batch size, steps per second on 1 2 4 8 GPUs, epochs at which GNS doubles on 1, 2 and 4 GPUs. */
    private static final String TABLE = """
            LM             |    5 | 133.83796 125.63158 198.88361 199.28208         | 31 41 61 71 | 31 51 61 71 | 11 31 71 91
            LM             |   10 | 94.910941 109.78661 175.01466 188.86076         | 11 21 41    | 11 31 41    | 11 31 61
            LM             |   20 | 68.054051 90.369473 146.92993 171.34654         | 11 41       | 31 41       | 11 61
            LM             |   40 | 46.822533 66.976025 114.90181 150.25176         | 11          | 11          | 61
            LM             |   80 | 21.712998 36.342113 68.127854 103.38632         |             |             |
            Recommendation |  512 | 169.34979 - - -                                 | 21 41 71 91 |             |
            Recommendation | 1024 | 107.32318 - - -                                 | 21 51 91    |             |
            Recommendation | 2048 | 59.262673 - - -                                 | 21 41       |             |
            Recommendation | 4096 | 25.070181 - - -                                 | 41          |             |
            Recommendation | 8192 | 11.631693 - - -                                 |             |             |
            ResNet-18      |   16 | 57.683433 84.826276 151.38015 194.45481         | 31 41 51 71 | 21 31 91 111 | 11 21 81 91
            ResNet-18      |   32 | 42.974979 66.713618 130.06237 184.86998         | 21 31 51    | 11 21 41    | 21 31 61
            ResNet-18      |   64 | 21.433466 37.353714 72.913753 135.0211          | 11 31       | 21 41       | 11 61
            ResNet-18      |  128 | 11.775335 21.78273 43.006034 80.24565           | 11          | 41          | 11
            ResNet-18      |  256 | 6.3195228 12.113721 23.529412 44.494892         |             |             |
            ResNet-50      |   16 | 10.597262 13.023547 36.884037 69.466667         |             |             |
            ResNet-50      |   32 | 5.899343 6.9694042 21.558621 42.156334          |             | 101 111     | 131 221
            ResNet-50      |   64 | 3.1080319 5.9387883 11.637771 22.949376         | 101         | 81          | 191
            ResNet-50      |  128 | 1.5978919 3.0793463 6.0903427 11.675354         |             |             |
            Transformer    |   16 | 8.7126229 13.807578 27.534638 41.045752         |             |             |
            Transformer    |   32 | 4.5311098 8.0566281 15.143477 27.171109         |             |             |
            Transformer    |   64 | 2.0754381 3.7582286 7.1622847 12.769354         |             |             |
            Transformer    |  128 | 1.1505217 2.149926 4.0733198 7.0683866          |             |             |
            """;

    private static final int[] GPUS = {1, 2, 4, 8};

    /** Samples in a model's data set. */
    private static final Map<String, Integer> SAMPLES = Map.of(
            "LM", 59_675, "Recommendation", 117_907, "ResNet-18", 50_000, "ResNet-50", 100_000, "Transformer", 10_000);

    /** A line of the table for one number of GPUs. */
    private record Setting(double stepsPerSecond, List<Integer> doublings) {}

    private record Key(String model, int batchSize, int gpus) {}

    private static final Map<Key, Setting> SETTINGS = settings();
    private static final Map<String, Integer> LARGEST = largest();

    private BatchSizes() {}

    private static Map<Key, Setting> settings() {
        Map<Key, Setting> settings = new HashMap<>();
        for (String row : TABLE.lines().toList()) {
            List<String> cells = List.of(row.split("\\|", -1));
            List<String> rates = List.of(cells.get(2).strip().split(" ", -1));
            for (int i = 0; i < GPUS.length; i++) {
                if (!rates.get(i).equals("-")) {
                    Key key = new Key(
                            cells.get(0).strip(), Integer.parseInt(cells.get(1).strip()), GPUS[i]);
                    String doublings = i + 3 < cells.size() ? cells.get(i + 3).strip() : "";
                    settings.put(key, new Setting(Double.parseDouble(rates.get(i)), numbers(doublings)));
                }
            }
        }
        return settings;
    }

    private static List<Integer> numbers(String text) {
        return text.isEmpty()
                ? List.of()
                : Stream.of(text.split(" ", -1)).map(Integer::valueOf).toList();
    }

    private static Map<String, Integer> largest() {
        Map<String, Integer> largest = new HashMap<>();
        SETTINGS.keySet().forEach(key -> largest.merge(key.model(), key.batchSize(), Math::max));
        return largest;
    }

    /** Whether there is a rate for the model at that batch size on so many GPUs. */
    static boolean knows(String model, int batchSize, int gpus) {
        return SETTINGS.containsKey(new Key(model, batchSize, gpus));
    }

    /** Steps per second of a setting that is known. */
    static double stepsPerSecond(String model, int batchSize, int gpus) {
        return setting(model, batchSize, gpus).stepsPerSecond;
    }

    private static Setting setting(String model, int batchSize, int gpus) {
        @Nullable Setting setting = SETTINGS.get(new Key(model, batchSize, gpus));
        if (setting == null) {
            throw new IllegalArgumentException(
                    "no rate of (%s) at batch size (%d) on (%d) GPUs".formatted(model, batchSize, gpus));
        }
        return setting;
    }

    /** Steps of one pass over the data set. */
    static long stepsPerEpoch(String model, int batchSize) {
        int samples = SAMPLES.getOrDefault(model, 0);
        return (samples + batchSize - 1L) / batchSize;
    }

    /** The largest batch size the model has a rate for. */
    static int largest(String model) {
        return LARGEST.getOrDefault(model, 0);
    }

    /** The batch size GNS wants in that epoch. */
    static long gns(String model, int firstBatchSize, int gpus, long epoch) {
        long wanted = firstBatchSize;
        for (int doubling : setting(model, firstBatchSize, gpus).doublings) {
            wanted *= epoch >= doubling ? 2 : 1;
        }
        return Math.min(wanted, largest(model));
    }

    /** Whether Accordion holds that epoch critical, so that it wants the first batch size; Transformers always are. */
    static boolean isCritical(String model, int firstBatchSize, long epoch) {
        return switch (model) {
            case "LM" -> epoch < 10;
            case "Recommendation" -> epoch < (firstBatchSize <= 1024 ? 30 : firstBatchSize == 2048 ? 40 : 10);
            case "ResNet-50" -> epoch % 30 < 10;
            case "ResNet-18" ->
                epoch < (firstBatchSize == 256 ? 20 : 10)
                        || (epoch >= 150 && epoch < 160)
                        || (epoch >= 250 && epoch < 260);
            default -> true;
        };
    }
}
