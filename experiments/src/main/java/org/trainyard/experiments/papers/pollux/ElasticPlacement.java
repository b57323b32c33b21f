package org.trainyard.experiments.papers.pollux;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Places for the jobs of the learned policy: parts of servers on the fullest that fits, more on whole servers. */
final class ElasticPlacement {
    private final int[] free = new int[ArtifactSimulation.SERVERS];

    ElasticPlacement() {
        Arrays.fill(free, ArtifactSimulation.GPUS);
    }

    /** Leaves a job where it is. */
    void keep(ArtifactJob job) {
        take(job.allocation);
    }

    private void take(int[] allocation) {
        for (int server = 0; server < allocation.length; server++) {
            free[server] -= allocation[server];
        }
    }

    /** Gives a job the GPUs on which it is fastest, of the size that it is to have and of smaller ones. */
    void place(ElasticJob wanting) {
        int[] best = {};
        double fastest = 0;
        for (int size = wanting.size; size >= 0; size--) {
            int gpus = ElasticJob.SIZES[size];
            int[] found = servers(gpus);
            int nodes = (int) Arrays.stream(found).filter(here -> here > 0).count();
            double speed = nodes == 0 ? 0 : wanting.speedup(nodes, gpus);
            if (speed > fastest) {
                best = found;
                fastest = speed;
            }
        }
        ArtifactJob job = wanting.job;
        boolean canStay = job.allocation.length > 0
                && Arrays.stream(best).sum() <= wanting.gpusNow
                && IntStream.range(0, free.length).allMatch(server -> job.allocation[server] <= free[server]);
        if (canStay && wanting.size >= 0 && ElasticJob.gpus(wanting.size) >= wanting.gpusNow) {
            keep(job);
            return;
        }
        take(best);
        if (best.length > 0 || job.allocation.length > 0) {
            job.reallocate(best, Arrays.stream(best).filter(gpus -> gpus > 0).toArray());
        }
    }

    /** GPUs by server; empty if there are too few. */
    private int[] servers(int gpus) {
        if (Arrays.stream(free).sum() < gpus) {
            return new int[0];
        }
        int[] taken = new int[free.length];
        for (int left = gpus; left > 0; ) {
            int best = -1;
            for (int server = 0; server < free.length; server++) {
                if (taken[server] == 0 && free[server] > 0 && (best < 0 || isBetter(free[server], free[best], left))) {
                    best = server;
                }
            }
            taken[best] = Math.min(left, free[best]);
            left -= taken[best];
        }
        return taken;
    }

    /** The fullest server that has room for all, else the emptiest. */
    private static boolean isBetter(int here, int there, int wanted) {
        return here >= wanted ? there < wanted || here < there : here > there;
    }
}
