package org.trainyard.env.scheduling.fragmentation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.env.workload.Demand;

/**
 * The target workload of FGD: the distribution of demands against which fragmentation is measured.
 *
 * <p>Source: Q. Weng et al.: Beware of fragmentation, USENIX ATC 2023 (target workload), and its simulator (typical
 * pods): demands equal in CPU, GPUs and GPU types are one kind, the most frequent kinds are taken until they cover 95 %
 * of the jobs, and their shares are scaled to one. Memory does not count. Of equally frequent kinds the one with more
 * CPU comes first, then the larger part of a GPU, then more GPUs.
 */
public final class TargetWorkload {
    private static final double POPULAR_SHARE = 0.95;

    private record Kind(long cpuMilli, int gpuMilli, int gpus, List<String> gpuTypes) {
        static Kind of(Demand demand) {
            return new Kind(
                    demand.cpuMilli(),
                    demand.gpus() == 0 ? 0 : demand.gpuMilli(),
                    demand.gpus(),
                    demand.gpus() == 0 ? List.of() : demand.gpuTypes());
        }
    }

    private record Counted(Kind kind, int count) {}

    private final List<Kind> kinds = new ArrayList<>();
    private final double[] shares;

    private TargetWorkload(List<Counted> popular) {
        double all = popular.stream().mapToInt(Counted::count).sum();
        shares = new double[popular.size()];
        for (int i = 0; i < shares.length; i++) {
            kinds.add(popular.get(i).kind());
            shares[i] = popular.get(i).count() / all;
        }
    }

    /** The target workload of jobs with these demands. */
    public static TargetWorkload of(Collection<Demand> demands) {
        Counter counter = new Counter();
        demands.forEach(counter::add);
        return counter.target();
    }

    /** Counts demands of arriving jobs. */
    public static final class Counter {
        private final Map<Kind, Integer> counts = new HashMap<>();
        private int jobs;

        public void add(Demand demand) {
            counts.merge(Kind.of(demand), 1, Integer::sum);
            jobs++;
        }

        /** Jobs counted so far. */
        public int jobs() {
            return jobs;
        }

        /** The target workload of these jobs. */
        public TargetWorkload target() {
            List<Counted> sorted = new ArrayList<>();
            counts.forEach((kind, count) -> sorted.add(new Counted(kind, count)));
            sorted.sort(Comparator.comparingInt(Counted::count)
                    .thenComparingLong(counted -> counted.kind().cpuMilli())
                    .thenComparingInt(counted -> counted.kind().gpuMilli())
                    .thenComparingInt(counted -> counted.kind().gpus())
                    .thenComparing(counted -> String.join("|", counted.kind().gpuTypes()))
                    .reversed());
            int taken = 0;
            int covered = 0;
            while (covered < POPULAR_SHARE * jobs) {
                covered += sorted.get(taken++).count();
            }
            return new TargetWorkload(sorted.subList(0, taken));
        }
    }

    public int kinds() {
        return shares.length;
    }

    /**
     * The free GPU capacity of a server that the target workload cannot use, thousandths of a GPU: for each kind all
     * free capacity where one job of it does not fit, or else that of the GPUs with too little left for one of its
     * workers; averaged by share. For a kind without GPUs, all free capacity. O(kinds x GPUs).
     *
     * @param gpuType the type of the server's GPUs
     * @param freeMilli free thousandths of each of its GPUs
     */
    public double fragmentedMilli(String gpuType, long freeCpuMilli, int[] freeMilli) {
        int all = 0;
        for (int left : freeMilli) {
            all += left;
        }
        double fragmented = 0;
        for (int i = 0; i < shares.length; i++) {
            fragmented += shares[i] * unusableMilli(kinds.get(i), gpuType, freeCpuMilli, freeMilli, all);
        }
        return fragmented;
    }

    private static int unusableMilli(Kind kind, String gpuType, long freeCpuMilli, int[] freeMilli, int all) {
        if (kind.gpus() == 0
                || freeCpuMilli < kind.cpuMilli()
                || (!kind.gpuTypes().isEmpty() && !kind.gpuTypes().contains(gpuType))) {
            return all;
        }
        int fitting = 0;
        int tooLittle = 0;
        for (int left : freeMilli) {
            if (left >= kind.gpuMilli()) {
                fitting++;
            } else {
                tooLittle += left;
            }
        }
        return fitting < kind.gpus() ? all : tooLittle;
    }
}
