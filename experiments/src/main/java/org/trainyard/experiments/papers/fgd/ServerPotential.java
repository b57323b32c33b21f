package org.trainyard.experiments.papers.fgd;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.trainyard.env.workload.Demand;

/**
 * The potential of a server, which pods that still arrive can do little with: a sum of {@value #COLUMNS} columns of
 * its free CPU and GPUs, with a weight each. {@link #untrained} is FGD's fragmentation with respect to all kinds of
 * pods that want GPUs, which learning changes in three ways: a weight for each width of pods; what is left of a
 * shared GPU counts by its size; and free cores beside free GPUs have prices.
 */
final class ServerPotential {
    /** GPUs that a pod cannot use, summed over pods of a width: parts from these thousandths on, then whole GPUs. */
    private static final int[] PARTS = {1, 200, 300, 400, 550, 800, Demand.WHOLE};

    private static final int[] WHOLES = {1, 2, 4, 8};
    private static final int WIDTHS = PARTS.length + WHOLES.length - 1;
    /** Cores that free GPUs lack at so many for each, and cores beyond so many. */
    private static final double[] LACKS = {3, 6, 8, 10, 12, 16};

    private static final double[] EXCEEDS = {12, 24, 48};
    /** GPUs of which these thousandths are left, or more, up to the next number. */
    private static final int[] RESTS = {
        1, 60, 100, 160, 190, 200, 220, 250, 320, 360, 400, 460, 480, 530, 600, 680, 760, 840, Demand.WHOLE
    };

    /** Server has all GPUs free, at least eight, at least four. */
    private static final int FREE = 3;
    /** Squares of free GPUs and of free cores, and whether no pod has ever come. */
    private static final int FILL = 3;
    /** Free GPUs, and free cores, of servers with at least so many cores for each GPU. */
    private static final double[] CLASSES = {0, 10, 14, 20};

    private static final int REST = WIDTHS + LACKS.length + EXCEEDS.length;
    private static final int AFTER = REST + RESTS.length - 1;
    static final int COLUMNS = AFTER + FREE + FILL + 2 * 4;

    private static final double PER_GPU = 0.1;
    private static final double PER_CORE = 0.02;
    private static final double MOST_GPUS = 8;
    private static final double MOST_CORES = 128;
    private static final int HALF = 4;

    private final double[] weights;
    /** Widths in the order of GPU parts, then of GPUs. */
    private final int[] milli;

    private final int[] gpus;
    private final long[] cpus;
    /** By number of CPU demands that fit and width: share of pods, weighted. */
    private final double[][] fitting;

    private final double all;
    private final int[] rest = new int[Demand.WHOLE];

    ServerPotential(PodKinds kinds, double[] weights) {
        if (weights.length != COLUMNS) {
            throw new IllegalArgumentException(
                    "a potential has (%d) weights, not (%d)".formatted(COLUMNS, weights.length));
        }
        this.weights = weights.clone();
        List<Demand> wanted = IntStream.range(0, kinds.count())
                .mapToObj(kinds::demand)
                .filter(demand -> demand.gpus() > 0)
                .toList();
        long[] widths = wanted.stream()
                .mapToLong(ServerPotential::width)
                .sorted()
                .distinct()
                .toArray();
        milli = new int[widths.length];
        gpus = new int[widths.length];
        cpus = wanted.stream().mapToLong(Demand::cpuMilli).sorted().distinct().toArray();
        fitting = new double[cpus.length + 1][widths.length];
        for (Demand demand : wanted) {
            int width = Arrays.binarySearch(widths, width(demand));
            milli[width] = demand.gpuMilli();
            gpus[width] = demand.gpus();
            for (int more = rank(demand.cpuMilli()); more < fitting.length; more++) {
                fitting[more][width] += weights[column(demand)] * kinds.share(kinds.of(demand)) / Demand.WHOLE;
            }
        }
        all = Arrays.stream(fitting[cpus.length]).sum();
        for (int left = 1; left < Demand.WHOLE; left++) {
            rest[left] = REST + last(RESTS, left);
        }
    }

    private static long width(Demand demand) {
        return demand.gpus() * 2L * Demand.WHOLE + demand.gpuMilli();
    }

    /** The last of the numbers that is not above the value. */
    private static int last(int[] numbers, int value) {
        int at = numbers.length - 1;
        while (numbers[at] > value) {
            at--;
        }
        return at;
    }

    private static int column(Demand demand) {
        return demand.gpuMilli() < Demand.WHOLE
                ? last(PARTS, demand.gpuMilli())
                : PARTS.length - 1 + last(WHOLES, demand.gpus());
    }

    /** FGD's. */
    static double[] untrained() {
        double[] weights = new double[COLUMNS];
        Arrays.fill(weights, 0, WIDTHS, 1);
        return weights;
    }

    /** The class of a server by its cores for each GPU. */
    static int kind(long cpuMilli, int gpus) {
        int kind = 0;
        while (kind + 1 < CLASSES.length && cpuMilli >= CLASSES[kind + 1] * Demand.WHOLE * gpus) {
            kind++;
        }
        return kind;
    }

    private int rank(long cpuMilli) {
        int at = Arrays.binarySearch(cpus, cpuMilli);
        return at < 0 ? -at - 1 : at + 1;
    }

    /**
     * The potential of a server.
     *
     * @param free thousandths left of its GPUs, ascending
     */
    double of(int kind, boolean isUsed, long cpuMilli, int[] free, int from, int count) {
        int sum = 0;
        int whole = 0;
        double value = 0;
        for (int i = from; i < from + count; i++) {
            sum += free[i];
            if (free[i] == Demand.WHOLE) {
                whole++;
            } else if (free[i] > 0) {
                value += PER_GPU * weights[rest[free[i]]];
            }
        }
        value += unusable(cpuMilli, sum, free, from, count) + prices(kind, (double) cpuMilli / Demand.WHOLE, sum);
        value += PER_GPU
                * ((whole == count ? weights[AFTER] : 0)
                        + (whole >= MOST_GPUS ? weights[AFTER + 1] : 0)
                        + (whole >= HALF ? weights[AFTER + 2] : 0)
                        + (isUsed ? 0 : weights[AFTER + FREE + 2]));
        return value;
    }

    private double unusable(long cpuMilli, int sum, int[] free, int from, int count) {
        if (sum == 0) {
            return 0;
        }
        double[] fits = fitting[rank(cpuMilli)];
        double value = all * sum;
        int first = from;
        int little = 0;
        for (int width = 0; width < milli.length; width++) {
            while (first < from + count && free[first] < milli[width]) {
                little += free[first++];
            }
            if (from + count - first >= gpus[width]) {
                value -= fits[width] * (sum - little);
            }
        }
        return value;
    }

    private double prices(int kind, double cores, int freeMilli) {
        double freeGpus = (double) freeMilli / Demand.WHOLE;
        double value = 0;
        int column = WIDTHS;
        for (double each : LACKS) {
            value += weights[column++] * PER_CORE * Math.max(0, freeGpus * each - cores);
        }
        for (double each : EXCEEDS) {
            value += weights[column++] * PER_CORE * Math.max(0, cores - freeGpus * each);
        }
        column = AFTER + FREE;
        double gpuPart = freeGpus / MOST_GPUS;
        double cpuPart = cores / MOST_CORES;
        value += weights[column] * gpuPart * gpuPart + weights[column + 1] * cpuPart * cpuPart;
        column += FILL;
        return value
                + 2 * PER_GPU * weights[column + kind] * freeGpus
                + PER_CORE * weights[column + CLASSES.length + kind] * cores;
    }
}
