package org.trainyard.env.workload.goodput;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The goodput of the six applications of Pollux' evaluation on servers of four T4.
 *
 * <p>Source: measurements in the artifact of A. Qiao et al.: Pollux: co-adaptive cluster scheduling for
 * goodput-optimized deep learning, OSDI 2021. Times are fitted by {@link ThroughputFit} to all measured placements,
 * noise is the geometric mean over the measured batches in tenths of the training. The table is made by
 * {@code PolluxApplicationsTest}, which compares it with the measurements. As in the artifact, the batch of {@code ncf}
 * is fixed, and it keeps the GPUs that it was submitted for.
 */
public final class PolluxApplications {
    /** Columns: name, alpha and beta of compute, servers and one server, gamma, batch limits, iterations, noise. */
    private static final String TABLE = """
            bert | 0.1757 0.05857 1.397 0.008615 0.2701 0.006107 1.840 | 12 384 4 12 | 14774.00 | 172.7 172.7 172.7 172.7 172.7 657.7 657.7 657.7 657.7 657.7
            cifar10 | 0.01776 0.0006973 0.1277 0.002605 0.03420 0.001648 2.233 | 128 4096 32 1024 | 39062.91 | 5.024 21.15 34.65 50.00 70.65 108.3 195.2 325.9 459.0 496.7
            deepspeech2 | 0.3129 0.02344 0.5034 0.009742 0.1068 0.002227 1.473 | 20 640 10 80 | 28536.00 | 5.516 50.34 178.6 576.3 1327 2784 6806 1.183e+04 4379 6935
            imagenet | 0.06438 0.004490 0.3203 0.006182 0.07507 0.0008736 2.482 | 200 12800 20 200 | 576525.6 | 22.32 40.80 44.98 114.4 141.9 129.7 185.8 379.2 353.2 340.2
            ncf | 0.007087 5.709e-07 0.01474 0.0005470 0.003726 0.0005616 1.000 | 256 32768 16384 16384 | 194174.0 | 424.0 1759 5272 5551 1.570e+04 4.284e+04 5.560e+04 1.172e+05 1.194e+05 1.245e+05
            yolov3 | 0.1931 0.02560 0.7450 0.01012 0.1151 0.02293 1.105 | 8 512 4 8 | 103444.0 | 7.388 41.59 47.81 56.22 61.87 73.99 95.64 147.9 246.5 503.8
            """;

    private static final Map<String, GoodputProfile> BY_NAME = new LinkedHashMap<>();

    static {
        TABLE.lines().forEach(row -> {
            String[] cells = row.split("\\|", -1);
            double[] times = numbers(cells[1]);
            double[] batches = numbers(cells[2]);
            BY_NAME.put(
                    cells[0].strip(),
                    new GoodputProfile(
                            new ThroughputParameters(
                                    times[0], times[1], times[2], times[3], times[4], times[5], times[6]),
                            new BatchLimits((int) batches[0], (int) batches[1], (int) batches[2], (int) batches[3]),
                            numbers(cells[3])[0],
                            numbers(cells[4])));
        });
    }

    private PolluxApplications() {}

    private static double[] numbers(String cell) {
        return Arrays.stream(cell.strip().split(" +", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    /** The profile of that application, or null. */
    public static @Nullable GoodputProfile find(String name) {
        return BY_NAME.get(name);
    }

    /** Whether its number of GPUs may change. */
    public static boolean isElastic(String name) {
        return !name.equals("ncf");
    }

    public static SortedSet<String> names() {
        return new TreeSet<>(BY_NAME.keySet());
    }
}
